package dev.slipway.kernel;

/** How one phase of a flow stands. */
public enum PhaseState {
    /** Not reached yet. */
    PENDING,
    /** Waits for something outside, or for its first run. */
    WAITING,
    /** A call failed; it is tried again. */
    RETRYING,
    /** Needs a person or another fix. */
    BLOCKED,
    /** Held by an operator: nothing runs until somebody resumes it. */
    PAUSED,
    /** Left with its goal reached, or marked as done by an operator. */
    DONE,
    /** Left by an operator's decision without its goal. */
    SKIPPED,
    /** Left because the flow ended or an operator started it anew. */
    CANCELED
}
