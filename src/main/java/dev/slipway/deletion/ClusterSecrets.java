package dev.slipway.deletion;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.pki.StoredSecret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The secrets of a cluster: found by its label, never by a pattern of names, since others share the namespace. */
@Component
public class ClusterSecrets {

    /** Keeps the kubeconfig until the last phase that may need it. */
    public static final String FINALIZER = WorkloadCluster.ANNOTATION_PREFIX + "deletion";

    private final LiveReader reader;
    private final KubeWriter writer;

    public ClusterSecrets(LiveReader reader, KubeWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    /** All that carry the cluster's label. */
    public List<KubeObject> of(ClusterRef cluster) {
        return reader.list(
                ResourceType.SECRETS, cluster.namespace(), Map.of(ClusterApi.CLUSTER_NAME_LABEL, cluster.name()));
    }

    /** Whether a controller made it; every other one is the user's. */
    public static boolean generated(KubeObject secret) {
        return secret.text("type").filter(StoredSecret.CONTROLLER_TYPE::equals).isPresent();
    }

    /** Reads one by its name. */
    public Optional<KubeObject> get(ClusterRef cluster, String name) {
        return reader.get(ResourceType.SECRETS, cluster.namespace(), name);
    }

    /** Keeps it from vanishing; one that is being deleted already cannot be kept. */
    public void protect(KubeObject secret) {
        if (!secret.deleting() && !secret.finalizers().contains(FINALIZER)) {
            writer.addFinalizer(ResourceType.SECRETS, secret, FINALIZER);
        }
    }

    /** Takes the protection off again. */
    public void release(KubeObject secret) {
        if (secret.finalizers().contains(FINALIZER)) {
            writer.removeFinalizer(ResourceType.SECRETS, secret.namespace(), secret.name(), FINALIZER);
        }
    }

    /** Deletes it. */
    public void delete(KubeObject secret) {
        if (!secret.deleting()) {
            writer.delete(ResourceType.SECRETS, secret.namespace(), secret.name(), secret.uid());
        }
    }
}
