package dev.slipway.delegates;

import dev.slipway.imports.ImportScenes;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.sentry.WorkloadNamespace;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the account's namespace is active in the workload cluster.
 *
 * <ul>
 *   <li>one that is there is adopted, an absent one is created
 *   <li>one that is being deleted is waited for, with what holds it
 *   <li>the fact {@code createdByUs} tells the delete flow whether the namespace is Slipway's
 * </ul>
 */
@Component
public class EnsureWorkloadNamespace implements Phase {

    private final ImportScenes scenes;
    private final WorkloadNamespace namespaces;

    public EnsureWorkloadNamespace(ImportScenes scenes, WorkloadNamespace namespaces) {
        this.scenes = scenes;
        this.namespaces = namespaces;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return scenes.inWorkload(context, (target, workload) -> namespaces.ensure(context, workload));
    }
}
