package dev.slipway.kernel;

import dev.slipway.kernel.FlowStore.FlowRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.camunda.bpm.engine.RuntimeService;
import org.camunda.bpm.engine.runtime.Incident;
import org.jspecify.annotations.Nullable;

/** Shows flows as people see them: all phases of the diagram, each in its latest run. */
final class FlowViews {

    private final RuntimeService runtime;
    private final PhaseCatalog catalog;
    private final PhaseRunner runner;

    FlowViews(RuntimeService runtime, PhaseCatalog catalog, PhaseRunner runner) {
        this.runtime = runtime;
        this.catalog = catalog;
        this.runner = runner;
    }

    /** A flow with its runs, in any order. */
    FlowView view(FlowRow flow, List<PhaseRun> phaseRuns) {
        Map<String, PhaseRun> latest = new LinkedHashMap<>();
        phaseRuns.forEach(run -> latest.merge(run.elementId(), run, FlowViews::newer));
        List<PhaseView> phases = new ArrayList<>();
        for (PhaseDefinition phase : definitions(flow, phaseRuns)) {
            PhaseRun run = latest.get(phase.elementId());
            phases.add(run == null ? pending(phase) : view(phase, live(run), phases.isEmpty()));
        }
        return new FlowView(
                flow.id(),
                flow.kind(),
                flow.cluster(),
                flow.state(),
                flow.result(),
                flow.startedBy(),
                flow.startedAt(),
                flow.endedAt(),
                incident(flow, phaseRuns),
                flow.parent(),
                List.copyOf(phases));
    }

    /** A running flow always has a phase that waits, unless something went wrong that the watchdog has found. */
    private @Nullable String incident(FlowRow flow, List<PhaseRun> phaseRuns) {
        if (flow.endedAt() != null || phaseRuns.stream().anyMatch(run -> run.leftAt() == null)) {
            return null;
        }
        return runtime
                .createIncidentQuery()
                .processInstanceId(flow.id())
                .incidentType(Watchdog.NO_DRIVER)
                .list()
                .stream()
                .findFirst()
                .map(Incident::getIncidentMessage)
                .orElse(null);
    }

    /** The run that counts: an open one, else the one entered last. */
    private static PhaseRun newer(PhaseRun one, PhaseRun other) {
        if ((one.leftAt() == null) != (other.leftAt() == null)) {
            return one.leftAt() == null ? one : other;
        }
        return other.enteredAt().isBefore(one.enteredAt()) ? one : other;
    }

    private List<PhaseDefinition> definitions(FlowRow flow, List<PhaseRun> phaseRuns) {
        return phaseRuns.isEmpty()
                ? catalog.latest(FlowKinds.processKey(flow.kind())).orElse(List.of())
                : catalog.phases(phaseRuns.get(0).definitionId());
    }

    /** With the counters in memory, if this node runs it; whether it was escalated, the database knows best. */
    private PhaseRun live(PhaseRun run) {
        if (run.leftAt() != null) {
            return run;
        }
        return runner.live(run.id())
                .map(live -> run.with(live.progress().escalated(run.progress().stuck())))
                .orElse(run);
    }

    private static PhaseView pending(PhaseDefinition phase) {
        return new PhaseView(
                phase.name(),
                phase.title(),
                phase.elementId(),
                PhaseState.PENDING,
                false,
                0,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                null,
                null,
                List.of());
    }

    private static PhaseView view(PhaseDefinition phase, PhaseRun run, boolean first) {
        Progress p = run.progress();
        boolean open = run.leftAt() == null;
        return new PhaseView(
                phase.name(),
                phase.title(),
                phase.elementId(),
                p.state(),
                p.stuck() && open,
                p.attempt(),
                run.enteredAt(),
                run.leftAt(),
                p.reason(),
                p.message(),
                p.error() == null ? null : p.error().code(),
                p.error() == null ? null : p.error().message(),
                p.lastCheck(),
                open ? p.nextCheck() : null,
                open ? run.stuckAt() : null,
                open ? phase.actions(p) : List.of(),
                run.id(),
                open && p.cause() != null
                        ? new PhaseView.Cause(p.cause().code(), p.cause().message())
                        : null,
                phase.choices(run, first));
    }
}
