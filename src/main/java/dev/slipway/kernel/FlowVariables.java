package dev.slipway.kernel;

import java.util.HashMap;
import java.util.Map;

/** The process variables that the kernel itself sets; phases add facts of their own. */
final class FlowVariables {

    static final String NAMESPACE = "namespace";
    static final String NAME = "name";
    static final String UID = "uid";
    /** Local to one escalation: the run of the phase that it is about. */
    static final String STUCK_RUN = "stuckRun";
    /** Local to one escalation: the phase's name. */
    static final String STUCK_PHASE = "stuckPhase";

    /** Local to one escalation: what became of an earlier decision. */
    static final String STUCK_NOTE = "stuckNote";

    private FlowVariables() {}

    /** The facts among a flow's variables: all that are text. */
    static Map<String, String> facts(Map<String, Object> variables) {
        Map<String, String> facts = new HashMap<>();
        variables.forEach((name, value) -> {
            if (value instanceof String text) {
                facts.put(name, text);
            }
        });
        return facts;
    }
}
