package dev.slipway.status;

import dev.slipway.kernel.FlowChanges;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.WorkItemEvents;
import dev.slipway.phase.ClusterRef;

/** Projects the flows of work items onto their status. */
final class ItemStatus implements FlowChanges, WorkItemEvents, AutoCloseable {

    private final StatusProjector projector;

    ItemStatus(StatusProjector projector) {
        this.projector = projector;
    }

    @Override
    public void changed(ClusterRef item) {
        projector.changed(item);
    }

    @Override
    public void itemSeen(KubeObject item) {
        projector.seen(item);
    }

    @Override
    public void itemGone(String namespace, String name, String uid) {
        projector.gone(namespace, name, uid);
    }

    @Override
    public void close() {
        projector.close();
    }
}
