package dev.slipway.kernel;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One phase of a flow as people see it.
 *
 * @param name the phase, for example {@code EnsureCertificates}
 * @param title what operators read, for example {@code Certificates}
 * @param elementId the diagram element, for example {@code phase_certificates}
 * @param state how it stands
 * @param stuck whether its stuck timer fired, or it is blocked: an operator's task is open
 * @param attempt how often it ran since it was entered; 0 before the first run
 * @param since when it was entered; null if pending
 * @param until when it was left; null unless done or canceled
 * @param reason what is awaited or wrong, UpperCamel; null before the first run
 * @param message the last observation
 * @param lastErrorCode the code of the last failed call in this phase; null if none
 * @param lastError the message of the last failed call; null if none
 * @param lastCheck when it last ran
 * @param nextCheck when it looks again; null if only an operator can go on
 * @param stuckAt when it counts as stuck; null if it never does
 * @param actions what a person can do
 * @param run the id of this run, to decide about it; null if pending
 * @param cause why it is still here, as far as is known; null unless it waits. A conflict of two writers never covers it
 * @param choices what an operator may decide now; empty unless it waits
 */
public record PhaseView(
        String name,
        String title,
        String elementId,
        PhaseState state,
        boolean stuck,
        int attempt,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable String reason,
        @Nullable String message,
        @Nullable String lastErrorCode,
        @Nullable String lastError,
        @Nullable Instant lastCheck,
        @Nullable Instant nextCheck,
        @Nullable Instant stuckAt,
        List<String> actions,
        @Nullable String run,
        @Nullable Cause cause,
        List<Choice> choices) {

    /**
     * Why a phase is still here.
     *
     * @param code UpperCamel
     * @param message names the object
     */
    public record Cause(String code, String message) {}
}
