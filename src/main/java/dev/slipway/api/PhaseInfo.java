package dev.slipway.api;

import dev.slipway.kernel.Choice;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import dev.slipway.status.FlowReading;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One phase of a flow, in its latest run.
 *
 * @param name the phase's name
 * @param title what people read
 * @param elementId the element in the diagram
 * @param state how it stands
 * @param stuck whether an operator's task is open for it
 * @param attempt how often it ran since it was entered
 * @param since when it was entered
 * @param until when it was left
 * @param reason what is awaited or wrong
 * @param message the last observation
 * @param lastErrorCode the code of the last failed call
 * @param lastError the last failed call
 * @param lastCheck when it ran last
 * @param nextCheck when it looks again
 * @param stuckAt when it counts as stuck
 * @param actions what a person can do
 * @param run this run, to decide about it
 * @param cause why it is still here
 * @param choices what may be decided
 */
@Schema(name = "Phase", description = "One phase of a flow, in its latest run")
record PhaseInfo(
        @Schema(example = "EnsureControlPlaneInitialized") String name,
        @Schema(example = "Control plane initialized") String title,
        @Schema(example = "phase_controlPlaneInitialized") String elementId,
        @Schema(description = "PENDING, WAITING, RETRYING, BLOCKED, PAUSED, DONE, SKIPPED or CANCELED")
                PhaseState state,
        @Schema(description = "Whether its stuck timer fired or it is blocked: an operator's task is open")
                boolean stuck,
        @Schema(example = "12", description = "How often it ran since it was entered") int attempt,
        @Nullable Instant since,
        @Nullable Instant until,
        @Schema(example = "WaitingForControlPlane") @Nullable String reason,
        @Schema(example = "Machine c1-cp-0 has no nodeRef") @Nullable String message,
        @Schema(example = "ApiUnreachable") @Nullable String lastErrorCode,
        @Nullable String lastError,
        @Nullable Instant lastCheck,
        @Schema(description = "When it looks again; absent if only an operator can go on") @Nullable Instant nextCheck,
        @Nullable Instant stuckAt,
        @Schema(description = "What a person can do, in order") List<String> actions,
        @Schema(description = "This run, to decide about it; absent if it was not reached") @Nullable String run,
        @Schema(description = "Why it is still here, as far as is known; a conflict of two writers never covers it")
                @Nullable
                Cause cause,
        @Schema(description = "What may be decided about it now") List<Choice> choices) {

    /**
     * Why a phase is still here.
     *
     * @param code UpperCamel
     * @param message names the object
     */
    @Schema(name = "Cause")
    record Cause(@Schema(example = "CaExpired") String code, String message) {}

    /** The same without what each look changes. */
    PhaseInfo resting() {
        return new PhaseInfo(
                name,
                title,
                elementId,
                state,
                stuck,
                0,
                since,
                until,
                reason,
                message,
                lastErrorCode,
                lastError,
                null,
                null,
                stuckAt,
                actions,
                run,
                cause,
                choices);
    }

    static PhaseInfo of(PhaseView phase) {
        boolean here = phase.state() != PhaseState.PENDING;
        return new PhaseInfo(
                phase.name(),
                phase.title(),
                phase.elementId(),
                phase.state(),
                phase.stuck(),
                phase.attempt(),
                phase.since(),
                phase.until(),
                here ? FlowReading.reason(phase) : null,
                here ? FlowReading.message(phase) : null,
                phase.lastErrorCode(),
                phase.lastError(),
                phase.lastCheck(),
                phase.nextCheck(),
                phase.stuckAt(),
                phase.actions(),
                phase.run(),
                phase.cause() == null
                        ? null
                        : new Cause(phase.cause().code(), phase.cause().message()),
                phase.choices());
    }
}
