package dev.slipway.trigger;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.FlowChanges;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kubernetes.ClusterApiEvents;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkItemEvents;
import dev.slipway.kubernetes.WorkloadClusterEvents;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.queue.Backoff;
import dev.slipway.queue.WorkQueue;
import dev.slipway.queue.Workers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.MDC;

/**
 * Hears what people ask for by annotations of WorkloadClusters, of Clusters without one, and of WorkItems.
 *
 * <ul>
 *   <li>A watch event, or a change of a flow, makes it look at once; a live list at start and every five minutes finds what
 *       events missed.
 *   <li>What is done is decided on a live read; that it is done once, on any node and after any restart, by the database.
 *   <li>The answer is an Event on the object.
 * </ul>
 */
final class AnnotationTrigger
        implements WorkloadClusterEvents, ClusterApiEvents, WorkItemEvents, FlowChanges, AutoCloseable {

    private static final Duration SWEEP = Duration.ofMinutes(5);
    /** When somebody decided in the same moment, or the phase was just left. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final LiveReader reader;
    private final Supplier<Flows> flows;
    private final Supplier<AnnotationAnswers> answers;
    private final List<String> namespaces;
    private final WorkQueue<Target> targets;
    private final WorkQueue<String> sweeps;
    /** Objects whose phases are to be held, or may be held, by the UID that flows know. */
    private final Map<String, Target> held = new ConcurrentHashMap<>();

    /** What can be annotated. */
    private enum Kind {
        WORKLOAD_CLUSTER,
        CLUSTER,
        WORK_ITEM
    }

    /** An object, by the UID that flows know. */
    private record Target(Kind kind, ClusterRef ref) {}

    /**
     * Makes the trigger; nothing happens before {@link #start}.
     *
     * @param flows asked late, as answers are: the kernel itself is given this trigger to call
     * @param namespaces where to list; one empty text for everywhere
     * @param workers the threads of both queues
     */
    AnnotationTrigger(
            LiveReader reader,
            Supplier<Flows> flows,
            Supplier<AnnotationAnswers> answers,
            List<String> namespaces,
            Workers workers) {
        this.reader = reader;
        this.flows = flows;
        this.answers = answers;
        this.namespaces = List.copyOf(namespaces);
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), () -> ThreadLocalRandom.current()
                .nextDouble());
        this.targets = new WorkQueue<>("Doing what annotations ask", workers, backoff, this::lookInContext);
        this.sweeps = new WorkQueue<>("Listing annotated objects", workers, backoff, key -> sweep());
    }

    /** Lists all objects now, and from now on every five minutes. */
    void start() {
        sweeps.add("all");
    }

    @Override
    public void seen(KubeObject cluster) {
        seen(Kind.WORKLOAD_CLUSTER, cluster);
    }

    @Override
    public void clusterSeen(KubeObject metadata) {
        seen(Kind.CLUSTER, metadata);
    }

    @Override
    public void itemSeen(KubeObject item) {
        seen(Kind.WORK_ITEM, item);
    }

    @Override
    public void gone(String namespace, String name, String uid) {
        held.remove(uid);
    }

    @Override
    public void clusterGone(String namespace, String name, String uid) {
        held.remove(uid);
    }

    @Override
    public void itemGone(String namespace, String name, String uid) {
        held.remove(uid);
    }

    @Override
    public void changed(ClusterRef cluster) {
        Optional.ofNullable(held.get(cluster.uid())).ifPresent(targets::add);
    }

    @Override
    public void close() {
        sweeps.close();
        targets.close();
    }

    private void seen(Kind kind, KubeObject object) {
        Target target = new Target(kind, ImportTarget.refOf(object));
        if (Annotation.isOn(object) || target.equals(held.get(target.ref().uid()))) {
            targets.add(target);
        }
    }

    private Optional<Duration> sweep() {
        Map<String, Target> all = new HashMap<>();
        for (Kind kind : Kind.values()) {
            type(kind)
                    .ifPresent(type -> namespaces.forEach(
                            namespace -> list(type, namespace).forEach(object -> {
                                ClusterRef ref = ImportTarget.refOf(object);
                                all.putIfAbsent(ref.uid(), new Target(kind, ref));
                                seen(kind, object);
                            })));
        }
        // Where the annotation went while no node was looking, what it held is still held.
        flows.get().latestOfAll().stream()
                .filter(flow -> flow.state() == FlowState.RUNNING
                        && flow.phases().stream().anyMatch(phase -> phase.state() == PhaseState.PAUSED))
                .map(flow -> all.get(flow.cluster().uid()))
                .forEach(target -> Optional.ofNullable(target).ifPresent(targets::add));
        return Optional.of(SWEEP);
    }

    private List<KubeObject> list(ResourceType type, String namespace) {
        try {
            return reader.list(type, namespace, Map.of());
        } catch (Failure e) {
            if (e.code().equals("KindAbsent")) {
                return List.of();
            }
            throw e;
        }
    }

    private Optional<ResourceType> type(Kind kind) {
        return switch (kind) {
            case WORKLOAD_CLUSTER -> Optional.of(ResourceType.WORKLOAD_CLUSTERS);
            case WORK_ITEM -> Optional.of(ResourceType.WORK_ITEMS);
            case CLUSTER -> reader.find(ClusterApi.GROUP, "Cluster");
        };
    }

    private Optional<Duration> lookInContext(Target target) {
        try (MDC.MDCCloseable context = MDC.putCloseable("cluster", target.ref().display())) {
            return look(target);
        } catch (Decisions.Conflict | Decisions.NotAllowed e) {
            return Optional.of(SOON);
        }
    }

    private Optional<Duration> look(Target target) {
        ClusterRef ref = target.ref();
        Optional<ResourceType> type = type(target.kind());
        Optional<KubeObject> live = type.flatMap(known -> reader.get(known, ref.namespace(), ref.name()))
                .filter(object -> ImportTarget.refOf(object).uid().equals(ref.uid()));
        if (live.isEmpty()) {
            held.remove(ref.uid());
            return Optional.empty();
        }
        KubeObject object = live.get();
        if (target.kind() == Kind.CLUSTER
                && ImportTarget.workloadClusterUid(object).isPresent()) {
            answers.get().refer(object);
            return Optional.empty();
        }
        if (AnnotationAnswers.holds(object)) {
            // Before its flows are asked: a change of one after that is heard.
            held.put(ref.uid(), target);
        }
        if (!answers.get().answer(type.orElseThrow(), object, ref)) {
            held.remove(ref.uid());
        }
        return Optional.empty();
    }
}
