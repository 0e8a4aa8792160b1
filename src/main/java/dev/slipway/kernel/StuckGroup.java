package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import java.util.List;

/**
 * Flows that are stuck in the same phase for the same reason.
 *
 * @param kind the flow, for example {@code init}
 * @param phase the phase's name
 * @param reason the cause, UpperCamel
 * @param message the cause in words, of the one that has been stuck longest
 * @param oldest when the first of them was escalated
 * @param stuck the stuck phases, the oldest first
 */
public record StuckGroup(String kind, String phase, String reason, String message, Instant oldest, List<Member> stuck) {

    public StuckGroup {
        stuck = List.copyOf(stuck);
    }

    /**
     * One stuck phase.
     *
     * @param runId the run to decide about
     * @param flowId the process instance
     * @param escalatedAt when it was escalated
     */
    public record Member(ClusterRef cluster, String runId, String flowId, Instant escalatedAt) {}
}
