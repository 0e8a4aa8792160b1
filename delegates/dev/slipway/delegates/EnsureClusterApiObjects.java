package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.ClusterObjects;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.ObjectRef;
import dev.slipway.cluster.Observation;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/**
 * Makes the Cluster API objects that the WorkloadCluster stands for.
 *
 * <ul>
 *   <li>a Cluster of that name that was not made for this WorkloadCluster is never taken over
 *   <li>before the first object is made, the server has validated all of them
 *   <li>the Cluster is there, owned by the WorkloadCluster, and the one whose UID was recorded
 *   <li>what its references name exists; with a topology, the topology controller has made it
 * </ul>
 */
@Component
public class EnsureClusterApiObjects implements Phase {

    private final LiveClusters clusters;
    private final ClusterApi api;
    private final ClusterObjects objects;

    public EnsureClusterApiObjects(LiveClusters clusters, ClusterApi api, ClusterObjects objects) {
        this.clusters = clusters;
        this.api = api;
        this.objects = objects;
    }

    @Override
    public Outcome run(PhaseContext context) {
        WorkloadCluster declared = clusters.declared(context);
        if (declared.deleting()) {
            return LiveClusters.waitForDeletion(declared);
        }
        Optional<CapiCluster> existing = api.cluster(declared.namespace(), declared.name());
        if (existing.isPresent() && existing.get().object().deleting()) {
            return Outcome.waiting(
                    "WaitingForClusterDeletion",
                    "an earlier " + existing.get().display() + " (UID "
                            + existing.get().uid() + ") is being deleted: " + deletion(existing.get()));
        }
        existing.ifPresent(cluster -> {
            ClusterObjects.requireOurs(declared, cluster);
            clusters.requireSame(context, cluster);
        });
        return report(objects.apply(declared));
    }

    private Outcome report(CapiCluster cluster) {
        List<ObjectRef> refs = Stream.of(cluster.infrastructureRef(), cluster.controlPlaneRef())
                .flatMap(Optional::stream)
                .toList();
        if (cluster.hasTopology() && refs.size() < 2) {
            return Outcome.waiting(
                    "WaitingForTopology",
                    Observation.of(
                            "the topology controller has not made infrastructure and control plane of "
                                    + cluster.display() + " yet",
                            cluster.cause("TopologyReconciled")));
        }
        for (ObjectRef ref : refs) {
            if (api.resolve(cluster.namespace(), ref).isEmpty()) {
                return Outcome.waiting(
                        "WaitingForReferences",
                        Observation.of(
                                cluster.display() + " refers to " + ref.display() + ", which does not exist yet",
                                cluster.cause("TopologyReconciled", "InfrastructureReady")));
            }
        }
        List<String> names = refs.stream().map(ObjectRef::display).toList();
        return Outcome.done(cluster.display() + " is there with " + String.join(" and ", names))
                .with(LiveClusters.CAPI_CLUSTER_UID, cluster.uid());
    }

    private static String deletion(CapiCluster cluster) {
        String cause = cluster.cause("Deleting");
        return cause.isEmpty() ? "its finalizers are " + cluster.object().finalizers() : cause;
    }
}
