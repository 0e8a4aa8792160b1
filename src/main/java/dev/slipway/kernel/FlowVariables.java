package dev.slipway.kernel;

/** The process variables that the kernel itself sets; phases add facts of their own. */
final class FlowVariables {

    static final String NAMESPACE = "namespace";
    static final String NAME = "name";
    static final String UID = "uid";
    /** Local to one escalation: the run of the phase that it is about. */
    static final String STUCK_RUN = "stuckRun";
    /** Local to one escalation: the phase's name. */
    static final String STUCK_PHASE = "stuckPhase";

    private FlowVariables() {}
}
