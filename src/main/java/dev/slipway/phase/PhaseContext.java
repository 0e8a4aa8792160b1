package dev.slipway.phase;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What a phase knows about its own run.
 *
 * @param cluster whose phase this is
 * @param flow the process definition key, for example {@code cluster-init}
 * @param flowId the process instance id
 * @param phase the phase's name, for example {@code EnsureCertificates}
 * @param attempt how often this phase has run since it was entered, starting at 1
 * @param since when the phase was entered
 * @param now the time of this run
 * @param timeLeft how long this run may take; each remote call has a shorter deadline of its own
 * @param facts what earlier phases recorded with {@link Outcome.Done#with}: ids and names only, never secrets; and what
 *     this phase reported last, see {@link #LAST_REASON}
 */
public record PhaseContext(
        ClusterRef cluster,
        String flow,
        String flowId,
        String phase,
        int attempt,
        Instant since,
        Instant now,
        Duration timeLeft,
        Map<String, String> facts) {

    /** The fact with the reason that the previous run of this phase reported; empty in the first run. */
    public static final String LAST_REASON = "lastReason";

    /** The fact with the time of the previous run of this phase, ISO 8601; absent in the first run. */
    public static final String LAST_CHECK = "lastCheck";

    /** Returns a fact that an earlier phase recorded. */
    public Optional<String> fact(String name) {
        return Optional.ofNullable(facts.get(name));
    }

    /** What an operator told this flow to do, with its argument, which may be empty; empty if nobody did. */
    public Optional<String> directive(Directive directive) {
        return fact(directive.fact());
    }
}
