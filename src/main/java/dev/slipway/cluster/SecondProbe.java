package dev.slipway.cluster;

import dev.slipway.phase.PhaseContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Asks for a second good answer some seconds after the first, without state of its own.
 *
 * <p>What the phase last reported is its memory: the kernel keeps it, survives restarts with it, and people see it.
 */
public final class SecondProbe {

    /** What a phase reports after a first good answer. */
    public static final String REASON = "WaitingForSecondProbe";

    private static final Duration GAP = Duration.ofSeconds(5);
    /** The kernel's jitter may take a fifth off the gap that was asked for. */
    private static final Duration LEAST = Duration.ofSeconds(4);

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private SecondProbe() {}

    /**
     * Decides after a good answer in this run.
     *
     * @return how long to wait for another one; empty if this was the second
     */
    public static Optional<Duration> of(PhaseContext context) {
        boolean second =
                context.fact(PhaseContext.LAST_REASON).map(REASON::equals).orElse(false);
        if (!second) {
            return Optional.of(GAP);
        }
        // An event can wake the phase at once: two answers in the same moment are one. But a stream of events must not
        // keep it for ever.
        boolean patient = Duration.between(context.since(), context.now()).compareTo(PATIENCE) < 0;
        boolean apart = context.fact(PhaseContext.LAST_CHECK)
                .map(Instant::parse)
                .map(last -> Duration.between(last, context.now()).compareTo(LEAST) >= 0)
                .orElse(true);
        // This run is what the next one is measured from: so the whole gap again.
        return patient && !apart ? Optional.of(GAP) : Optional.empty();
    }
}
