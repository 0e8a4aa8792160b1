package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One run of a phase, from entering to leaving, as the database holds it.
 *
 * @param id the engine's activity instance id of the phase; stays the same through all requeues
 * @param flowId the process instance
 * @param flow the process definition key
 * @param definitionId the process definition, with its version
 * @param cluster whose flow it is
 * @param elementId the phase in the diagram
 * @param phase the phase's name
 * @param executionId the waiting token; another one after each requeue
 * @param scopeId the phase's own execution; stays the same
 * @param timerId the requeue timer's job
 * @param owner the node that runs it
 * @param stuckAt when the stuck timer is due
 * @param enteredAt when the phase was entered
 * @param escalatedAt when its operator's task was opened; null if it was not
 * @param leftAt when it was left; null while it waits
 * @param progress what its runs found so far
 */
record PhaseRun(
        String id,
        String flowId,
        String flow,
        String definitionId,
        ClusterRef cluster,
        String elementId,
        String phase,
        String executionId,
        String scopeId,
        @Nullable String timerId,
        String owner,
        @Nullable Instant stuckAt,
        Instant enteredAt,
        @Nullable Instant escalatedAt,
        @Nullable Instant leftAt,
        Progress progress) {

    /** The flow's kind, for example {@code init}. */
    String kind() {
        return FlowKinds.kindOf(flow);
    }

    PhaseRun with(Progress newer) {
        return new PhaseRun(
                id,
                flowId,
                flow,
                definitionId,
                cluster,
                elementId,
                phase,
                executionId,
                scopeId,
                timerId,
                owner,
                stuckAt,
                enteredAt,
                escalatedAt,
                leftAt,
                newer);
    }
}
