package dev.slipway.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How flows and phases fared.
 *
 * @param since from when on
 * @param flows how many ended how
 * @param phases how long each phase took, and how often it failed
 * @param retries failed runs over time
 * @param bucket how long a bucket of {@code retries} is
 */
public record Statistics(
        Instant since, List<FlowCount> flows, List<PhaseCount> phases, List<RetryCount> retries, Duration bucket) {

    /**
     * How many flows of a kind stand so.
     *
     * @param kind the flow
     * @param state how it stands
     * @param result how it ended; null while it runs
     * @param count how many
     */
    public record FlowCount(String kind, FlowState state, @Nullable String result, long count) {}

    /**
     * How a phase fared. The durations are those of runs that reached their goal.
     *
     * @param kind the flow
     * @param phase the phase's name
     * @param title what operators read
     * @param elementId the diagram element
     * @param count how many runs reached their goal
     * @param p50 half of them took no longer, in seconds; null if there is none
     * @param p95 of twenty of them nineteen took no longer
     * @param max how long the longest took
     * @param attempts how often the phase ran, all runs together
     * @param failures how many of these failed
     * @param stuck how often it needed an operator
     * @param running how many runs have not ended
     */
    public record PhaseCount(
            String kind,
            String phase,
            String title,
            String elementId,
            long count,
            @Nullable Double p50,
            @Nullable Double p95,
            @Nullable Double max,
            long attempts,
            long failures,
            long stuck,
            long running) {}

    /**
     * How often a phase failed within a bucket.
     *
     * @param from when the bucket begins
     * @param phase the phase's name
     * @param kind the flow
     * @param code the failure's code
     * @param count how often
     */
    public record RetryCount(Instant from, String phase, String kind, String code, long count) {}
}
