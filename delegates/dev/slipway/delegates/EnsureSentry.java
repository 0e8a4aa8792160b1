package dev.slipway.delegates;

import dev.slipway.imports.ImportScenes;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.sentry.SentryAccount;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the account {@code sentry} is there in the workload cluster and has its rights.
 *
 * <ul>
 *   <li>the ServiceAccount is created or adopted as it is, and never written again
 *   <li>the ClusterRole and its binding are as configured; what others made is only looked at
 * </ul>
 */
@Component
public class EnsureSentry implements Phase {

    private final ImportScenes scenes;
    private final SentryAccount accounts;

    public EnsureSentry(ImportScenes scenes, SentryAccount accounts) {
        this.scenes = scenes;
        this.accounts = accounts;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return scenes.inWorkload(context, (target, workload) -> accounts.ensure(context, workload));
    }
}
