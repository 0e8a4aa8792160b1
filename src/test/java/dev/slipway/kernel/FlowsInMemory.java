package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Flows without an engine: a test says where each phase stands. */
public final class FlowsInMemory implements Flows {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Set<String> KINDS =
            Set.of(Flows.INIT, Flows.IMPORT, Flows.DELETE, Flows.ITEM_INSTALL, Flows.ITEM_DELETE);

    private final Map<String, FlowView> flows = new LinkedHashMap<>();
    private final Set<String> triggers = new HashSet<>();
    private final Map<String, Map<String, String>> facts = new HashMap<>();
    private RuntimeException outage;

    /** From now on every call fails so; null ends it. */
    public void fail(RuntimeException failure) {
        outage = failure;
    }

    /** Replaces the phases of a flow. */
    public void phases(String flowId, PhaseView... phases) {
        FlowView flow = flows.get(flowId);
        put(flow, flow.state(), flow.result(), null, Arrays.asList(phases));
    }

    /** Ends a flow. */
    public void end(String flowId, FlowState state, String result) {
        end(flowId, state, result, START.plusSeconds(600));
    }

    /** Ends a flow at that time. */
    public void end(String flowId, FlowState state, String result, Instant at) {
        FlowView flow = flows.get(flowId);
        put(flow, state, result, at, flow.phases());
    }

    /** What a flow was told at its start. */
    public Map<String, String> facts(String flowId) {
        return facts.getOrDefault(flowId, Map.of());
    }

    /** A phase with the little that most tests need. */
    public static PhaseView phase(String name, PhaseState state, int attempt, String reason, String message) {
        boolean pending = state == PhaseState.PENDING;
        boolean blocked = state == PhaseState.BLOCKED;
        return new PhaseView(
                name,
                name.replace("Ensure", ""),
                "phase_" + name,
                state,
                blocked,
                attempt,
                pending ? null : START,
                null,
                reason,
                message,
                null,
                null,
                null,
                pending || blocked ? null : START.plusSeconds(attempt),
                null,
                blocked ? List.of("Repair it", "Retry the phase") : List.of(),
                pending ? null : "run-" + name,
                null,
                blocked ? List.of(Choice.RETRY, Choice.ABORT) : List.of());
    }

    @Override
    public FlowView start(
            String kind, ClusterRef cluster, String startedBy, String triggerKey, Map<String, String> known) {
        check();
        if (!KINDS.contains(kind)) {
            throw new UnknownFlow("There is no flow " + kind);
        }
        List<FlowView> running = active(cluster.uid());
        boolean active = running.stream()
                .map(FlowView::kind)
                .anyMatch(other -> other.equals(kind) || FlowKinds.ends(other, kind));
        if (active || (triggerKey != null && !triggers.add(triggerKey))) {
            throw new FlowConflict("One is active");
        }
        running.stream()
                .filter(flow -> FlowKinds.ends(kind, flow.kind()))
                .forEach(flow -> end(flow.id(), FlowState.INTERRUPTED, "DeletionRequested"));
        String id = "flow-" + (flows.size() + 1);
        FlowView flow = new FlowView(
                id,
                kind,
                cluster,
                FlowState.RUNNING,
                null,
                startedBy,
                START.plusSeconds(flows.size()),
                null,
                null,
                null,
                List.of());
        flows.put(id, flow);
        facts.put(id, known);
        return flow;
    }

    @Override
    public List<FlowView> active(String clusterUid) {
        return latest(clusterUid).stream()
                .filter(flow -> flow.state() == FlowState.RUNNING)
                .toList();
    }

    @Override
    public List<FlowView> latest(String clusterUid) {
        return latestOfAll().stream()
                .filter(flow -> flow.cluster().uid().equals(clusterUid))
                .toList();
    }

    @Override
    public List<FlowHead> headsOfAll() {
        return latestOfAll().stream()
                .map(flow -> new FlowHead(
                        flow.id(), flow.kind(), flow.cluster(), flow.state(), flow.endedAt() != null, flow.startedAt()))
                .toList();
    }

    @Override
    public List<FlowView> views(Collection<String> flowIds) {
        check();
        return flows.values().stream()
                .filter(flow -> flowIds.contains(flow.id()))
                .toList();
    }

    @Override
    public List<FlowView> latestOfAll() {
        check();
        Map<String, FlowView> latest = new LinkedHashMap<>();
        flows.values().forEach(flow -> latest.put(flow.cluster().uid() + flow.kind(), flow));
        return new ArrayList<>(latest.values());
    }

    @Override
    public boolean hasFired(String triggerKey) {
        return triggers.contains(triggerKey);
    }

    @Override
    public Optional<FlowView> find(String flowId) {
        check();
        return Optional.ofNullable(flows.get(flowId));
    }

    @Override
    public List<String> retry(String clusterUid, String by, String why) {
        throw new UnsupportedOperationException("No test needs it here");
    }

    @Override
    public void requestDelete(String clusterUid) {
        active(clusterUid).stream()
                .filter(flow -> !FlowKinds.deletes(flow.kind()))
                .forEach(flow -> end(flow.id(), FlowState.INTERRUPTED, "Interrupted"));
    }

    private void put(FlowView flow, FlowState state, String result, Instant ended, List<PhaseView> phases) {
        flows.put(
                flow.id(),
                new FlowView(
                        flow.id(),
                        flow.kind(),
                        flow.cluster(),
                        state,
                        result,
                        flow.startedBy(),
                        flow.startedAt(),
                        ended,
                        null,
                        flow.parent(),
                        phases));
    }

    private void check() {
        if (outage != null) {
            throw outage;
        }
    }
}
