package dev.slipway.kernel;

import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What happened: flows, runs of phases, escalations, and how long and how often. For views, never for decisions. */
public interface FlowHistory {

    /** Flows, the latest first, with their phases. */
    Sliced<FlowView> flows(FlowQuestion question, Slice slice);

    /** All runs of phases of a flow, the oldest first; empty if there is no such flow. */
    Optional<List<RunView>> runs(String flowId);

    /** Times that phases needed an operator, the latest first. */
    Sliced<Escalation> escalations(EscalationQuestion question, Slice slice);

    /** How flows and phases fared since then; of one kind of flow, or of all. */
    Statistics statistics(Instant since, @Nullable String kind);

    /**
     * Which flows are wanted; null stands for any.
     *
     * @param kind of the flow
     * @param state how it stands
     * @param namespace of the cluster or work item
     * @param name of the cluster or work item
     * @param since started then or later
     */
    record FlowQuestion(
            @Nullable String kind,
            @Nullable FlowState state,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable Instant since) {}

    /**
     * Which escalations are wanted; null stands for any.
     *
     * @param open whether it is open still
     * @param namespace of the cluster or work item
     * @param name of the cluster or work item
     * @param phase the phase's name
     * @param since opened then or later
     */
    record EscalationQuestion(
            @Nullable Boolean open,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String phase,
            @Nullable Instant since) {}
}
