package dev.slipway.kernel;

import java.util.function.Supplier;
import org.camunda.bpm.engine.delegate.BpmnError;
import org.camunda.bpm.engine.impl.bpmn.behavior.CallActivityBehavior;
import org.camunda.bpm.engine.impl.persistence.entity.ExecutionEntity;
import org.camunda.bpm.engine.impl.pvm.delegate.ActivityExecution;
import org.camunda.bpm.engine.variable.VariableMap;

/**
 * A flow that calls another one, about the same cluster: it begins with the caller's facts, and the caller goes on when it
 * ends.
 *
 * <p>If an operator aborts the called flow, the caller ends as aborted as well.
 */
final class FlowCallBehavior extends CallActivityBehavior {

    private final Supplier<FlowEnds> flows;

    FlowCallBehavior(CallActivityBehavior drawn, Supplier<FlowEnds> flows) {
        setCallableElement(drawn.getCallableElement());
        this.flows = flows;
    }

    @Override
    protected void startInstance(ActivityExecution execution, VariableMap variables, String businessKey) {
        FlowVariables.facts(execution.getVariables()).forEach((name, value) -> {
            if (!Returns.isFact(name)) {
                variables.put(name, value);
            }
        });
        super.startInstance(execution, variables, ((ExecutionEntity) execution).getProcessBusinessKey());
    }

    @Override
    public void completed(ActivityExecution execution) throws Exception {
        if (flows.get().calledWasAborted(execution.getProcessInstanceId())) {
            executeWithErrorPropagation(execution, () -> {
                throw new BpmnError(PhaseBehavior.ABORTED, "An operator ended the flow that this one called");
            });
        } else {
            super.completed(execution);
        }
    }
}
