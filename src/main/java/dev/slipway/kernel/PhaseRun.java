package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import java.time.Instant;
import java.util.List;
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
        @Nullable Instant leftAt,
        Progress progress) {

    /**
     * What the runs of a phase found so far.
     *
     * @param state how the phase stands
     * @param stuck whether it was escalated
     * @param attempt how often it ran
     * @param failures failures of the same class in a row
     * @param failureClass their class; null when the last run did not fail
     * @param unchanged how often in a row the observation stayed the same
     * @param reason what is awaited or wrong
     * @param message the last observation
     * @param errorCode the code of the last failed call
     * @param errorMessage the message of the last failed call
     * @param actions what a person can do
     * @param lastCheck when it last ran
     * @param nextCheck when it looks again; null if only a person can go on
     */
    record Progress(
            PhaseState state,
            boolean stuck,
            int attempt,
            int failures,
            @Nullable ErrorClass failureClass,
            int unchanged,
            @Nullable String reason,
            @Nullable String message,
            @Nullable String errorCode,
            @Nullable String errorMessage,
            List<String> actions,
            @Nullable Instant lastCheck,
            @Nullable Instant nextCheck) {

        static Progress entered() {
            return new Progress(
                    PhaseState.WAITING, false, 0, 0, null, 0, null, null, null, null, List.of(), null, null);
        }

        /** The same, known to be escalated; once that is so, it stays so until the run is left. */
        Progress escalated(boolean escalated) {
            return escalated && !stuck
                    ? new Progress(
                            state,
                            true,
                            attempt,
                            failures,
                            failureClass,
                            unchanged,
                            reason,
                            message,
                            errorCode,
                            errorMessage,
                            actions,
                            lastCheck,
                            nextCheck)
                    : this;
        }

        /** Whether watch events and clocks may run it: not once bad credentials blocked it. */
        boolean mayRunUnasked() {
            return state != PhaseState.BLOCKED || failureClass == null || failureClass.recheckedWhenBlocked();
        }
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
                leftAt,
                newer);
    }
}
