package dev.slipway.cluster;

import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Opens the API of a workload cluster with the kubeconfig that Cluster API's convention names. */
@Component
public class WorkloadApi {

    private final LiveReader reader;
    private final WorkloadClusters workloads;

    public WorkloadApi(LiveReader reader, WorkloadClusters workloads) {
        this.reader = reader;
        this.workloads = workloads;
    }

    /** Opens it; empty while there is no kubeconfig secret. */
    public Optional<Workload> open(ClusterRef cluster) {
        return reader.get(ResourceType.SECRETS, cluster.namespace(), secretOf(cluster))
                .map(secret -> workloads.open(cluster.uid(), secret));
    }

    /** What a phase answers while there is none. */
    public static Outcome waitForKubeconfig(ClusterRef cluster) {
        return Outcome.waiting(
                "WaitingForKubeconfig",
                "the secret " + cluster.namespace() + "/" + secretOf(cluster) + " with the kubeconfig does not exist");
    }

    private static String secretOf(ClusterRef cluster) {
        return cluster.name() + "-kubeconfig";
    }
}
