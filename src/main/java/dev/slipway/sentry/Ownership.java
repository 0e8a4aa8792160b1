package dev.slipway.sentry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import java.util.Optional;

/** Marks what Slipway made in a workload cluster: what is not marked is never changed or deleted. */
final class Ownership {

    private static final String LABEL = "app.kubernetes.io/managed-by";
    private static final String SLIPWAY = "slipway";
    private static final String CREATED_FOR = "slipway.dev/created-for";

    private Ownership() {}

    /** Marks an object that is about to be created for that cluster. */
    static KubeObject mark(KubeObject object, ClusterRef cluster) {
        return mark(object, cluster.businessKey());
    }

    /** Marks what is applied over a found object: for whom it was created stays. */
    static KubeObject mark(KubeObject object, Optional<KubeObject> found, ClusterRef cluster) {
        return mark(object, found.map(old -> old.annotations().get(CREATED_FOR)).orElseGet(cluster::businessKey));
    }

    /** Whether Slipway made it. */
    static boolean isOurs(KubeObject object) {
        return SLIPWAY.equals(object.labels().get(LABEL));
    }

    /** Whether Slipway made it for just this cluster. */
    static boolean isOf(KubeObject object, ClusterRef cluster) {
        return isOurs(object)
                && cluster.businessKey().equals(object.annotations().get(CREATED_FOR));
    }

    /** Whether Slipway made it for a cluster of that namespace and name, whichever life of it. */
    static boolean isOfName(KubeObject object, ClusterRef cluster) {
        return isOurs(object)
                && object.annotations().getOrDefault(CREATED_FOR, "").startsWith(cluster.display() + "@");
    }

    private static KubeObject mark(KubeObject object, String createdFor) {
        ObjectNode metadata = object.json().withObject("metadata");
        metadata.withObject("labels").put(LABEL, SLIPWAY);
        metadata.withObject("annotations").put(CREATED_FOR, createdFor);
        return object;
    }
}
