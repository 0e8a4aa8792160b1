package dev.slipway.delegates;

import dev.slipway.imports.ImportCredential;
import dev.slipway.imports.ImportScenes;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the platform has exactly one credential of the cluster, which the workload cluster accepts.
 *
 * <ul>
 *   <li>it holds the token of {@code sentry} and the CA that the workload cluster is verified with, proven by a call with
 *       just these
 *   <li>one that is there is adopted: see {@link dev.slipway.imports.SingleCredential} for which
 *   <li>others are deleted if the policy says so, nobody refers to them, and they are older than 10 minutes; else an operator
 *       decides. Each is written down first: see {@link dev.slipway.imports.CollectedCredentials}
 *   <li>never deleted: one that is in use, or any before the kept one was accepted
 *   <li>the fact {@code credential} is the name of the one
 * </ul>
 */
@Component
public class EnsureSingleCredential implements Phase {

    private final ImportScenes scenes;
    private final ImportCredential credential;

    public EnsureSingleCredential(ImportScenes scenes, ImportCredential credential) {
        this.scenes = scenes;
        this.credential = credential;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return scenes.run(context, credential::ensure);
    }
}
