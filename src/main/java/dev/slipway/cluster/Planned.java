package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import java.util.Comparator;
import java.util.Map;

/**
 * One object that a cluster shall have.
 *
 * @param type how its kind is served, in the object's own version
 * @param object what is applied
 */
record Planned(ResourceType type, KubeObject object) {

    /** What others refer to comes first, what needs the Cluster comes last. */
    static final Comparator<Planned> ORDER = Comparator.comparingInt(Planned::rank);

    boolean isCluster() {
        return isCluster(object);
    }

    static boolean isCluster(KubeObject object) {
        return object.kind().equals("Cluster")
                && ObjectRef.groupOf(object.apiVersion()).equals(ClusterApi.GROUP);
    }

    /** {@code DevCluster.infrastructure.cluster.x-k8s.io x}. */
    String display() {
        return (type.group().isEmpty() ? type.kind() : type.kind() + "." + type.group()) + " " + object.name();
    }

    /** Puts the marks on it by which Slipway and Cluster API know whose it is. */
    void mark(WorkloadCluster owner, ClusterSettings settings) {
        ObjectNode metadata = object.json().withObjectProperty("metadata");
        metadata.put("namespace", owner.namespace());
        ObjectNode labels = metadata.withObjectProperty("labels");
        labels.put(ClusterApi.CLUSTER_NAME_LABEL, owner.name());
        labels.put("app.kubernetes.io/managed-by", "slipway");
        metadata.putArray("ownerReferences").add(owner.object().ownerReference(isCluster()));
        if (isCluster()) {
            copy(owner.object().labels(), labels, settings);
            Map<String, String> annotations = owner.object().annotations();
            if (annotations.keySet().stream().anyMatch(settings::copies)) {
                copy(annotations, metadata.withObjectProperty("annotations"), settings);
            }
        }
    }

    /** Whether a stored object was made for that WorkloadCluster, and not just for one of its name. */
    static boolean madeFor(KubeObject stored, WorkloadCluster owner) {
        for (JsonNode reference : stored.at("metadata", "ownerReferences")) {
            if (reference.path("uid").asText().equals(owner.uid())) {
                return true;
            }
        }
        return false;
    }

    private static void copy(Map<String, String> from, ObjectNode to, ClusterSettings settings) {
        from.forEach((key, value) -> {
            if (settings.copies(key)) {
                to.put(key, value);
            }
        });
    }

    private int rank() {
        String kind = type.kind();
        if (type.group().isEmpty()) {
            return 0;
        }
        if (kind.endsWith("Template")) {
            return 1;
        }
        if (kind.equals("ClusterClass")) {
            return 2;
        }
        if (isCluster()) {
            return 4;
        }
        return type.group().equals(ClusterApi.GROUP) ? 5 : 3;
    }
}
