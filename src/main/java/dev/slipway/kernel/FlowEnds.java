package dev.slipway.kernel;

import java.time.Clock;

/** Notes how flows end, in the engine's own transaction. */
final class FlowEnds {

    private final FlowStore flows;
    private final Clock clock;
    private final KernelEvents events;

    FlowEnds(FlowStore flows, Clock clock, KernelEvents events) {
        this.flows = flows;
        this.clock = clock;
        this.events = events;
    }

    /** A token reached an end event of the flow. */
    void ending(String instanceId, FlowState state, String result) {
        flows.result(instanceId, state, result);
    }

    /** The instance is over. */
    void ended(String instanceId) {
        flows.ended(instanceId, clock.instant());
        flows.find(instanceId).ifPresent(flow -> AfterCommit.run(() -> events.changed(flow.cluster())));
    }
}
