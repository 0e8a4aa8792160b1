package dev.slipway.kernel;

import dev.slipway.kernel.FlowStore.FlowRow;
import dev.slipway.phase.ClusterRef;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.camunda.bpm.engine.runtime.Execution;
import org.camunda.bpm.engine.runtime.ProcessInstance;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;

/** Starts, reads and steers flows on the embedded engine. */
final class FlowService implements Flows {

    private static final String DELETE_REQUESTED = "delete-requested";
    private static final String DELETION_REQUESTED = "DeletionRequested";
    private static final int TRIES = 5;
    private static final int BATCH = 500;

    private final EngineServices engine;
    private final FlowStore flows;
    private final PhaseRunStore runs;
    private final PhaseCatalog catalog;
    private final DecisionDesk decisions;
    private final FlowViews views;
    private final PhaseTokens tokens;
    private final Clock clock;
    private final KernelEvents events;
    private final KernelAudit audit;

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
        this.audit = stores.audit();
        this.catalog = catalog;
        this.decisions = decisions;
        this.views = new FlowViews(engine.runtime(), catalog, runner);
        this.tokens = tokens;
        this.events = events;
    }

    /** The kernel's tables and the clock that dates their rows. */
    record Stores(FlowStore flows, PhaseRunStore runs, KernelAudit audit, Clock clock) {}

    @Override
    public FlowView start(
            String kind, ClusterRef cluster, String startedBy, @Nullable String triggerKey, Map<String, String> facts) {
        String process = FlowKinds.processKey(kind);
        if (catalog.latest(process).isEmpty()) {
            throw new UnknownFlow("There is no flow \"" + kind + "\": no diagram " + process + " is deployed");
        }
        String id = startOnce(new Start(kind, cluster, startedBy, triggerKey, facts));
        events.changed(cluster);
        return find(id).orElseThrow();
    }

    /** A flow that somebody wants. */
    private record Start(
            String kind,
            ClusterRef cluster,
            String startedBy,
            @Nullable String triggerKey,
            Map<String, String> facts) {}

    private String startOnce(Start start) {
        for (int attempt = 1; ; attempt++) {
            try {
                return tokens.retrying(() -> startInTransaction(start));
            } catch (DuplicateKeyException e) {
                List<String> active = active(start.cluster().uid()).stream()
                        .map(FlowView::kind)
                        .toList();
                // Another node started one to end after this one had looked for them.
                boolean late = active.stream().anyMatch(other -> FlowKinds.ends(start.kind(), other));
                if (!late || attempt == TRIES) {
                    throw new FlowConflict("The flow \"" + start.kind() + "\" of "
                            + start.cluster().display() + " does not start: "
                            + (active.isEmpty()
                                    ? "this trigger has started one before"
                                    : String.join(" and ", active) + " is active"));
                }
            }
        }
    }

    private String startInTransaction(Start start) {
        ClusterRef cluster = start.cluster();
        flows.ofCluster(cluster.uid()).stream()
                .filter(flow -> flow.endedAt() == null && flow.parent() == null)
                .filter(flow -> FlowKinds.ends(start.kind(), flow.kind()))
                .forEach(flow -> end(interrupt(flow)));
        String claim = flows.claim(start.kind(), cluster, start.startedBy(), start.triggerKey(), clock.instant());
        Map<String, Object> variables = new HashMap<>(start.facts());
        variables.put(FlowVariables.NAMESPACE, cluster.namespace());
        variables.put(FlowVariables.NAME, cluster.name());
        variables.put(FlowVariables.UID, cluster.uid());
        ProcessInstance instance = engine.runtime()
                .startProcessInstanceByKey(FlowKinds.processKey(start.kind()), cluster.businessKey(), variables);
        flows.started(claim, instance.getId());
        audit.started(start.kind(), cluster, start.startedBy(), instance.getId());
        return instance.getId();
    }

    /** Ends a flow whose diagram did not end when it was told of the deletion, or whose instance is lost. */
    private void end(FlowRow told) {
        Optional<FlowRow> still = flows.find(told.id()).filter(flow -> flow.endedAt() == null);
        if (still.isEmpty()) {
            return;
        }
        flows.result(told.id(), FlowState.INTERRUPTED, DELETION_REQUESTED);
        if (engine.runtime()
                        .createProcessInstanceQuery()
                        .processInstanceId(told.id())
                        .count()
                > 0) {
            engine.runtime().deleteProcessInstance(told.id(), DELETION_REQUESTED, false, true);
        } else {
            flows.ended(told.id(), clock.instant());
        }
    }

    @Override
    public List<FlowView> active(String clusterUid) {
        return flows.ofCluster(clusterUid).stream()
                .filter(flow -> flow.endedAt() == null)
                .map(flow -> views.view(flow, runs.ofFlow(flow.id())))
                .toList();
    }

    @Override
    public List<FlowView> latest(String clusterUid) {
        Map<String, FlowRow> latest = new LinkedHashMap<>();
        flows.ofCluster(clusterUid).forEach(flow -> latest.putIfAbsent(flow.kind(), flow));
        return latest.values().stream()
                .map(flow -> views.view(flow, runs.ofFlow(flow.id())))
                .toList();
    }

    @Override
    public List<FlowHead> headsOfAll() {
        return flows.latestOfAll().stream()
                .map(flow -> new FlowHead(
                        flow.id(), flow.kind(), flow.cluster(), flow.state(), flow.endedAt() != null, flow.startedAt()))
                .toList();
    }

    @Override
    public List<FlowView> views(Collection<String> flowIds) {
        List<String> ids = List.copyOf(flowIds);
        List<FlowView> found = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += BATCH) {
            List<String> some = ids.subList(from, Math.min(ids.size(), from + BATCH));
            Map<String, List<PhaseRun>> byFlow =
                    runs.ofFlows(some).stream().collect(Collectors.groupingBy(PhaseRun::flowId));
            flows.find(some).forEach(flow -> found.add(views.view(flow, byFlow.getOrDefault(flow.id(), List.of()))));
        }
        return found;
    }

    @Override
    public boolean hasFired(String triggerKey) {
        return flows.hasFired(triggerKey);
    }

    @Override
    public Optional<FlowView> find(String flowId) {
        return flows.find(flowId).map(flow -> views.view(flow, runs.ofFlow(flow.id())));
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
            if (flow.endedAt() == null && flow.parent() == null && !FlowKinds.deletes(flow.kind())) {
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

    /**
     * Locks the rows of all waits of a flow, and of those that it called, before the engine is asked, as whoever moves a
     * token does: a run that ends meanwhile comes before or after.
     *
     * @return the running flows that it called
     */
    private List<String> hold(String flowId) {
        Set<String> held = new HashSet<>();
        while (true) {
            List<String> called = calledBy(flowId);
            // Who had the lock may have moved the token to another phase.
            List<String> open = Stream.concat(Stream.of(flowId), called.stream())
                    .flatMap(id -> runs.openOfFlow(id).stream())
                    .map(PhaseRun::id)
                    .filter(held::add)
                    .toList();
            if (open.isEmpty()) {
                return called;
            }
            open.forEach(runs::lock);
        }
    }

    private FlowRow interrupt(FlowRow flow) {
        List<String> called = hold(flow.id());
        called.forEach(id -> flows.result(id, FlowState.INTERRUPTED, DELETION_REQUESTED));
        for (Execution waiting : engine.runtime()
                .createExecutionQuery()
                .processInstanceId(flow.id())
                .messageEventSubscriptionName(DELETE_REQUESTED)
                .list()) {
            engine.runtime().messageEventReceived(DELETE_REQUESTED, waiting.getId());
        }
        return flow;
    }
}
