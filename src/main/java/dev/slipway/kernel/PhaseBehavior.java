package dev.slipway.kernel;

import java.util.function.Supplier;
import org.camunda.bpm.engine.delegate.BpmnError;
import org.camunda.bpm.engine.impl.bpmn.behavior.AbstractBpmnActivityBehavior;
import org.camunda.bpm.engine.impl.persistence.entity.ExecutionEntity;
import org.camunda.bpm.engine.impl.pvm.delegate.ActivityExecution;
import org.jspecify.annotations.Nullable;

/** A phase's task: records the wait and stays; leaves when the kernel signals that the phase is done. */
final class PhaseBehavior extends AbstractBpmnActivityBehavior {

    /** The signal that ends the flow. */
    static final String ABORT = "abort";

    static final String ABORTED = "aborted";

    private final Supplier<PhaseTokens> tokens;

    PhaseBehavior(Supplier<PhaseTokens> tokens) {
        this.tokens = tokens;
    }

    @Override
    public void execute(ActivityExecution execution) {
        tokens.get().enter((ExecutionEntity) execution);
    }

    @Override
    public void signal(ActivityExecution execution, @Nullable String signal, @Nullable Object data) throws Exception {
        if (ABORT.equals(signal)) {
            executeWithErrorPropagation(execution, () -> {
                throw new BpmnError(ABORTED, "An operator ended the flow");
            });
        } else {
            leave(execution);
        }
    }
}
