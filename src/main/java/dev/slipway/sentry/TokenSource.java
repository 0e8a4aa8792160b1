package dev.slipway.sentry;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.WorkloadClusters.Access;
import dev.slipway.kubernetes.WorkloadClusters.Bearer;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where the account's token comes from. */
interface TokenSource {

    /** Proves the token that is there, or takes a step towards another one. */
    Found look(Scene scene);

    /**
     * What a look needs.
     *
     * @param context the run
     * @param workload the workload cluster
     * @param account the ServiceAccount as just read
     */
    record Scene(PhaseContext context, Workload workload, KubeObject account) {

        /** Asks the server about a token; empty unless it is accepted as the account's. */
        Optional<Bearer> review(Token token, SentrySettings settings) {
            return workload.review(token, settings.needed())
                    .filter(bearer -> bearer.user().equals(settings.user()));
        }
    }

    /** What a look found. */
    sealed interface Found {}

    /**
     * A token that the server accepts as the account's.
     *
     * @param token the token
     * @param secret the name of the Secret that holds it
     * @param expires the end of its life; empty for none
     * @param denied what it may not do though it must
     */
    record Proven(Token token, String secret, Optional<Instant> expires, List<Access> denied) implements Found {}

    /**
     * There is none yet.
     *
     * @param outcome what to wait for or to ask a person for
     */
    record Missing(Outcome outcome) implements Found {}
}
