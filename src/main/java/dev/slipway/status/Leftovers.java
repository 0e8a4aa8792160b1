package dev.slipway.status;

import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import java.util.List;
import java.util.Map;

/** Finds, live, what still exists of a cluster whose object is being deleted. */
final class Leftovers {

    private static final String CLUSTER_API = "cluster.x-k8s.io";
    private static final String CLUSTER_NAME_LABEL = "cluster.x-k8s.io/cluster-name";

    private final LiveReader reader;

    Leftovers(LiveReader reader) {
        this.reader = reader;
    }

    /** Looks at everything that a person has to know before they release the object. */
    Deletion of(KubeObject cluster, List<FlowView> flows) {
        ClusterRef ref = new ClusterRef(cluster.namespace(), cluster.name(), cluster.uid());
        int finalizer = cluster.finalizers().indexOf(Deletion.FINALIZER);
        List<String> active = flows.stream()
                .filter(flow -> flow.state() == FlowState.RUNNING)
                .map(FlowView::kind)
                .toList();
        if (!active.isEmpty()) {
            return new Deletion(ref, active, false, 0, 0, finalizer);
        }
        Map<String, String> ofCluster = Map.of(CLUSTER_NAME_LABEL, ref.name());
        boolean exists = reader.find(CLUSTER_API, "Cluster")
                .flatMap(type -> reader.get(type, ref.namespace(), ref.name()))
                .isPresent();
        int machines = reader.find(CLUSTER_API, "Machine")
                .map(type -> reader.list(type, ref.namespace(), ofCluster).size())
                .orElse(0);
        int secrets =
                reader.list(ResourceType.SECRETS, ref.namespace(), ofCluster).size();
        return new Deletion(ref, active, exists, machines, secrets, finalizer);
    }
}
