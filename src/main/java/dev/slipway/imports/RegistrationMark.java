package dev.slipway.imports;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import java.util.Optional;

/** The ConfigMap with which a platform marks a workload cluster as its own, so that no other imports it. */
public final class RegistrationMark {

    private static final String NAMESPACE = "kube-system";
    private static final String NAME = "tke";

    /** What people call it. */
    public static final String DISPLAY = "ConfigMap " + NAMESPACE + "/" + NAME + " of the workload cluster";

    private RegistrationMark() {}

    /**
     * Makes sure that no mark stands in the way of a first import.
     *
     * @param workload the cluster, which no known registration has
     * @param takeOver whether an operator decided that the mark may go
     * @return empty if there is none, or none any more; else what the phase answers
     */
    public static Optional<Outcome> clear(Workload workload, boolean takeOver) {
        Optional<KubeObject> mark = read(workload);
        if (mark.isEmpty()) {
            return Optional.empty();
        }
        if (!takeOver) {
            return Optional.of(Outcome.blocked(
                    ErrorClass.IDENTITY,
                    "AlreadyMarked",
                    "The workload cluster at " + workload.server() + " has the mark of a registration (ConfigMap "
                            + NAMESPACE + "/" + NAME + ", made "
                            + mark.get().created().map(Object::toString).orElse("at an unknown time")
                            + "), but no Cluster here is known to be it",
                    "Find out whether another platform has imported it: then detach it there",
                    "If the mark was left behind by a registration that is gone: decide TAKE_OVER_MARK"));
        }
        workload.writer()
                .delete(ResourceType.CONFIG_MAPS, NAMESPACE, NAME, mark.get().uid());
        return read(workload)
                .map(left -> Outcome.waiting(
                        "WaitingForMark",
                        "the ConfigMap " + NAMESPACE + "/" + NAME + " of the workload cluster was deleted and is still"
                                + " there; its finalizers are " + left.finalizers()));
    }

    /** Deletes it; empty if it is not there any more. */
    public static Optional<KubeObject> remove(Workload workload) {
        read(workload).filter(mark -> !mark.deleting()).ifPresent(mark -> workload.writer()
                .delete(ResourceType.CONFIG_MAPS, NAMESPACE, NAME, mark.uid()));
        return read(workload);
    }

    /** The mark as it is now, live. */
    public static Optional<KubeObject> read(Workload workload) {
        return workload.reader().get(ResourceType.CONFIG_MAPS, NAMESPACE, NAME);
    }
}
