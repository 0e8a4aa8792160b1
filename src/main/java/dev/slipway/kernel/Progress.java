package dev.slipway.kernel;

import dev.slipway.phase.ErrorClass;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the runs of a phase found so far.
 *
 * @param state how the phase stands
 * @param stuck whether it was escalated
 * @param counters how often what happened
 * @param reason what is awaited or wrong now
 * @param message the last observation
 * @param error the last failed call; null if none
 * @param cause the last observation or failure that explains why the phase is still here: a conflict of two writers
 *     never covers it
 * @param actions what a person can do
 * @param lastCheck when it last ran
 * @param nextCheck when it looks again; null if only a person can go on
 */
record Progress(
        PhaseState state,
        boolean stuck,
        Counters counters,
        @Nullable String reason,
        @Nullable String message,
        @Nullable Note error,
        @Nullable Note cause,
        List<String> actions,
        @Nullable Instant lastCheck,
        @Nullable Instant nextCheck) {

    /**
     * A code with its sentence.
     *
     * @param code UpperCamel
     * @param message names the object
     */
    record Note(String code, String message) {

        @Override
        public String toString() {
            return code + ": " + message;
        }
    }

    /**
     * How often what happened.
     *
     * @param attempt runs since the phase was entered
     * @param unchanged how often in a row the observation stayed the same
     * @param failures failures in a row that count alike
     * @param failureClass the last one's class; null when the last run did not fail
     * @param strikes failures of a class that escalates by count; what passes by itself in between does not clear them
     * @param strikeClass their class; null when there are none
     */
    record Counters(
            int attempt,
            int unchanged,
            int failures,
            @Nullable ErrorClass failureClass,
            int strikes,
            @Nullable ErrorClass strikeClass) {

        static final Counters NONE = new Counters(0, 0, 0, null, 0, null);
    }

    static Progress entered() {
        return new Progress(PhaseState.WAITING, false, Counters.NONE, null, null, null, null, List.of(), null, null);
    }

    int attempt() {
        return counters.attempt();
    }

    /** The same, known to be escalated; once that is so, it stays so until the run is left. */
    Progress escalated(boolean escalated) {
        return escalated && !stuck
                ? new Progress(state, true, counters, reason, message, error, cause, actions, lastCheck, nextCheck)
                : this;
    }

    /** The same, with a failure that the phase itself knows nothing of. */
    Progress failed(Note failure) {
        return new Progress(
                PhaseState.RETRYING,
                stuck,
                counters,
                failure.code(),
                failure.message(),
                failure,
                failure,
                actions,
                lastCheck,
                nextCheck);
    }

    /** Held by an operator: nothing runs until somebody resumes it. */
    Progress paused(String why) {
        return new Progress(
                PhaseState.PAUSED,
                false,
                counters,
                "PausedByOperator",
                why,
                error,
                cause,
                List.of("Decide RESUME to go on"),
                lastCheck,
                null);
    }

    /** Whether watch events and clocks may run it: not while it is paused, nor once bad credentials blocked it. */
    boolean mayRunUnasked() {
        ErrorClass failed = counters.failureClass();
        return switch (state) {
            case PAUSED -> false;
            case BLOCKED -> failed == null || failed.recheckedWhenBlocked();
            default -> true;
        };
    }

    /** Why the phase is still here, for people: the cause, else what was seen last. */
    Note why() {
        if (cause != null) {
            return cause;
        }
        return reason == null || message == null
                ? new Note("NoOutcomeYet", "It has not had an outcome yet")
                : new Note(reason, message);
    }
}
