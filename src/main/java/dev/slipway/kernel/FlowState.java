package dev.slipway.kernel;

/** How a flow stands. */
public enum FlowState {
    /** It has a token somewhere. */
    RUNNING,
    /** It reached its end. */
    COMPLETED,
    /** It ended early because deletion was requested. */
    INTERRUPTED,
    /** An operator ended it. */
    ABORTED
}
