package dev.slipway.kernel;

import java.util.Optional;

/** The diagrams that flows run, as they are deployed. */
public interface Diagrams {

    /**
     * The BPMN XML of the very version of the diagram that a flow runs or ran.
     *
     * @param flowId the process instance
     * @return empty if there is no such flow, or its diagram was deleted since
     */
    Optional<String> ofFlow(String flowId);
}
