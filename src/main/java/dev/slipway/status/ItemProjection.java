package dev.slipway.status;

import static dev.slipway.status.Condition.no;
import static dev.slipway.status.Condition.yes;

import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules by which the flows of a work item become its status. */
final class ItemProjection {

    private static final Set<String> KINDS = Set.of(Flows.ITEM_INSTALL, Flows.ITEM_DELETE);
    private static final String RESULT_INSTALLED = "Installed";
    private static final String RESULT_PLANNED = "Planned";
    private static final String PLAN_PHASE = "EnsureItemPlanned";

    private ItemProjection() {}

    /** Whether these are the flows of a work item. */
    static boolean isAbout(List<FlowView> flows) {
        return flows.stream().anyMatch(flow -> KINDS.contains(flow.kind()));
    }

    /** Whether its removal runs. */
    static boolean removalRuns(List<FlowView> flows) {
        FlowView removal = FlowReading.latest(flows, Flows.ITEM_DELETE);
        return removal != null && removal.state() == FlowState.RUNNING;
    }

    /** Projects a work item; that its removal runs is what counts, whatever the object says. */
    static Projection of(List<FlowView> flows, boolean deleting) {
        FlowView removal = FlowReading.latest(flows, Flows.ITEM_DELETE);
        boolean removed = deleting || removalRuns(flows);
        FlowView install = FlowReading.latest(flows, Flows.ITEM_INSTALL);
        FlowView shown = removed && removal != null ? removal : install;
        ClusterPhase phase = removed ? ClusterPhase.DELETING : phase(install);
        List<Condition> conditions = new ArrayList<>();
        conditions.add(holds(ConditionType.READY, phase, shown));
        conditions.add(holds(ConditionType.INSTALLED, phase, shown));
        conditions.add(Projections.stuck(flows));
        conditions.add(Projections.manualIntervention(flows));
        if (phase == ClusterPhase.PLANNED && install != null) {
            conditions.add(yes(ConditionType.PLANNED, "DryRun", plan(install)));
        }
        if (removed) {
            conditions.add(deletion(removal));
        }
        PhaseView current = shown == null ? null : FlowReading.telling(shown).orElse(null);
        return new Projection(phase, conditions, shown, current);
    }

    private static ClusterPhase phase(@Nullable FlowView install) {
        if (install == null) {
            return ClusterPhase.PENDING;
        }
        return switch (install.state()) {
            case RUNNING -> Projections.runningPhase(install, ClusterPhase.INSTALLING);
            case COMPLETED ->
                RESULT_INSTALLED.equals(install.result())
                        ? ClusterPhase.INSTALLED
                        : RESULT_PLANNED.equals(install.result()) ? ClusterPhase.PLANNED : ClusterPhase.FAILED;
            case ABORTED, INTERRUPTED -> ClusterPhase.FAILED;
        };
    }

    private static Condition holds(ConditionType type, ClusterPhase phase, @Nullable FlowView flow) {
        return switch (phase) {
            case INSTALLED -> yes(type, "AllPhasesDone", proven(flow));
            case PENDING -> no(type, "NotStarted", "The installation has not started yet");
            case PLANNED -> no(type, "DryRun", "A dry run was asked for: nothing was made");
            case DELETING -> no(type, "Deleting", "Deletion was requested");
            case FAILED ->
                no(
                        type,
                        flow != null && flow.state() == FlowState.ABORTED ? "Aborted" : "EndedEarly",
                        "The installation ended early: change the work item to start it again, or delete it");
            default -> running(type, flow);
        };
    }

    private static String proven(@Nullable FlowView flow) {
        String skipped = flow == null ? "" : FlowReading.skipped(flow);
        String all = "It is installed, and what it consists of was seen to be ready";
        return skipped.isEmpty() ? all : "It is installed, but an operator skipped: " + skipped;
    }

    private static Condition running(ConditionType type, @Nullable FlowView flow) {
        if (flow != null && flow.incident() != null) {
            return no(type, "NoDriver", flow.incident());
        }
        return flow == null
                ? no(type, "NotStarted", "No flow has started yet")
                : FlowReading.currentPhases(flow).stream()
                        .findFirst()
                        .map(phase -> no(type, FlowReading.reason(phase), FlowReading.sentence(phase)))
                        .orElseGet(() -> no(type, "Installing", "The installation is between two phases"));
    }

    private static Condition deletion(@Nullable FlowView removal) {
        ConditionType type = ConditionType.DELETING;
        if (removal == null) {
            return yes(type, "NotStarted", "The removal has not started yet");
        }
        return switch (removal.state()) {
            case RUNNING ->
                FlowReading.currentPhases(removal).stream()
                        .findFirst()
                        .map(phase -> yes(type, FlowReading.reason(phase), FlowReading.sentence(phase)))
                        .orElseGet(() -> yes(type, "Deleting", "The removal is between two phases"));
            case COMPLETED ->
                yes(type, "WaitingForOthers", "Slipway has released the object; other finalizers keep it");
            case ABORTED, INTERRUPTED ->
                yes(
                        type,
                        "Aborted",
                        "An operator ended the removal. What can be done: 1. Start it again: POST /api/v1/work-items/"
                                + removal.cluster().display() + "/flows {\"flow\": \"work-item-delete\"}");
        };
    }

    private static String plan(FlowView install) {
        return install.phases().stream()
                .filter(phase -> PLAN_PHASE.equals(phase.name()))
                .findFirst()
                .map(FlowReading::message)
                .orElse("The dry run ended");
    }
}
