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

    /**
     * The annotation of a Cluster with the PEM of the certificates that a person accepted: they are trusted in place of
     * the kubeconfig's CA.
     */
    public static final String ACCEPTED_CA = WorkloadCluster.ANNOTATION_PREFIX + "accepted-ca";

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

    /** What is trusted in place of the kubeconfig's CA; empty if nothing is. */
    public String acceptedBy(ImportTarget target) {
        return target.cluster().object().annotations().getOrDefault(ACCEPTED_CA, "");
    }

    /** Opens it; empty while the secret does not exist. Makes no call to the workload cluster. */
    public Optional<Workload> open(ImportTarget target) {
        return open(target, secretOf(target), acceptedBy(target));
    }

    /**
     * Opens it in another way than the one that is set.
     *
     * @param target which cluster
     * @param secret the name of the secret with the kubeconfig
     * @param authority PEM of what is trusted in place of the kubeconfig's CA; empty for the kubeconfig's
     */
    public Optional<Workload> open(ImportTarget target, String secret, String authority) {
        return reader.get(ResourceType.SECRETS, target.namespace(), secret)
                .map(found -> workloads.open(target.ref().uid(), found, authority));
    }

    /** What a phase answers while there is no secret. */
    public Outcome waitForKubeconfig(ImportTarget target) {
        return Outcome.waiting(
                "WaitingForKubeconfig",
                "the secret " + target.namespace() + "/" + secretOf(target) + " with the kubeconfig does not exist");
    }
}
