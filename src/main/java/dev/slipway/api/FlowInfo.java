package dev.slipway.api;

import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import dev.slipway.status.FlowReading;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One flow of a cluster.
 *
 * @param id the process instance
 * @param kind the flow
 * @param namespace the cluster's namespace
 * @param cluster the cluster's name
 * @param state how it stands
 * @param result why it ended
 * @param startedBy who started it
 * @param startedAt when
 * @param endedAt when it ended
 * @param incident why nothing drives it
 * @param parent the flow that called this one
 * @param stuck whether one of its phases is stuck
 * @param done how many phases are done
 * @param of how many phases there are
 * @param phases in a list of clusters the current ones, the worst first; else all of them in order
 */
@Schema(name = "Flow", description = "One flow of a cluster: a process instance of its diagram")
record FlowInfo(
        @Schema(example = "f4e1c1d2-0c1e-11f1-9c3a-0242ac120002") String id,
        @Schema(example = "init") String kind,
        @Schema(example = "demo") String namespace,
        @Schema(example = "c1") String cluster,
        @Schema(description = "RUNNING, COMPLETED, INTERRUPTED or ABORTED") FlowState state,
        @Schema(example = "Ready", description = "Why it ended; absent while it runs") @Nullable String result,
        @Schema(example = "slipway", description = "A user, or slipway for a resource event") String startedBy,
        Instant startedAt,
        @Nullable Instant endedAt,
        @Schema(description = "What is wrong if it runs though nothing drives it") @Nullable String incident,
        @Schema(description = "The flow that called this one; absent if it stands alone") @Nullable String parent,
        boolean stuck,
        @Schema(example = "5", description = "How many phases are done") int done,
        @Schema(example = "11", description = "How many phases there are") int of,
        @Schema(description = "In a list the current phases, the worst first; else all phases in order")
                List<PhaseInfo> phases) {

    /**
     * A page of flows.
     *
     * @param items the latest first
     * @param total how many match
     * @param offset how many were left out
     * @param limit how many at most
     */
    @Schema(name = "Flows")
    record Page(
            @Schema(description = "The latest first, with their current phases") List<FlowInfo> items,
            @Schema(example = "1", description = "How many match; 10000 means so many or more") long total,
            @Schema(example = "0") int offset,
            @Schema(example = "100") int limit) {}

    /** With the phases where its tokens stand. */
    static FlowInfo summary(FlowView flow) {
        return of(flow, FlowReading::currentPhases);
    }

    /** The same without what each look of a phase changes. */
    FlowInfo resting() {
        return new FlowInfo(
                id,
                kind,
                namespace,
                cluster,
                state,
                result,
                startedBy,
                startedAt,
                endedAt,
                incident,
                parent,
                stuck,
                done,
                of,
                phases.stream().map(PhaseInfo::resting).toList());
    }

    /** With all phases of the diagram. */
    static FlowInfo full(FlowView flow) {
        return of(flow, FlowView::phases);
    }

    private static FlowInfo of(FlowView flow, Function<FlowView, List<PhaseView>> phases) {
        List<PhaseView> all = flow.phases();
        return new FlowInfo(
                flow.id(),
                flow.kind(),
                flow.cluster().namespace(),
                flow.cluster().name(),
                flow.state(),
                flow.result(),
                flow.startedBy(),
                flow.startedAt(),
                flow.endedAt(),
                flow.incident(),
                flow.parent(),
                FlowReading.currentPhases(flow).stream().anyMatch(PhaseView::stuck),
                (int) all.stream().filter(p -> p.state() == PhaseState.DONE).count(),
                all.size(),
                phases.apply(flow).stream().map(PhaseInfo::of).toList());
    }
}
