package dev.slipway.delegates;

import dev.slipway.imports.ImportScenes;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.sentry.SentryToken;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the account {@code sentry} has a token that the workload cluster accepts and that may do what is needed.
 *
 * <ul>
 *   <li>a token that is void or near its end is replaced
 *   <li>the old one stays here: it goes in {@link EnsureSingleCredential}, once the credential holds the new one
 * </ul>
 */
@Component
public class EnsureSentryToken implements Phase {

    private final ImportScenes scenes;
    private final SentryToken tokens;

    public EnsureSentryToken(ImportScenes scenes, SentryToken tokens) {
        this.scenes = scenes;
        this.tokens = tokens;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return scenes.inWorkload(context, (target, workload) -> tokens.ensure(context, workload));
    }
}
