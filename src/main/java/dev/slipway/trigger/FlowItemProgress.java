package dev.slipway.trigger;

import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseView;
import dev.slipway.phase.ClusterRef;
import dev.slipway.status.FlowReading;
import dev.slipway.workitem.ItemProgress;
import dev.slipway.workitem.WorkItem;
import java.util.Optional;
import java.util.function.Supplier;

/** How far work items are, by their flows. */
final class FlowItemProgress implements ItemProgress {

    private static final String INSTALLED = "Installed";
    private static final String PLANNED = "Planned";

    private final Supplier<Flows> flows;

    /** @param flows asked late: the kernel itself is given phases that ask this */
    FlowItemProgress(Supplier<Flows> flows) {
        this.flows = flows;
    }

    /** What makes the installation of a generation start once for ever. */
    static String triggerKey(ClusterRef item, long generation) {
        return item.uid() + "/install/" + generation;
    }

    @Override
    public Progress of(WorkItem item) {
        if (item.deleting()) {
            return new Progress(Stage.DELETING, "it is being deleted");
        }
        Optional<FlowView> latest = flows.get().latest(item.uid()).stream()
                .filter(flow -> flow.kind().equals(Flows.ITEM_INSTALL))
                .findFirst();
        return latest.map(flow -> of(item, flow))
                .orElseGet(() -> new Progress(Stage.PENDING, "its installation has not begun yet"));
    }

    private Progress of(WorkItem item, FlowView flow) {
        return switch (flow.state()) {
            case RUNNING -> running(flow);
            case ABORTED, INTERRUPTED ->
                new Progress(Stage.FAILED, "its installation ended early: start it again, or change the work item");
            case COMPLETED -> completed(item, flow);
        };
    }

    private static Progress running(FlowView flow) {
        Optional<PhaseView> phase = FlowReading.currentPhases(flow).stream().findFirst();
        boolean stuck =
                flow.incident() != null || phase.filter(PhaseView::stuck).isPresent();
        String message = phase.map(view -> view.title() + ": " + FlowReading.message(view))
                .orElse("it is being installed");
        return new Progress(stuck ? Stage.STUCK : Stage.INSTALLING, message);
    }

    private Progress completed(WorkItem item, FlowView flow) {
        long generation = item.object().generation();
        // One flow at a time, and each reads the spec live: the latest one began when this generation was there.
        if (!flows.get().hasFired(triggerKey(item.ref(), generation))) {
            return new Progress(Stage.PENDING, "its last change has not been taken up yet");
        }
        if (INSTALLED.equals(flow.result())) {
            return new Progress(Stage.INSTALLED, "it is installed");
        }
        return PLANNED.equals(flow.result())
                ? new Progress(Stage.PLANNED, "spec.dryRun is true: only a plan was made")
                : new Progress(Stage.FAILED, "its installation ended as " + flow.result());
    }
}
