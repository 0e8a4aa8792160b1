package dev.slipway.api;

import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.Statistics;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How flows and phases fared.
 *
 * @param since from when on
 * @param flows how many stand how
 * @param phases how long each phase took
 * @param retries failed runs over time
 * @param bucket how long a bucket is
 */
@Schema(name = "Statistics", description = "How flows and phases fared; at most a quarter of a minute old")
record StatisticsInfo(
        Instant since,
        List<FlowCount> flows,
        @Schema(description = "In the order of the diagram, as first entered") List<PhaseCount> phases,
        @Schema(description = "Failed runs of phases, the oldest first; stored once a minute") List<RetryCount> retries,
        @Schema(example = "P1D", description = "How long a bucket of retries is: PT1H up to three days, else P1D")
                String bucket) {

    /**
     * How many flows stand so.
     *
     * @param result how they ended
     */
    @Schema(name = "FlowCount")
    record FlowCount(
            @Schema(example = "init") String kind,
            FlowState state,
            @Schema(example = "Ready", description = "Absent while they run") @Nullable String result,
            @Schema(example = "97") long count) {}

    /**
     * How a phase fared.
     *
     * @param p50 half of the runs took no longer
     */
    @Schema(name = "PhaseCount")
    record PhaseCount(
            @Schema(example = "init") String kind,
            @Schema(example = "EnsureCertificates") String phase,
            @Schema(example = "Certificates") String title,
            @Schema(example = "phase_certificates") String elementId,
            @Schema(description = "Runs that reached their goal; the durations are theirs") long count,
            @Schema(example = "12.4", description = "Half of them took no longer, in seconds; absent if there is none")
                    @Nullable
                    Double p50,
            @Schema(description = "Of twenty nineteen took no longer, in seconds") @Nullable Double p95,
            @Schema(description = "The longest, in seconds") @Nullable Double max,
            @Schema(description = "How often the phase ran, all its runs together") long attempts,
            @Schema(description = "How many of these failed") long failures,
            @Schema(description = "How often it needed an operator") long stuck,
            @Schema(description = "How many runs have not ended") long running) {}

    /**
     * Failures within a bucket.
     *
     * @param from when the bucket begins
     */
    @Schema(name = "RetryCount")
    record RetryCount(
            Instant from,
            @Schema(example = "EnsureControlPlaneReady") String phase,
            @Schema(example = "init") String kind,
            @Schema(example = "ApiUnreachable") String code,
            @Schema(example = "17") long count) {}

    static StatisticsInfo of(Statistics statistics) {
        return new StatisticsInfo(
                statistics.since(),
                statistics.flows().stream()
                        .map(flow -> new FlowCount(flow.kind(), flow.state(), flow.result(), flow.count()))
                        .toList(),
                statistics.phases().stream().map(StatisticsInfo::phase).toList(),
                statistics.retries().stream()
                        .map(retry ->
                                new RetryCount(retry.from(), retry.phase(), retry.kind(), retry.code(), retry.count()))
                        .toList(),
                statistics.bucket().toDays() > 0 ? "P1D" : statistics.bucket().toString());
    }

    private static PhaseCount phase(Statistics.PhaseCount phase) {
        return new PhaseCount(
                phase.kind(),
                phase.phase(),
                phase.title(),
                phase.elementId(),
                phase.count(),
                phase.p50(),
                phase.p95(),
                phase.max(),
                phase.attempts(),
                phase.failures(),
                phase.stuck(),
                phase.running());
    }
}
