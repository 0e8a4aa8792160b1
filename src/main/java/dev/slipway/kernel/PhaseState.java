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
    /** Left with its goal reached. */
    DONE,
    /** Left because the flow ended or an operator started it anew. */
    CANCELED
}
