package dev.slipway.diagnosis;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.WorkloadApi;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Opens workload clusters as an import does: with the kubeconfig that the Cluster names, else by convention. */
@Component
final class ClusterAccess {

    private final ClusterApi api;
    private final WorkloadApi byConvention;
    private final ImportAccess imports;

    ClusterAccess(ClusterApi api, WorkloadApi byConvention, ImportAccess imports) {
        this.api = api;
        this.byConvention = byConvention;
        this.imports = imports;
    }

    /** Opens the one of that name, though its Cluster may be gone; empty while there is no kubeconfig. */
    Optional<Workload> open(ClusterRef ref) {
        Optional<CapiCluster> cluster = api.cluster(ref.namespace(), ref.name());
        return cluster.isPresent() ? open(cluster.get()) : byConvention.open(ref);
    }

    /** Opens the one of a Cluster; empty while there is no kubeconfig. */
    Optional<Workload> open(CapiCluster cluster) {
        return imports.open(new ImportTarget(ImportTarget.refOf(cluster.object()), cluster));
    }
}
