package dev.slipway.kernel;

import dev.slipway.kernel.FlowStore.FlowRow;
import dev.slipway.phase.ClusterRef;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.camunda.bpm.engine.runtime.Execution;
import org.camunda.bpm.engine.runtime.Incident;
import org.camunda.bpm.engine.runtime.ProcessInstance;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;

/** Starts, reads and steers flows on the embedded engine. */
final class FlowService implements Flows {

    private static final String PROCESS_PREFIX = "cluster-";
    private static final String DELETE_REQUESTED = "delete-requested";

    private final EngineServices engine;
    private final FlowStore flows;
    private final PhaseRunStore runs;
    private final PhaseCatalog catalog;
    private final DecisionDesk decisions;
    private final PhaseRunner runner;
    private final PhaseTokens tokens;
    private final Clock clock;
    private final KernelEvents events;

    FlowService(
            EngineServices engine,
            Stores stores,
            PhaseCatalog catalog,
            DecisionDesk decisions,
            PhaseRunner runner,
            PhaseTokens tokens,
            KernelEvents events) {
        this.engine = engine;
        this.flows = stores.flows();
        this.runs = stores.runs();
        this.clock = stores.clock();
        this.catalog = catalog;
        this.decisions = decisions;
        this.runner = runner;
        this.tokens = tokens;
        this.events = events;
    }

    /** The kernel's tables and the clock that dates their rows. */
    record Stores(FlowStore flows, PhaseRunStore runs, Clock clock) {}

    @Override
    public FlowView start(
            String kind, ClusterRef cluster, String startedBy, @Nullable String triggerKey, Map<String, String> facts) {
        if (catalog.latest(PROCESS_PREFIX + kind).isEmpty()) {
            throw new UnknownFlow(
                    "There is no flow \"" + kind + "\": no diagram " + PROCESS_PREFIX + kind + " is deployed");
        }
        try {
            String id = tokens.retrying(() -> startInTransaction(kind, cluster, startedBy, triggerKey, facts));
            events.changed(cluster);
            return find(id).orElseThrow();
        } catch (DuplicateKeyException e) {
            List<String> active =
                    active(cluster.uid()).stream().map(FlowView::kind).toList();
            throw new FlowConflict("The flow \"" + kind + "\" of " + cluster.display() + " does not start: "
                    + (active.isEmpty()
                            ? "this trigger has started one before"
                            : String.join(" and ", active) + " is active"));
        }
    }

    private String startInTransaction(
            String kind, ClusterRef cluster, String startedBy, @Nullable String triggerKey, Map<String, String> facts) {
        String claim = flows.claim(kind, cluster, startedBy, triggerKey, clock.instant());
        Map<String, Object> variables = new HashMap<>(facts);
        variables.put(FlowVariables.NAMESPACE, cluster.namespace());
        variables.put(FlowVariables.NAME, cluster.name());
        variables.put(FlowVariables.UID, cluster.uid());
        ProcessInstance instance =
                engine.runtime().startProcessInstanceByKey(PROCESS_PREFIX + kind, cluster.businessKey(), variables);
        flows.started(claim, instance.getId());
        return instance.getId();
    }

    @Override
    public List<FlowView> active(String clusterUid) {
        return flows.ofCluster(clusterUid).stream()
                .filter(flow -> flow.endedAt() == null)
                .map(flow -> view(flow, runs.ofFlow(flow.id())))
                .toList();
    }

    @Override
    public List<FlowView> latest(String clusterUid) {
        Map<String, FlowRow> latest = new LinkedHashMap<>();
        flows.ofCluster(clusterUid).forEach(flow -> latest.putIfAbsent(flow.kind(), flow));
        return latest.values().stream()
                .map(flow -> view(flow, runs.ofFlow(flow.id())))
                .toList();
    }

    @Override
    public List<FlowView> latestOfAll() {
        List<FlowRow> rows = flows.latestOfAll();
        Map<String, List<PhaseRun>> byFlow = runs
                .ofFlows(rows.stream().map(FlowRow::id).toList())
                .stream()
                .collect(Collectors.groupingBy(PhaseRun::flowId));
        return rows.stream()
                .map(flow -> view(flow, byFlow.getOrDefault(flow.id(), List.of())))
                .toList();
    }

    @Override
    public Optional<FlowView> find(String flowId) {
        return flows.find(flowId).map(flow -> view(flow, runs.ofFlow(flow.id())));
    }

    @Override
    public List<String> retry(String clusterUid, String by, @Nullable String why) {
        List<PhaseRun> open = flows.ofCluster(clusterUid).stream()
                .filter(flow -> flow.endedAt() == null)
                .flatMap(flow -> runs.openOfFlow(flow.id()).stream())
                .toList();
        if (open.isEmpty()) {
            throw new FlowConflict("No flow of this cluster is active: start one instead of retrying");
        }
        for (PhaseRun run : open) {
            try {
                decisions.decide(run.id(), Decision.Wish.of(Choice.RETRY, why), by);
            } catch (Decisions.Conflict e) {
                throw new FlowConflict(String.valueOf(e.getMessage()));
            }
        }
        return open.stream().map(PhaseRun::phase).toList();
    }

    @Override
    public void requestDelete(String clusterUid) {
        for (FlowRow flow : flows.ofCluster(clusterUid)) {
            // One that was called ends with its caller.
            if (flow.endedAt() == null && flow.parent() == null) {
                tokens.retrying(() -> interrupt(flow));
            }
        }
    }

    /** The running flows that a flow called, and those that they called. */
    private List<String> calledBy(String flowId) {
        List<String> called = new ArrayList<>();
        flows.lastCalled(flowId).filter(flow -> flow.endedAt() == null).ifPresent(flow -> {
            called.add(flow.id());
            called.addAll(calledBy(flow.id()));
        });
        return called;
    }

    private FlowRow interrupt(FlowRow flow) {
        // Before the engine is asked, as whoever moves a token does: a run that ends meanwhile comes before or after.
        List<String> called = calledBy(flow.id());
        runs.openOfFlow(flow.id()).forEach(run -> runs.lock(run.id()));
        called.forEach(id -> runs.openOfFlow(id).forEach(run -> runs.lock(run.id())));
        called.forEach(id -> flows.result(id, FlowState.INTERRUPTED, "DeletionRequested"));
        for (Execution waiting : engine.runtime()
                .createExecutionQuery()
                .processInstanceId(flow.id())
                .messageEventSubscriptionName(DELETE_REQUESTED)
                .list()) {
            engine.runtime().messageEventReceived(DELETE_REQUESTED, waiting.getId());
        }
        return flow;
    }

    private FlowView view(FlowRow flow, List<PhaseRun> phaseRuns) {
        Map<String, PhaseRun> latest = new LinkedHashMap<>();
        phaseRuns.forEach(run -> latest.merge(run.elementId(), run, FlowService::newer));
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
        return engine
                .runtime()
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
                ? catalog.latest(PROCESS_PREFIX + flow.kind()).orElse(List.of())
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

    /** The kind of a flow by its process definition key: {@code init} for {@code cluster-init}. */
    static String kindOf(String processKey) {
        return processKey.startsWith(PROCESS_PREFIX) ? processKey.substring(PROCESS_PREFIX.length()) : processKey;
    }
}
