package dev.slipway.trigger;

import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.queue.ManualWorkers;
import dev.slipway.status.ClusterEvents;

/** What starts deletions, for tests of triggers. */
final class DeletionTriggers {

    private DeletionTriggers() {}

    static DeletionStarts of(Flows flows, KubeClient client, ManualWorkers workers) {
        return new DeletionStarts(flows, client, new ClusterEvents(client, client, workers), workers);
    }
}
