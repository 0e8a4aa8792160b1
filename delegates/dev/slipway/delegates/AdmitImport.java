package dev.slipway.delegates;

import dev.slipway.imports.ClusterMarks;
import dev.slipway.imports.ImportFacts;
import dev.slipway.imports.ImportMode;
import dev.slipway.imports.ImportTarget;
import dev.slipway.imports.ImportTargets;
import dev.slipway.imports.NameClaims;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformNames;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Decides what is to be done for a Cluster; writes nothing.
 *
 * <ul>
 *   <li>nothing: without a platform, with the annotation {@code slipway.dev/import: "false"} on the Cluster or its
 *       WorkloadCluster, or while it is being deleted
 *   <li>its name keeps the platform's rules, and no other namespace has it there
 *   <li>it refers to a control plane and an infrastructure, or to neither
 *   <li>a decision to begin anew is carried out once
 *   <li>the fact {@code importMode} tells the diagram which way to go
 * </ul>
 */
@Component
public class AdmitImport implements Phase {

    private final LiveReader reader;
    private final ImportTargets targets;
    private final PlatformApi platforms;
    private final NameClaims names;

    public AdmitImport(LiveReader reader, ImportTargets targets, PlatformApi platforms, NameClaims names) {
        this.reader = reader;
        this.targets = targets;
        this.platforms = platforms;
        this.names = names;
    }

    @Override
    public Outcome run(PhaseContext context) {
        ImportTarget target = targets.require(context);
        if (target.deleting()) {
            return mode(ImportMode.OFF, target.display() + " is being deleted: it is not imported");
        }
        if (ImportTarget.workloadClusterOf(target.cluster().object(), reader)
                .filter(KubeObject::deleting)
                .isPresent()) {
            return mode(
                    ImportMode.OFF,
                    "the WorkloadCluster of " + target.display() + " is being deleted: it is not imported");
        }
        if (refused(target.cluster().object())) {
            return mode(
                    ImportMode.OFF,
                    "the annotation " + ClusterMarks.OPT_OUT + " says that " + target.display() + " stays out");
        }
        Optional<Platform> platform = platforms.open();
        if (platform.isEmpty()) {
            return mode(ImportMode.OFF, "there is no platform to import " + target.display() + " into");
        }
        PlatformNames.require(target.name());
        if (target.origin() == ImportTarget.Origin.UNDECIDABLE) {
            return undecidable(target);
        }
        Optional<KubeObject> holder = names.holder(target, platform.get(), this::refused);
        if (holder.isPresent()) {
            return taken(target, holder.get());
        }
        Optional<String> decision = context.directive(Directive.RESET_IMPORT);
        if (decision.isPresent() && !decision.equals(context.fact(ImportFacts.RESET_DONE))) {
            return mode(ImportMode.RESET, "the import of " + target.display() + " begins anew, as an operator decided");
        }
        return mode(ImportMode.IMPORT, target.display() + " can be imported");
    }

    /** Whether a person said so, on the Cluster or on the WorkloadCluster that it was built for. */
    private boolean refused(KubeObject cluster) {
        return ClusterMarks.optedOut(cluster)
                || ImportTarget.workloadClusterOf(cluster, reader)
                        .map(ClusterMarks::optedOut)
                        .orElse(false);
    }

    private static Outcome mode(ImportMode mode, String message) {
        return Outcome.done(message).with(ImportMode.FACT, mode.value());
    }

    private static Outcome undecidable(ImportTarget target) {
        boolean controlPlane = target.cluster().controlPlaneRef().isPresent();
        String there = controlPlane ? "spec.controlPlaneRef" : "spec.infrastructureRef";
        String missing = controlPlane ? "spec.infrastructureRef" : "spec.controlPlaneRef";
        return Outcome.blocked(
                ErrorClass.INVALID,
                "OriginUndecidable",
                target.display() + " has " + there + " but no " + missing
                        + ": Cluster API builds a cluster with both, and knows one that others built with neither",
                "Set " + missing + " of " + target.display());
    }

    private static Outcome taken(ImportTarget target, KubeObject holder) {
        return Outcome.blocked(
                ErrorClass.IDENTITY,
                "NameTaken",
                "The platform knows clusters by name only, and '" + target.name() + "' is " + holder.namespace() + "/"
                        + holder.name() + ": " + target.display() + " cannot be imported",
                "Build " + target.display() + " under a name that no other namespace uses",
                "Or keep " + holder.namespace() + "/" + holder.name()
                        + " out: remove it from the platform, then set its" + " annotation " + ClusterMarks.OPT_OUT
                        + ": \"false\"");
    }
}
