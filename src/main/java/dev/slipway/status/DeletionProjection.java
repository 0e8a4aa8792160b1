package dev.slipway.status;

import static dev.slipway.status.Condition.no;
import static dev.slipway.status.Condition.yes;

import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the deletion flow says about a cluster: that it runs is what counts, whatever the object says. */
final class DeletionProjection {

    private static final String ABORTED = "Aborted";
    private static final String RESULT_PLANNED = "Planned";

    private DeletionProjection() {}

    /** Whether a deletion runs. */
    static boolean runs(List<FlowView> flows) {
        return running(flows).isPresent();
    }

    private static Optional<FlowView> running(List<FlowView> flows) {
        return last(flows).filter(flow -> flow.state() == FlowState.RUNNING);
    }

    private static Optional<FlowView> last(List<FlowView> flows) {
        return Optional.ofNullable(FlowReading.latest(flows, Flows.DELETE));
    }

    /** The deletion after which nothing was begun anew, if it came to its end; a dry run is none. */
    static Optional<FlowView> completed(List<FlowView> flows) {
        return last(flows)
                .filter(flow -> flow.state() == FlowState.COMPLETED && !RESULT_PLANNED.equals(flow.result()))
                .filter(flow -> FlowReading.leading(flows).filter(flow::equals).isPresent());
    }

    /** What became of the import of a cluster that is being deleted. */
    static Condition imported() {
        return no(ConditionType.IMPORTED, "Deleting", "The deletion takes it off the platform");
    }

    /** That a person must act, if nothing else will end the deletion. */
    static Optional<Condition> needsSomebody(Condition deletion) {
        return deletion.reason().equals(ABORTED)
                ? Optional.of(yes(ConditionType.MANUAL_INTERVENTION_REQUIRED, ABORTED, deletion.message()))
                : Optional.empty();
    }

    /**
     * What the deletion waits for, since when, and what a person can do.
     *
     * @param finalizers those of the object
     */
    static Condition condition(List<FlowView> flows, List<String> finalizers) {
        Optional<FlowView> running = running(flows);
        if (running.isPresent()) {
            return running(running.get(), flows);
        }
        List<String> building = flows.stream()
                .filter(flow -> flow.state() == FlowState.RUNNING)
                .map(FlowView::kind)
                .toList();
        if (!building.isEmpty()) {
            return says("WaitingForFlows", "Waiting for the running flows to end: " + String.join(", ", building));
        }
        if (!finalizers.contains(WorkloadCluster.FINALIZER)) {
            return says("WaitingForOthers", "Slipway has released the object" + keepers(finalizers));
        }
        return last(flows)
                .filter(flow -> flow.state() == FlowState.ABORTED)
                .map(DeletionProjection::aborted)
                .orElseGet(() -> says("NotStarted", "The deletion flow has not started yet"));
    }

    private static String keepers(List<String> finalizers) {
        return finalizers.isEmpty()
                ? ""
                : "; kept by the finalizer" + (finalizers.size() == 1 ? " " : "s ")
                        + finalizers.stream().sorted().collect(Collectors.joining(", "))
                        + ". What can be done: 1. Ask its owner what it waits for";
    }

    private static Condition aborted(FlowView flow) {
        return says(
                ABORTED,
                "An operator ended the deletion; what it has not deleted is still there. What can be done: 1. Start it"
                        + " again: POST /api/v1/clusters/" + flow.cluster().display() + "/flows {\"flow\": \"delete\","
                        + " \"confirm\": \"" + flow.cluster().name() + "\"}");
    }

    private static Condition running(FlowView deletion, List<FlowView> flows) {
        if (deletion.incident() != null) {
            return says("NoDriver", deletion.incident());
        }
        return FlowReading.currentPhases(deletion).stream()
                .findFirst()
                .map(phase -> says(FlowReading.reason(phase), message(phase, flows)))
                .orElseGet(() -> says("Deleting", "The deletion is between two phases"));
    }

    private static String message(PhaseView phase, List<FlowView> flows) {
        if (phase.stuck() || phase.state() == PhaseState.BLOCKED) {
            return Projections.trouble(phase, flows);
        }
        String sentence = FlowReading.sentence(phase);
        return phase.since() == null
                ? sentence
                : sentence + ". In this phase since " + phase.since().truncatedTo(ChronoUnit.SECONDS);
    }

    private static Condition says(String reason, String message) {
        return yes(ConditionType.DELETING, reason, message);
    }
}
