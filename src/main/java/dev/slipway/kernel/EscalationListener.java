package dev.slipway.kernel;

/**
 * Hears when a phase needs an operator and when it no longer does.
 *
 * <p>Both methods are called inside of the transaction that makes it so: what a listener writes to the database is
 * committed together with it or not at all. A listener must not call anything else, and must not block.
 */
public interface EscalationListener {

    /** A phase is stuck or blocked: its operator's task is open. */
    void opened(Escalation escalation);

    /** It recovered, an operator decided, or the flow ended. */
    void closed(Escalation escalation);
}
