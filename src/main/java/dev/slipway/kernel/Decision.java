package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * What somebody decided about a flow, kept for good.
 *
 * @param id its own id
 * @param flowId the process instance
 * @param cluster whose flow it is
 * @param runId the run of the phase that it is about; null if no phase of the flow waited
 * @param phase the phase's name; null if no phase of the flow waited
 * @param wish what was chosen, with its parameters
 * @param by who decided
 * @param at when
 * @param state what became of it
 * @param result a sentence about that; null while it is open
 * @param appliedAt when it was applied or refused; null while it is open
 */
public record Decision(
        String id,
        String flowId,
        ClusterRef cluster,
        @Nullable String runId,
        @Nullable String phase,
        Wish wish,
        String by,
        Instant at,
        State state,
        @Nullable String result,
        @Nullable Instant appliedAt) {

    /** What became of a decision. */
    public enum State {
        /** Recorded; it is being applied. */
        OPEN,
        /** It holds. */
        APPLIED,
        /** A live check said no: nothing was changed. */
        REFUSED,
        /** The phase was left before it could be applied. */
        OVERTAKEN
    }

    /**
     * What somebody wants.
     *
     * @param choice what
     * @param from the phase to start anew, for {@link Choice#RETRY_FROM}; a name or an element id
     * @param duration until it counts as stuck, for {@link Choice#WAIT_MORE}; null means as drawn
     * @param reason why, for the record
     * @param override whether {@link Choice#MARK_DONE} goes on although the live check does not pass
     * @param argument what a choice is about that the phase itself carries out: {@link Choice#argument}
     */
    public record Wish(
            Choice choice,
            @Nullable String from,
            @Nullable Duration duration,
            @Nullable String reason,
            boolean override,
            @Nullable String argument) {

        /**
         * Reads a duration as people give it.
         *
         * @return null for none
         * @throws Decisions.Invalid if it is not ISO 8601
         */
        public static @Nullable Duration parseDuration(@Nullable String text) {
            try {
                return text == null || text.isBlank() ? null : Duration.parse(text.strip());
            } catch (DateTimeParseException e) {
                throw new Decisions.Invalid(
                        "duration", "\"" + text + "\" is no ISO 8601 duration", "Write it like PT30M or PT2H");
            }
        }

        /** A choice without parameters. */
        public static Wish of(Choice choice, @Nullable String reason) {
            return new Wish(choice, null, null, reason, false, null);
        }

        /** The same with an argument. */
        public Wish about(@Nullable String newArgument) {
            return new Wish(choice, from, duration, reason, override, newArgument);
        }
    }

    /** For people: who chose what, and when. */
    public String sentence() {
        return by + " decided " + wish.choice() + (wish.argument() == null ? "" : " (" + wish.argument() + ")") + " at "
                + at;
    }
}
