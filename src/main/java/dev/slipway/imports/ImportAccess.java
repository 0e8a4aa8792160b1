package dev.slipway.imports;

import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Outcome;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Opens the API of the cluster that is imported: with a supplied kubeconfig if there is one, else Cluster API's. */
@Component
public class ImportAccess {

    /** The annotation of a Cluster that names the secret with its kubeconfig, if it is not Cluster API's own. */
    public static final String KUBECONFIG_SECRET = WorkloadCluster.ANNOTATION_PREFIX + "kubeconfig-secret";

    private final LiveReader reader;
    private final WorkloadClusters workloads;

    public ImportAccess(LiveReader reader, WorkloadClusters workloads) {
        this.reader = reader;
        this.workloads = workloads;
    }

    /** The name of the secret that holds the kubeconfig. */
    public String secretOf(ImportTarget target) {
        String supplied = target.cluster().object().annotations().getOrDefault(KUBECONFIG_SECRET, "");
        return supplied.isEmpty() ? target.name() + "-kubeconfig" : supplied;
    }

    /** Opens it; empty while the secret does not exist. Makes no call to the workload cluster. */
    public Optional<Workload> open(ImportTarget target) {
        return reader.get(ResourceType.SECRETS, target.namespace(), secretOf(target))
                .map(secret -> workloads.open(target.ref().uid(), secret));
    }

    /** What a phase answers while there is no secret. */
    public Outcome waitForKubeconfig(ImportTarget target) {
        return Outcome.waiting(
                "WaitingForKubeconfig",
                "the secret " + target.namespace() + "/" + secretOf(target) + " with the kubeconfig does not exist");
    }
}
