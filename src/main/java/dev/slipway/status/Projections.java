package dev.slipway.status;

import static dev.slipway.status.Condition.no;
import static dev.slipway.status.Condition.yes;

import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which flows become a status: the same for the resource and for the REST API.
 *
 * <p>Computed anew each time from what the engine knows, never from an earlier status: it cannot go backwards.
 */
public final class Projections {

    private static final String PLAN_PHASE = "EnsureNotPaused";
    private static final Set<String> PAUSE_PHASES = Set.of(PLAN_PHASE, "EnsureClusterNotPaused", "EnsureItemNotPaused");
    private static final String RESULT_READY = "Ready";
    private static final String RESULT_PLANNED = "Planned";

    private Projections() {}

    /** Projects a cluster whose object is not being deleted. */
    public static Projection of(List<FlowView> flows) {
        return DeletionProjection.runs(flows) ? ofDeleting(flows, List.of()) : project(flows);
    }

    /**
     * Projects a cluster whose object is being deleted.
     *
     * @param finalizers those of the object
     */
    public static Projection ofDeleting(List<FlowView> flows, List<String> finalizers) {
        Projection built = project(flows);
        FlowView init = FlowReading.latest(flows, Flows.INIT);
        Condition deletion = DeletionProjection.condition(flows, finalizers);
        List<Condition> conditions = new ArrayList<>();
        for (Condition condition : built.conditions()) {
            switch (condition.type()) {
                case MANUAL_INTERVENTION_REQUIRED ->
                    conditions.add(DeletionProjection.needsSomebody(deletion).orElse(condition));
                case READY -> conditions.add(ready(ClusterPhase.DELETING, init, init));
                case IMPORTED -> conditions.add(DeletionProjection.imported());
                case PLANNED -> {} // Nothing is planned any more.
                default -> conditions.add(condition);
            }
        }
        conditions.add(deletion);
        return new Projection(ClusterPhase.DELETING, conditions, built.flow(), built.current());
    }

    /** Projects a Cluster of Cluster API that has no WorkloadCluster. */
    public static Projection ofCluster(List<FlowView> flows) {
        FlowView imports = FlowReading.latest(flows, Flows.IMPORT);
        FlowView leading = FlowReading.leading(flows).orElse(null);
        Optional<FlowView> letGo = DeletionProjection.completed(flows);
        boolean deleting = DeletionProjection.runs(flows);
        List<Condition> conditions = new ArrayList<>();
        ClusterPhase phase;
        if (deleting) {
            phase = ClusterPhase.DELETING;
            conditions.add(ready(phase, null, null));
            ImportProjection.imported(imports)
                    .map(was -> DeletionProjection.imported())
                    .ifPresent(conditions::add);
        } else if (letGo.isPresent()) {
            phase = ClusterPhase.PENDING;
            String result = String.valueOf(letGo.get().result());
            conditions.add(no(ConditionType.READY, result, "Slipway has let go of it: its deletion has ended"));
        } else {
            phase = ImportProjection.phase(imports, Projections::runningPhase);
            conditions.add(ImportProjection.ready(imports));
            ImportProjection.imported(imports).ifPresent(conditions::add);
        }
        conditions.add(stuck(flows));
        conditions.add(manualIntervention(flows));
        if (deleting) {
            conditions.add(DeletionProjection.condition(flows, List.of()));
        }
        FlowView shown = deleting || letGo.isPresent() ? leading : imports;
        PhaseView current = shown == null ? null : FlowReading.telling(shown).orElse(null);
        return new Projection(phase, conditions, shown, current);
    }

    private static Projection project(List<FlowView> flows) {
        FlowView leading = FlowReading.leading(flows).orElse(null);
        FlowView init = FlowReading.latest(flows, Flows.INIT);
        FlowView imports = FlowReading.latest(flows, Flows.IMPORT);
        FlowView standing = ImportProjection.isPartOf(init, imports) ? imports : init;
        PhaseView current =
                leading == null ? null : FlowReading.telling(leading).orElse(null);
        ClusterPhase phase = phase(init, standing);
        List<Condition> conditions = new ArrayList<>();
        conditions.add(ready(phase, init, standing));
        for (ConditionType type : ConditionType.values()) {
            if (!type.phases().isEmpty()) {
                goal(type, init).ifPresent(conditions::add);
            }
        }
        ImportProjection.imported(imports).ifPresent(conditions::add);
        conditions.add(stuck(flows));
        conditions.add(manualIntervention(flows));
        if (phase == ClusterPhase.PLANNED && init != null) {
            conditions.add(yes(ConditionType.PLANNED, "DryRun", plan(init)));
        }
        return new Projection(phase, conditions, leading, current);
    }

    /**
     * How the cluster stands.
     *
     * @param standing where init's token stands: in init itself, or in the import that init called
     */
    private static ClusterPhase phase(@Nullable FlowView init, @Nullable FlowView standing) {
        if (init == null || standing == null) {
            return ClusterPhase.PENDING;
        }
        return switch (init.state()) {
            case RUNNING -> runningPhase(standing, ClusterPhase.INITIALIZING);
            case COMPLETED -> completedPhase(init);
            case ABORTED, INTERRUPTED -> ClusterPhase.FAILED;
        };
    }

    static ClusterPhase runningPhase(FlowView flow, ClusterPhase whenWell) {
        List<PhaseView> current = FlowReading.currentPhases(flow);
        // Entered is not yet paused: only the first look tells.
        if (current.stream()
                .anyMatch(p -> p.state() == PhaseState.PAUSED
                        || (PAUSE_PHASES.contains(p.name()) && p.state() == PhaseState.WAITING && p.attempt() > 0))) {
            return ClusterPhase.PAUSED;
        }
        return flow.incident() != null || current.stream().anyMatch(PhaseView::stuck) ? ClusterPhase.STUCK : whenWell;
    }

    private static ClusterPhase completedPhase(FlowView init) {
        if (RESULT_READY.equals(init.result())) {
            return ClusterPhase.READY;
        }
        return RESULT_PLANNED.equals(init.result()) ? ClusterPhase.PLANNED : ClusterPhase.FAILED;
    }

    private static Condition ready(ClusterPhase phase, @Nullable FlowView init, @Nullable FlowView standing) {
        ConditionType type = ConditionType.READY;
        return switch (phase) {
            case PENDING -> no(type, "NotStarted", "The init flow has not started yet");
            case READY -> yes(type, "AllPhasesDone", proven(init));
            case PLANNED -> no(type, "DryRun", "A dry run was asked for: nothing was made");
            case DELETING -> no(type, "Deleting", "Deletion was requested");
            case FAILED -> no(type, ended(init), "The init flow ended early: start it again, or delete the cluster");
            case INITIALIZING, IMPORTING, INSTALLING, INSTALLED, PAUSED, STUCK -> running(standing);
        };
    }

    private static String proven(@Nullable FlowView init) {
        String skipped = init == null ? "" : FlowReading.skipped(init);
        return skipped.isEmpty()
                ? "Every phase of the init flow was proven by a live read"
                : "The phases of the init flow were proven by live reads, but an operator skipped: " + skipped;
    }

    private static Condition running(@Nullable FlowView standing) {
        if (standing != null && standing.incident() != null) {
            return no(ConditionType.READY, "NoDriver", standing.incident());
        }
        return Optional.ofNullable(standing)
                .flatMap(flow -> FlowReading.currentPhases(flow).stream().findFirst())
                .map(p -> no(ConditionType.READY, FlowReading.reason(p), FlowReading.sentence(p)))
                .orElseGet(() -> no(ConditionType.READY, "Initializing", "The init flow is between two phases"));
    }

    private static String ended(@Nullable FlowView init) {
        if (init == null) {
            return "NotStarted";
        }
        return switch (init.state()) {
            case ABORTED -> "Aborted";
            case INTERRUPTED -> "Interrupted";
            default -> init.result() == null ? "Ended" : init.result();
        };
    }

    /** A condition that holds when all its phases are done; the first that is not says why it does not hold. */
    private static Optional<Condition> goal(ConditionType type, @Nullable FlowView init) {
        if (init == null) {
            return Optional.of(no(type, "NotStarted", "The init flow has not started yet"));
        }
        // A diagram may leave a phase out: the condition is then decided by the others.
        List<PhaseView> phases = init.phases().stream()
                .filter(phase -> type.phases().contains(phase.name()))
                .toList();
        if (phases.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(phases.stream()
                .filter(phase -> phase.state() != PhaseState.DONE)
                .findFirst()
                .map(phase -> notYet(type, init, phase))
                .orElseGet(() -> yes(type, "Proven", FlowReading.sentence(phases.get(phases.size() - 1)))));
    }

    private static Condition notYet(ConditionType type, FlowView init, PhaseView phase) {
        if (init.state() == FlowState.COMPLETED && RESULT_PLANNED.equals(init.result())) {
            return no(type, "DryRun", "A dry run was asked for: nothing was made");
        }
        return switch (phase.state()) {
            case PENDING -> no(type, "NotReached", "The phase " + phase.title() + " has not been reached yet");
            case SKIPPED -> no(type, "Skipped", FlowReading.sentence(phase));
            case CANCELED ->
                no(type, "Canceled", "The phase " + phase.title() + " was left before its goal was reached");
            default -> no(type, FlowReading.reason(phase), FlowReading.sentence(phase));
        };
    }

    static Condition stuck(List<FlowView> flows) {
        Optional<Condition> undriven = undriven(ConditionType.STUCK, flows);
        if (undriven.isPresent()) {
            return undriven.get();
        }
        return worst(flows)
                .filter(PhaseView::stuck)
                .map(p -> yes(ConditionType.STUCK, FlowReading.reason(p), trouble(p, flows)))
                .orElseGet(() -> no(ConditionType.STUCK, "NotStuck", "No phase is stuck"));
    }

    static Condition manualIntervention(List<FlowView> flows) {
        ConditionType type = ConditionType.MANUAL_INTERVENTION_REQUIRED;
        Optional<Condition> undriven = undriven(type, flows);
        if (undriven.isPresent()) {
            return undriven.get();
        }
        return worst(flows)
                .filter(p -> p.stuck() || p.state() == PhaseState.BLOCKED)
                .map(p -> yes(type, FlowReading.reason(p), trouble(p, flows)))
                .orElseGet(() -> no(type, "NotRequired", "Nothing waits for a person"));
    }

    /** A flow that runs though nothing drives it: the watchdog has found it. */
    private static Optional<Condition> undriven(ConditionType type, List<FlowView> flows) {
        return FlowReading.leading(flows)
                .filter(flow -> flow.incident() != null)
                .map(flow -> yes(
                        type,
                        "NoDriver",
                        flow.incident()
                                + ". What can be done: 1. Decide RETRY_FROM with a phase, or ABORT, for the flow "
                                + flow.id() + ": POST "
                                + decisions(flow)));
    }

    private static Optional<PhaseView> worst(List<FlowView> flows) {
        return FlowReading.leading(flows)
                .flatMap(flow -> FlowReading.currentPhases(flow).stream().findFirst());
    }

    private static String plan(FlowView init) {
        return init.phases().stream()
                .filter(phase -> PLAN_PHASE.equals(phase.name()))
                .findFirst()
                .map(FlowReading::message)
                .orElse("The dry run ended");
    }

    /** What is wrong, since when, and what can be done, numbered. */
    static String trouble(PhaseView phase, List<FlowView> flows) {
        StringBuilder text = new StringBuilder(FlowReading.sentence(phase));
        if (phase.since() != null) {
            text.append(". In this phase since ").append(phase.since().truncatedTo(ChronoUnit.SECONDS));
        }
        text.append(". What can be done: ");
        int number = 1;
        for (String action : actions(phase, flows.get(0))) {
            text.append(number == 1 ? "" : "; ").append(number).append(". ").append(action);
            number++;
        }
        return text.toString();
    }

    private static String decisions(FlowView flow) {
        String objects = ItemProjection.isAbout(List.of(flow)) ? "work-items" : "clusters";
        return "/api/v1/" + objects + "/" + flow.cluster().display() + "/decisions";
    }

    private static List<String> actions(PhaseView phase, FlowView flow) {
        List<String> actions = new ArrayList<>(
                phase.actions().isEmpty()
                        ? List.of("Cure what it waits for: it looks again by itself")
                        : phase.actions());
        if (!phase.choices().isEmpty()) {
            String choices = phase.choices().stream().map(Enum::name).collect(Collectors.joining(", "));
            actions.add("Decide " + choices + ": in the operator's task, or POST " + decisions(flow));
        }
        return actions;
    }
}
