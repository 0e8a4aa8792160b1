package dev.slipway.api;

import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.RunView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a phase.
 *
 * @param phase the phase's name
 * @param title what people read
 * @param elementId the element in the diagram
 * @param run its id
 * @param state how it stands, or was left
 * @param enteredAt when it was entered
 * @param leftAt when it was left
 * @param attempts how often the phase ran
 * @param failures how many of the last attempts failed in a row
 * @param reason the last reason
 * @param message the last observation
 * @param errorCode the code of the last failed call
 */
@Schema(name = "Run", description = "One run of a phase, from entering to leaving")
record RunInfo(
        @Schema(example = "EnsureCertificates") String phase,
        @Schema(example = "Certificates") String title,
        @Schema(example = "phase_certificates") String elementId,
        String run,
        PhaseState state,
        Instant enteredAt,
        @Schema(description = "Absent while it waits") @Nullable Instant leftAt,
        @Schema(example = "3") int attempts,
        @Schema(description = "How many of the last attempts failed in a row") int failures,
        @Nullable String reason,
        @Nullable String message,
        @Nullable String errorCode) {

    /**
     * All runs of a flow.
     *
     * @param items the oldest first
     */
    @Schema(name = "Runs")
    record Page(@Schema(description = "The oldest first") List<RunInfo> items) {}

    static RunInfo of(RunView run) {
        return new RunInfo(
                run.phase(),
                run.title(),
                run.elementId(),
                run.run(),
                run.state(),
                run.enteredAt(),
                run.leftAt(),
                run.attempts(),
                run.failures(),
                run.reason(),
                run.message(),
                run.errorCode());
    }
}
