package dev.slipway.deletion;

import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.deletion.DeletionSubject.Kind;
import dev.slipway.imports.ImportTarget;
import dev.slipway.imports.ImportTarget.Origin;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What an object says of its own deletion: in its spec, or for a Cluster that nobody declared, in annotations. */
@Component
public class DeletionRules {

    /** The annotation of a Cluster with the mode. */
    public static final String POLICY = WorkloadCluster.ANNOTATION_PREFIX + "deletion-policy";

    /** The annotation of a Cluster that keeps it, if its value is {@code true}. */
    public static final String PROTECTED = WorkloadCluster.ANNOTATION_PREFIX + "deletion-protected";

    /** The cluster that everything runs in. */
    private static final String MANAGEMENT_CLUSTER = "global";

    /** Whether it is the cluster that everything runs in, which is never deleted. */
    public static boolean isManagementCluster(ClusterRef cluster) {
        return cluster.name().equals(MANAGEMENT_CLUSTER);
    }

    /** Whether nothing may be deleted until somebody says otherwise. */
    public boolean isProtected(DeletionSubject subject) {
        return subject.object()
                .map(object -> subject.kind() == Kind.WORKLOAD_CLUSTER
                        ? object.at("spec", "deletion", "protected").asBoolean()
                        : "true".equals(object.annotations().get(PROTECTED)))
                .orElse(false);
    }

    /** How the protection is taken off. */
    public String unprotect(DeletionSubject subject) {
        return subject.kind() == Kind.WORKLOAD_CLUSTER
                ? "kubectl patch " + subject.kubectl()
                        + " --type merge -p '{\"spec\":{\"deletion\":{\"protected\":false}}}'"
                : "kubectl annotate " + subject.kubectl() + " " + PROTECTED + "-";
    }

    /** Whether a person wants to be asked before a pause ends. */
    public boolean asksWhenPaused(DeletionSubject subject) {
        return subject.declared()
                .flatMap(object -> object.text("spec", "deletion", "paused"))
                .filter("ask"::equals)
                .isPresent();
    }

    /** Whether only a plan is asked for, by the object itself. */
    public boolean dryRun(DeletionSubject subject) {
        return subject.declared()
                .map(object -> object.at("spec", "dryRun").asBoolean())
                .orElse(false);
    }

    /**
     * The mode: as asked for, else as the object says, else as it fits where the cluster comes from.
     *
     * @throws Failure INVALID {@code PolicyInvalid} if the object says something else
     */
    public DeletionMode mode(DeletionSubject subject, Optional<DeletionMode> asked) {
        DeletionMode wanted = asked.or(() -> policy(subject)).orElseGet(() -> byOrigin(subject));
        return machinesGo(subject) ? DeletionMode.FULL : wanted;
    }

    /** What a person should know of the mode. */
    public Optional<String> note(DeletionSubject subject, DeletionMode mode) {
        if (machinesGo(subject) && policy(subject).filter(said -> said != mode).isPresent()) {
            return Optional.of("the Cluster " + subject.ref().display()
                    + " itself is being deleted, so Cluster API takes its machines away whatever the policy says");
        }
        boolean foreign = subject.target()
                .filter(target -> target.origin() == Origin.THIRD_PARTY)
                .isPresent();
        return foreign && mode == DeletionMode.FULL
                ? Optional.of("others built the cluster: its Cluster goes, its machines stay")
                : Optional.empty();
    }

    /** Cluster API has been told already. */
    private static boolean machinesGo(DeletionSubject subject) {
        return subject.target()
                .filter(target -> target.deleting() && target.origin() == Origin.BUILT)
                .isPresent();
    }

    private static DeletionMode byOrigin(DeletionSubject subject) {
        boolean built = subject.kind() == Kind.WORKLOAD_CLUSTER
                || subject.target().map(ImportTarget::origin).orElse(Origin.BUILT) == Origin.BUILT;
        return built ? DeletionMode.FULL : DeletionMode.DETACH;
    }

    private static Optional<DeletionMode> policy(DeletionSubject subject) {
        Optional<String> said = subject.object().flatMap(object -> said(subject, object));
        Optional<DeletionMode> mode = said.flatMap(DeletionMode::named);
        if (said.isPresent() && mode.isEmpty()) {
            throw new Failure(
                    ErrorClass.INVALID,
                    "PolicyInvalid",
                    subject.display() + ": the deletion policy is '" + said.get() + "', not Full, Detach or Forget",
                    List.of("Correct it: the deletion then goes on by itself"),
                    null,
                    null);
        }
        return mode;
    }

    private static Optional<String> said(DeletionSubject subject, KubeObject object) {
        return subject.kind() == Kind.WORKLOAD_CLUSTER
                ? object.text("spec", "deletion", "policy")
                : Optional.ofNullable(object.annotations().get(POLICY)).filter(text -> !text.isEmpty());
    }
}
