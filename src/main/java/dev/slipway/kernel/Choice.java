package dev.slipway.kernel;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What an operator may decide about a phase. */
public enum Choice {
    /** Start the phase anew, with fresh timers and counters, so that it can get stuck again. */
    RETRY("Retry: start the phase anew"),
    /** Start an earlier phase anew and go on from there. */
    RETRY_FROM("Retry from an earlier phase"),
    /** Start the phase anew with a later stuck timer. */
    WAIT_MORE("Wait: ask again after a longer time"),
    /** Go on as done; a live check must pass, unless it is overridden with a reason. */
    MARK_DONE("Mark as done: go on if a live check passes"),
    /** Go on without the phase's goal. */
    SKIP("Skip: go on without it"),
    /** Stop looking until somebody resumes the phase. */
    PAUSE("Pause: stop looking until somebody resumes"),
    /** Start a paused phase anew. */
    RESUME("Resume a paused phase"),
    /** End the flow; nothing that exists is deleted. */
    ABORT("Abort: end the flow, delete nothing");

    /** The property of a phase in a diagram that lists the choices beyond those that every phase allows. */
    public static final String DIAGRAM_PROPERTY = "slipway:choices";

    private final String label;

    Choice(String label) {
        this.label = label;
    }

    /**
     * The choice of that name.
     *
     * @param field where the name stands, for the message
     * @throws Decisions.Invalid if there is none, or no name
     */
    public static Choice named(@Nullable String name, String field) {
        return Arrays.stream(values())
                .filter(choice -> choice.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new Decisions.Invalid(
                        field,
                        name == null ? "The field " + field + " is missing" : "There is no choice " + name,
                        "Use one of " + Arrays.toString(values())));
    }

    /** What people read. */
    public String label() {
        return label;
    }

    /** Whether a phase allows it only if its diagram says so, in {@link #DIAGRAM_PROPERTY}. */
    public boolean onlyWhereDrawn() {
        return this == MARK_DONE || this == SKIP;
    }

    /** Whether the phase itself must be looked at, live, before it may be applied. */
    boolean needsLook() {
        return this == MARK_DONE || this == SKIP;
    }

    /** Whether a reason must be given: these go on against what the phase says, or end the flow. */
    boolean needsReason() {
        return this == SKIP || this == ABORT;
    }
}
