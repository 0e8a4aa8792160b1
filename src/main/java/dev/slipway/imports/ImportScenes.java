package dev.slipway.imports;

import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Opens what a phase of the import works on, or says what is awaited before it can. */
@Component
public class ImportScenes {

    private final ImportTargets targets;
    private final ImportAccess access;
    private final PlatformApi platforms;

    public ImportScenes(ImportTargets targets, ImportAccess access, PlatformApi platforms) {
        this.targets = targets;
        this.access = access;
        this.platforms = platforms;
    }

    /**
     * Runs a step that needs the workload cluster.
     *
     * @throws Failure as {@link ImportTargets#require} and {@link ImportAccess#open}
     */
    public Outcome inWorkload(PhaseContext context, BiFunction<ImportTarget, Workload, Outcome> step) {
        ImportTarget target = targets.require(context);
        if (target.deleting()) {
            return waitForDeletion(target);
        }
        return access.open(target)
                .map(workload -> step.apply(target, workload))
                .orElseGet(() -> access.waitForKubeconfig(target));
    }

    /**
     * Runs a step that needs the workload cluster and the platform.
     *
     * @throws Failure as {@link #inWorkload}; INVALID {@code PlatformAbsent} without a platform
     */
    public Outcome run(PhaseContext context, Function<ImportScene, Outcome> step) {
        return inWorkload(
                context,
                (target, workload) -> step.apply(new ImportScene(context, target, workload, requirePlatform(target))));
    }

    /**
     * The platform.
     *
     * @throws Failure INVALID {@code PlatformAbsent}: an import that has begun does not end without one
     */
    public Platform requirePlatform(ImportTarget target) {
        return platforms
                .open()
                .orElseThrow(() -> new Failure(
                        ErrorClass.INVALID,
                        "PlatformAbsent",
                        "The import of " + target.display() + " has begun, but the management cluster does not serve "
                                + PlatformApi.GROUP + ", or slipway.platform.api is off",
                        List.of(
                                "Install the platform's CRDs or API service",
                                "Or abort the import, if the cluster shall not be recorded in a platform"),
                        null,
                        null));
    }

    /** Nothing is made for what is about to go. */
    private static Outcome waitForDeletion(ImportTarget target) {
        return Outcome.waiting(
                "WaitingForDeletion", target.display() + " is being deleted: nothing is made for it any more");
    }
}
