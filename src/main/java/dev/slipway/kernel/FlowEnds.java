package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.time.Clock;
import org.camunda.bpm.engine.impl.persistence.entity.ExecutionEntity;

/** Notes how flows end, in the engine's own transaction. */
final class FlowEnds {

    private final FlowStore flows;
    private final Clock clock;
    private final KernelEvents events;
    private final KernelAudit audit;

    FlowEnds(FlowStore flows, Clock clock, KernelEvents events, KernelAudit audit) {
        this.flows = flows;
        this.clock = clock;
        this.events = events;
        this.audit = audit;
    }

    /** A flow was called by another one, in the engine's transaction. */
    void called(ExecutionEntity instance) {
        ExecutionEntity caller = instance.getSuperExecution();
        if (caller != null) {
            flows.insertCalled(
                    instance.getProcessInstanceId(),
                    FlowKinds.kindOf(instance.getProcessDefinition().getKey()),
                    PhaseTokens.clusterOf(instance),
                    caller.getProcessInstanceId(),
                    clock.instant());
        }
    }

    /** Whether the flow that this one called last was ended by an operator. */
    boolean calledWasAborted(String callerId) {
        return flows.lastCalled(callerId)
                .filter(flow -> flow.state() == FlowState.ABORTED)
                .isPresent();
    }

    /** A token reached an end event of the flow. */
    void ending(String instanceId, FlowState state, String result) {
        flows.result(instanceId, state, result);
    }

    /** The instance is over. */
    void ended(String instanceId) {
        boolean now = flows.ended(instanceId, clock.instant());
        flows.find(instanceId).ifPresent(flow -> {
            if (now) {
                audit.ended(flow);
            }
            changed(flow.cluster());
        });
    }

    /** Something about the flow changed that people can see. */
    void changed(ClusterRef cluster) {
        AfterCommit.run(() -> events.changed(cluster));
    }
}
