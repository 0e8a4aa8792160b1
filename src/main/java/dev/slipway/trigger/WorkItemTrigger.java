package dev.slipway.trigger;

import dev.slipway.kernel.FlowChanges;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.ClusterWakeup;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkItemEvents;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.queue.Backoff;
import dev.slipway.queue.WorkQueue;
import dev.slipway.queue.Workers;
import dev.slipway.workitem.ItemReceipts;
import dev.slipway.workitem.ItemRelease;
import dev.slipway.workitem.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Starts the flows of work items: an installation for each new generation, a removal for each deletion.
 *
 * <ul>
 *   <li>A watch event, or the end of a flow, makes it look at once; a live list at start and every five minutes finds what
 *       events missed.
 *   <li>While an installation runs no other is started: its phases read the spec anew each time. What changed after its
 *       last look is a generation of its own, which starts the next one when it has ended.
 *   <li>That each generation is installed once, on any node and after any restart, the database decides.
 * </ul>
 */
final class WorkItemTrigger implements WorkItemEvents, FlowChanges, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkItemTrigger.class);
    private static final Duration SWEEP = Duration.ofMinutes(5);
    private static final String STARTED_BY = "slipway";

    private final Supplier<Flows> flows;
    private final LiveReader reader;
    private final List<String> namespaces;
    private final Consumer<ClusterRef> watched;
    private final ClusterWakeup wakeup;
    private final Absences absences;
    private final WorkQueue<ClusterRef> items;
    private final WorkQueue<String> sweeps;
    /** What is known of each work item, by its UID: who waits for whom, and whose flows are ours. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** A work item as last seen. */
    private record Known(ClusterRef ref, String cluster, Set<String> dependsOn) {}

    /**
     * Where work items are, and who is told of them.
     *
     * @param namespaces where to list; one empty text for everywhere
     * @param watched told of each work item that is installed
     * @param wakeup told when a work item's flow has changed, for those that wait for it
     */
    record Scope(List<String> namespaces, Consumer<ClusterRef> watched, ClusterWakeup wakeup) {

        Scope {
            namespaces = List.copyOf(namespaces);
        }
    }

    /**
     * Makes the trigger; nothing happens before {@link #start}.
     *
     * @param flows asked late: the kernel itself is given this trigger to call
     * @param workers the threads of both queues
     */
    WorkItemTrigger(Supplier<Flows> flows, LiveReader reader, Scope scope, InstantSource clock, Workers workers) {
        this.flows = flows;
        this.reader = reader;
        this.namespaces = scope.namespaces();
        this.watched = scope.watched();
        this.wakeup = scope.wakeup();
        this.absences = new Absences(clock);
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), () -> ThreadLocalRandom.current()
                .nextDouble());
        this.items =
                new WorkQueue<>("Looking whether to start a work item's flow", workers, backoff, this::lookInContext);
        this.sweeps = new WorkQueue<>("Listing WorkItems", workers, backoff, key -> sweep());
    }

    /** Lists all work items now, and from now on every five minutes. */
    void start() {
        sweeps.add("all");
    }

    @Override
    public void itemSeen(KubeObject item) {
        ClusterRef ref = WorkItem.refOf(item);
        Set<String> dependsOn = new HashSet<>();
        item.at("spec", "dependsOn").forEach(name -> dependsOn.add(name.asText()));
        String cluster = item.text("spec", "clusterRef", "name").orElse("");
        known.put(ref.uid(), new Known(ref, cluster, dependsOn));
        items.add(ref);
    }

    @Override
    public void itemGone(String namespace, String name, String uid) {
        items.add(new ClusterRef(namespace, name, uid));
    }

    @Override
    public void changed(ClusterRef item) {
        Known changed = known.get(item.uid());
        if (changed == null) {
            return;
        }
        items.add(item);
        // The phase "Work items" of its cluster waits for it as well.
        wakeup.wake(item.namespace(), changed.cluster());
        known.values().stream()
                .filter(other -> other.dependsOn().contains(item.name()))
                .filter(other -> other.ref().namespace().equals(item.namespace()))
                .forEach(other ->
                        wakeup.wake(other.ref().namespace(), other.ref().name()));
    }

    @Override
    public void close() {
        sweeps.close();
        items.close();
    }

    private Optional<Duration> sweep() {
        List<KubeObject> all = new ArrayList<>();
        try {
            namespaces.forEach(namespace -> all.addAll(reader.list(ResourceType.WORK_ITEMS, namespace, Map.of())));
        } catch (Failure e) {
            if (e.code().equals("KindAbsent")) {
                LOG.debug("No work items: their resource is not installed");
                return Optional.of(SWEEP);
            }
            throw e;
        }
        Set<String> present = all.stream().map(KubeObject::uid).collect(Collectors.toSet());
        all.forEach(this::itemSeen);
        // One that went while no node was looking left its flow behind.
        flows.get().latestOfAll().stream()
                .filter(flow -> flow.kind().equals(Flows.ITEM_INSTALL) && flow.state() == FlowState.RUNNING)
                .map(FlowView::cluster)
                .filter(item -> !present.contains(item.uid()))
                .forEach(items::add);
        return Optional.of(SWEEP);
    }

    private Optional<Duration> lookInContext(ClusterRef item) {
        try (MDC.MDCCloseable context = MDC.putCloseable("cluster", item.display())) {
            return look(item);
        }
    }

    private Optional<Duration> look(ClusterRef ref) {
        Optional<KubeObject> live = reader.get(ResourceType.WORK_ITEMS, ref.namespace(), ref.name())
                .filter(object -> object.uid().equals(ref.uid()));
        if (live.isEmpty()) {
            if (!absences.isConfirmed(ref)) {
                return Optional.of(Absences.SECOND_LOOK);
            }
            known.remove(ref.uid());
            flows.get().requestDelete(ref.uid());
            return Optional.empty();
        }
        absences.forget(ref);
        if (live.get().deleting()) {
            remove(live.get(), ref);
        } else {
            install(live.get(), ref);
        }
        return Optional.empty();
    }

    /** Once: a removal that an operator aborted is not begun again unasked. */
    private void remove(KubeObject item, ClusterRef ref) {
        if (!item.finalizers().contains(WorkItem.FINALIZER)) {
            flows.get().requestDelete(ref.uid());
            return;
        }
        Map<String, String> facts = new HashMap<>(Map.of(ItemReceipts.BY, "kubernetes"));
        ItemRelease.possible(item).ifPresent(release -> facts.putAll(release.facts()));
        start(Flows.ITEM_DELETE, ref, ref.uid() + "/item-delete/requested", facts);
    }

    private void install(KubeObject item, ClusterRef ref) {
        List<FlowView> latest = flows.get().latest(ref.uid());
        if (latest.stream().anyMatch(flow -> flow.state() == FlowState.RUNNING)) {
            // Its end makes us look again.
            return;
        }
        Optional<FlowView> last = latest.stream()
                .filter(flow -> flow.kind().equals(Flows.ITEM_INSTALL))
                .findFirst();
        String key = FlowItemProgress.triggerKey(ref, item.generation());
        if (last.filter(flow -> flow.state() == FlowState.INTERRUPTED).isPresent()) {
            // It was told of a deletion, but the work item lives on.
            start(
                    Flows.ITEM_INSTALL,
                    ref,
                    ref.uid() + "/install/after-" + last.get().id(),
                    Map.of());
        } else if (last.isEmpty() || !flows.get().hasFired(key)) {
            start(Flows.ITEM_INSTALL, ref, key, Map.of());
        } else if (last.filter(flow -> flow.state() == FlowState.COMPLETED).isPresent()) {
            watched.accept(ref);
        }
    }

    private void start(String kind, ClusterRef ref, String triggerKey, Map<String, String> facts) {
        try {
            FlowView flow = flows.get().start(kind, ref, STARTED_BY, triggerKey, facts);
            LOG.info("Started flow {} with id {}", flow.kind(), flow.id());
        } catch (Flows.FlowConflict e) {
            // Another node, or a person, was first; or it has been started before.
            LOG.debug("Not started: {}", e.getMessage());
        }
    }
}
