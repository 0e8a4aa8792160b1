package dev.slipway.workitem;

import dev.slipway.cluster.SpecReader;
import dev.slipway.cluster.WorkItemSpec;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;

/**
 * A chart or manifests that a person wants on a workload cluster, as read from the API server.
 *
 * @param object the whole object; what stands in its status is never looked at
 * @param spec what shall be installed, with defaults filled in
 */
public record WorkItem(KubeObject object, WorkItemSpec spec) {

    /** Keeps the object until what it installed is gone. */
    public static final String FINALIZER = WorkloadCluster.ANNOTATION_PREFIX + "work-item";

    /** The annotation that says why the workload cluster is left alone when the work item is deleted. */
    public static final String SKIP_REMOTE = WorkloadCluster.ANNOTATION_PREFIX + "skip-remote";

    /**
     * Reads the declared fields; unknown ones are ignored.
     *
     * @throws dev.slipway.phase.Failure INVALID {@code SpecInvalid} with the field, if a value cannot be read
     */
    public static WorkItem of(KubeObject object) {
        return new WorkItem(object, SpecReader.read(object, "spec", WorkItemSpec.class));
    }

    /** How flows name it. */
    public static ClusterRef refOf(KubeObject object) {
        return new ClusterRef(object.namespace(), object.name(), object.uid());
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

    public boolean deleting() {
        return object.deleting();
    }

    /** Whether Slipway's finalizer is on the object. */
    public boolean finalizerSet() {
        return object.finalizers().contains(FINALIZER);
    }

    public ClusterRef ref() {
        return refOf(object);
    }

    /** The name of the cluster on which it is installed. */
    public String cluster() {
        return spec.clusterRef().name();
    }

    /** What people call it: {@code WorkItem <namespace>/<name>}. */
    public String display() {
        return "WorkItem " + namespace() + "/" + name();
    }
}
