package dev.slipway.kernel;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One run of a phase, from entering to leaving.
 *
 * @param phase the phase's name
 * @param title what operators read
 * @param elementId the diagram element
 * @param run its id
 * @param state how it stands, or was left
 * @param enteredAt when it was entered
 * @param leftAt when it was left; null while it waits
 * @param attempts how often the phase ran
 * @param failures how many of the last attempts failed in a row
 * @param reason the last reason
 * @param message the last observation
 * @param errorCode the code of the last failed call
 */
public record RunView(
        String phase,
        String title,
        String elementId,
        String run,
        PhaseState state,
        Instant enteredAt,
        @Nullable Instant leftAt,
        int attempts,
        int failures,
        @Nullable String reason,
        @Nullable String message,
        @Nullable String errorCode) {}
