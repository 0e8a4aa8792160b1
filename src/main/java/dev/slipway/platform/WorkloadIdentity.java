package dev.slipway.platform;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.Optional;

/**
 * Who a workload cluster is, whatever it is called and wherever it answers.
 *
 * @param id the value of its ClusterProperty {@code cluster.clusterset.k8s.io}, or else {@code namespaceUid}
 * @param namespaceUid the UID of its namespace {@code kube-system}
 */
public record WorkloadIdentity(String id, String namespaceUid) {

    private static final String ABOUT_GROUP = "about.k8s.io";
    private static final String PROPERTY = "cluster.clusterset.k8s.io";
    private static final String SYSTEM_NAMESPACE = "kube-system";

    /** How a name and an identity are known so far. */
    public enum Standing {
        /** Neither is known: a first import. */
        NEW,
        /** The name belongs to this identity: a repeated import. */
        SAME,
        /** The name is there without any identity: somebody else made the record. */
        UNMARKED
    }

    /**
     * An identity that a platform Cluster carries.
     *
     * @param name the platform Cluster's name
     * @param id the identity in its annotation, or empty
     */
    public record Registration(String name, String id) {}

    /**
     * Reads it with a client of the workload cluster.
     *
     * @throws Failure TRANSIENT {@code IdentityUnreadable} without a namespace kube-system; else by the answer's class
     */
    public static WorkloadIdentity read(LiveReader workload) {
        String uid = workload.get(ResourceType.NAMESPACES, "", SYSTEM_NAMESPACE)
                .map(KubeObject::uid)
                .orElseThrow(() -> new Failure(
                        ErrorClass.TRANSIENT,
                        "IdentityUnreadable",
                        "The workload cluster has no namespace " + SYSTEM_NAMESPACE,
                        List.of("Check that a whole Kubernetes API server listens at that address"),
                        null,
                        null));
        Optional<String> property = workload.find(ABOUT_GROUP, "ClusterProperty")
                .flatMap(type -> workload.get(type, "", PROPERTY))
                .flatMap(object -> object.text("spec", "value"));
        return new WorkloadIdentity(property.orElse(uid), uid);
    }

    /**
     * Compares it with what is registered.
     *
     * @param name the name that it is to be imported under
     * @throws Failure IDENTITY {@code IdentityTaken} if another name has it, {@code IdentityChanged} if the name has
     *     another one
     */
    public Standing check(String name, List<Registration> registrations) {
        Standing standing = Standing.NEW;
        for (Registration other : registrations) {
            if (other.name().equals(name)) {
                standing = checkOwn(other);
            } else if (is(other.id())) {
                throw failure(
                        "IdentityTaken",
                        "The workload cluster of '" + name + "' (identity " + other.id()
                                + ") is registered already, as '" + other.name() + "'",
                        "Use the cluster under the name " + other.name() + ", or detach it there first",
                        "If it is a copy of that cluster: give it an identity of its own, with a ClusterProperty "
                                + PROPERTY);
            }
        }
        return standing;
    }

    /** Whether that recorded identity is this cluster's: a ClusterProperty may have come after the record was made. */
    public boolean is(String recorded) {
        return !recorded.isEmpty() && (recorded.equals(id) || recorded.equals(namespaceUid));
    }

    private Standing checkOwn(Registration own) {
        if (own.id().isEmpty()) {
            return Standing.UNMARKED;
        }
        if (!is(own.id())) {
            throw failure(
                    "IdentityChanged",
                    "'" + own.name() + "' is registered with the identity " + own.id()
                            + ", but the workload cluster that answers is " + id,
                    "Check that the kubeconfig and the endpoint lead to the right cluster",
                    "If the cluster was built anew on purpose: decide REPLACE_IDENTITY");
        }
        return Standing.SAME;
    }

    private static Failure failure(String code, String message, String... actions) {
        return new Failure(ErrorClass.IDENTITY, code, message, List.of(actions), null, null);
    }
}
