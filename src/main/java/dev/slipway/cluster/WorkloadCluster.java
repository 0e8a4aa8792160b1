package dev.slipway.cluster;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import java.util.Optional;

/**
 * The cluster that a person declared, as read from the API server.
 *
 * @param object the whole object, unknown fields included
 * @param spec what the cluster shall be, with defaults filled in
 */
public record WorkloadCluster(KubeObject object, WorkloadClusterSpec spec) {

    /** Keeps the object until Slipway has cleaned up. */
    public static final String FINALIZER = "slipway.dev/workload-cluster";

    /** Annotations and labels with this prefix are Slipway's own. */
    public static final String ANNOTATION_PREFIX = "slipway.dev/";

    /**
     * Reads the declared fields; unknown ones are ignored.
     *
     * @throws dev.slipway.phase.Failure INVALID {@code SpecInvalid} with the field, if a value cannot be read
     */
    public static WorkloadCluster of(KubeObject object) {
        return new WorkloadCluster(object, SpecReader.read(object, "spec", WorkloadClusterSpec.class));
    }

    public String namespace() {
        return object.namespace();
    }

    public String name() {
        return object.name();
    }

    public String uid() {
        return object.uid();
    }

    /** Whether deletion was requested: nothing more may be made for it. */
    public boolean deleting() {
        return object.deleting();
    }

    /** Whether Slipway's finalizer is on the object. */
    public boolean finalizerSet() {
        return object.finalizers().contains(FINALIZER);
    }

    /** How flows name it. */
    public ClusterRef ref() {
        return new ClusterRef(namespace(), name(), uid());
    }

    /** What people call it: {@code WorkloadCluster <namespace>/<name>}. */
    public String display() {
        return "WorkloadCluster " + namespace() + "/" + name();
    }

    /**
     * The projection that the object carries; for views and tests, never for decisions.
     *
     * @return empty if nothing was projected yet
     */
    public Optional<WorkloadClusterStatus> status() {
        return object.at("status").isObject()
                ? Optional.of(SpecReader.read(object, "status", WorkloadClusterStatus.class))
                : Optional.empty();
    }
}
