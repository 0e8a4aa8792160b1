package dev.slipway.imports;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import java.util.Optional;

/**
 * The cluster that a flow imports, as just read live.
 *
 * @param ref how the flow names it
 * @param cluster the Cluster API Cluster, its source
 */
public record ImportTarget(ClusterRef ref, CapiCluster cluster) {

    /** Keeps a Cluster until its platform's records are gone; set before anything is made outside of it. */
    public static final String FINALIZER = "capi.cpaas.io/imported";

    /** Where a cluster comes from. */
    public enum Origin {
        /** Cluster API built it: it has a control plane and an infrastructure, or a topology. */
        BUILT,
        /** Somebody else did: the Cluster names an endpoint and nothing else. */
        THIRD_PARTY,
        /** One of the two references is there, the other is not. */
        UNDECIDABLE
    }

    /**
     * How flows name a Cluster: by the UID of the WorkloadCluster that it was built for, or else by its own.
     *
     * <p>So init, import and the watch for drift are about one cluster, and the database lets one of them run.
     */
    public static ClusterRef refOf(KubeObject cluster) {
        return new ClusterRef(
                cluster.namespace(), cluster.name(), workloadClusterUid(cluster).orElse(cluster.uid()));
    }

    /** The UID of the WorkloadCluster that a Cluster was built for; empty if Slipway did not build it. */
    public static Optional<String> workloadClusterUid(KubeObject cluster) {
        for (var reference : cluster.at("metadata", "ownerReferences")) {
            boolean ours =
                    reference.path("apiVersion").asText().startsWith(ResourceType.WORKLOAD_CLUSTERS.group() + "/")
                            && reference.path("kind").asText().equals(ResourceType.WORKLOAD_CLUSTERS.kind());
            if (ours) {
                return Optional.of(reference.path("uid").asText());
            }
        }
        return Optional.empty();
    }

    /** The WorkloadCluster that a Cluster was built for, live; empty if Slipway did not build it, or it is gone. */
    public static Optional<KubeObject> workloadClusterOf(KubeObject cluster, LiveReader reader) {
        return workloadClusterUid(cluster)
                .flatMap(uid -> reader.get(ResourceType.WORKLOAD_CLUSTERS, cluster.namespace(), cluster.name())
                        .filter(declared -> declared.uid().equals(uid)));
    }

    public String namespace() {
        return cluster.namespace();
    }

    public String name() {
        return cluster.name();
    }

    /** {@code Cluster <namespace>/<name>}. */
    public String display() {
        return cluster.display();
    }

    /** Whether somebody deletes it. */
    public boolean deleting() {
        return cluster.object().deleting();
    }

    public Origin origin() {
        boolean controlPlane = cluster.controlPlaneRef().isPresent();
        boolean infrastructure = cluster.infrastructureRef().isPresent();
        if (cluster.hasTopology() || (controlPlane && infrastructure)) {
            return Origin.BUILT;
        }
        return controlPlane || infrastructure ? Origin.UNDECIDABLE : Origin.THIRD_PARTY;
    }
}
