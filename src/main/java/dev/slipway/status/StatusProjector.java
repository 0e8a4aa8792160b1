package dev.slipway.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.kernel.FlowChanges;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusterEvents;
import dev.slipway.phase.ClusterRef;
import dev.slipway.queue.Backoff;
import dev.slipway.queue.WorkQueue;
import dev.slipway.queue.Workers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.MDC;

/**
 * Projects what the engine knows onto the status of WorkloadClusters, or of WorkItems, best effort, on its own threads.
 *
 * <ul>
 *   <li>Computed anew from the flows each time; nothing is read back from the status except transition times.
 *   <li>One projection per cluster at a time; what comes meanwhile is coalesced; failures are tried again with back-off.
 *   <li>Nothing is asked of the API server while the result is what was written last. A new attempt or a new next check
 *       alone is written at most once a minute.
 *   <li>A failure here never disturbs a phase.
 * </ul>
 */
public final class StatusProjector implements FlowChanges, WorkloadClusterEvents, AutoCloseable {

    private static final Duration QUIET = Duration.ofMinutes(1);
    private static final Duration DELETION_CHECK = Duration.ofSeconds(30);

    /** A parsed 1 is an int, a made 1 may be a long: for the status they are the same. */
    private static final Comparator<JsonNode> NUMBERS_BY_VALUE = (a, b) ->
            a.isIntegralNumber() && b.isIntegralNumber() ? Long.compare(a.asLong(), b.asLong()) : a.equals(b) ? 0 : 1;

    private final Subject subject;
    private final Supplier<Flows> flows;
    private final LiveReader reader;
    private final KubeWriter writer;
    private final InstantSource clock;
    private final StatusFactory factory;
    private final ClusterEvents events;
    private final ClusterTelling others;
    private final WorkQueue<ClusterRef> queue;
    private final Map<String, Written> written = new ConcurrentHashMap<>();

    /** UIDs whose object is said to have changed: what was written last says nothing then. */
    private final Set<String> doubted = ConcurrentHashMap.newKeySet();

    /** The object as it was after the last projection, its status included. */
    private record Written(KubeObject object, ObjectNode status, Instant at) {}

    /** Whose status it is. */
    enum Subject {
        WORKLOAD_CLUSTERS(ResourceType.WORKLOAD_CLUSTERS) {
            @Override
            boolean isAbout(List<FlowView> known) {
                return !ItemProjection.isAbout(known);
            }

            @Override
            boolean removalRuns(List<FlowView> known) {
                return DeletionProjection.runs(known);
            }

            @Override
            Projection projection(KubeObject object, List<FlowView> known) {
                return object.deleting() ? Projections.ofDeleting(known, object.finalizers()) : Projections.of(known);
            }
        },
        WORK_ITEMS(ResourceType.WORK_ITEMS) {
            @Override
            boolean isAbout(List<FlowView> known) {
                return known.isEmpty() || ItemProjection.isAbout(known);
            }

            @Override
            boolean removalRuns(List<FlowView> known) {
                return ItemProjection.removalRuns(known);
            }

            @Override
            Projection projection(KubeObject object, List<FlowView> known) {
                return ItemProjection.of(known, object.deleting());
            }
        };

        @SuppressWarnings("ImmutableEnumChecker") // A record of texts is immutable, its type does not say so.
        private final ResourceType type;

        Subject(ResourceType type) {
            this.type = type;
        }

        /** Whether these flows are about such an object. */
        abstract boolean isAbout(List<FlowView> known);

        abstract boolean removalRuns(List<FlowView> known);

        abstract Projection projection(KubeObject object, List<FlowView> known);
    }

    /**
     * Makes the projector of WorkloadClusters.
     *
     * @param flows asked late: the kernel itself is given this projector to call
     * @param workers the threads
     */
    public StatusProjector(
            Supplier<Flows> flows, LiveReader reader, KubeWriter writer, InstantSource clock, Workers workers) {
        this(Subject.WORKLOAD_CLUSTERS, flows, reader, writer, clock, workers);
    }

    StatusProjector(
            Subject subject,
            Supplier<Flows> flows,
            LiveReader reader,
            KubeWriter writer,
            InstantSource clock,
            Workers workers) {
        this.subject = subject;
        this.flows = flows;
        this.reader = reader;
        this.writer = writer;
        this.clock = clock;
        this.factory = new StatusFactory(clock);
        this.events = new ClusterEvents(reader, writer, clock);
        this.others = new ClusterTelling(new ClusterApi(reader), factory, events, clock);
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), () -> ThreadLocalRandom.current()
                .nextDouble());
        this.queue = new WorkQueue<>("Writing the status", workers, backoff, this::projectInContext);
    }

    @Override
    public void changed(ClusterRef cluster) {
        queue.add(cluster);
    }

    /** Projects if the spec or the deletion is news; what Slipway itself wrote is not. */
    @Override
    public void seen(KubeObject cluster) {
        Written last = written.get(cluster.uid());
        boolean known = last != null
                && last.object().generation() >= cluster.generation()
                && last.object().deleting() == cluster.deleting();
        if (!known) {
            doubted.add(cluster.uid());
            queue.add(new ClusterRef(cluster.namespace(), cluster.name(), cluster.uid()));
        }
    }

    @Override
    public void gone(String namespace, String name, String uid) {
        written.remove(uid);
        doubted.remove(uid);
    }

    /** How many clusters wait for their projection. */
    public int backlog() {
        return queue.size();
    }

    @Override
    public void close() {
        queue.close();
    }

    private Optional<Duration> projectInContext(ClusterRef cluster) {
        try (MDC.MDCCloseable context = MDC.putCloseable("cluster", cluster.display())) {
            return project(cluster);
        }
    }

    private Optional<Duration> project(ClusterRef cluster) {
        if (doubted.remove(cluster.uid())) {
            written.remove(cluster.uid());
        }
        List<FlowView> known = flows.get().latest(cluster.uid());
        if (!subject.isAbout(known)) {
            return Optional.empty();
        }
        Optional<Duration> quiet = quiet(cluster, known);
        if (quiet.isPresent()) {
            return quiet.filter(wait -> !wait.isZero());
        }
        Optional<KubeObject> live = reader.get(subject.type, cluster.namespace(), cluster.name())
                .filter(object -> object.uid().equals(cluster.uid()));
        if (live.isEmpty()) {
            written.remove(cluster.uid());
            if (subject == Subject.WORKLOAD_CLUSTERS) {
                others.tell(cluster, known);
            }
            return Optional.empty();
        }
        write(live.get(), known);
        // Another node may have written an older result meanwhile, or the flows went on: look once more.
        if (!flows.get().latest(cluster.uid()).equals(known)) {
            return Optional.of(Duration.ZERO);
        }
        return waitsForOthers(live.get(), known) ? Optional.of(DELETION_CHECK) : Optional.empty();
    }

    /**
     * Whether nothing has to be asked or written now.
     *
     * @return empty: go on; zero: nothing changed; longer: look again then
     */
    private Optional<Duration> quiet(ClusterRef cluster, List<FlowView> known) {
        Written last = written.get(cluster.uid());
        if (last == null || waitsForOthers(last.object(), known)) {
            return Optional.empty();
        }
        ObjectNode wanted = factory.status(last.object(), subject.projection(last.object(), known));
        if (wanted.equals(NUMBERS_BY_VALUE, last.status())) {
            return Optional.of(Duration.ZERO);
        }
        Duration left = Duration.between(clock.instant(), last.at().plus(QUIET));
        boolean onlyCounters = withoutCounters(wanted).equals(NUMBERS_BY_VALUE, withoutCounters(last.status()));
        // Longer than ever meant: the clock was set back.
        boolean early = left.compareTo(Duration.ZERO) > 0 && left.compareTo(QUIET) <= 0;
        return onlyCounters && early ? Optional.of(left) : Optional.empty();
    }

    /** Whether the object stays without a flow of which its status tells: only the object itself shows what changes. */
    private boolean waitsForOthers(KubeObject object, List<FlowView> known) {
        return object.deleting() && !subject.removalRuns(known);
    }

    private void write(KubeObject live, List<FlowView> known) {
        Projection projection = subject.projection(live, known);
        ObjectNode before = live.at("status") instanceof ObjectNode status
                ? status.deepCopy()
                : JsonNodeFactory.instance.objectNode();
        // Its phase shows that itself.
        before.remove("release");
        ObjectNode wanted = factory.status(live, projection);
        if (!wanted.equals(NUMBERS_BY_VALUE, before)) {
            KubeObject patch = KubeObject.named(subject.type, live.namespace(), live.name());
            // The UID is a precondition: an object made anew under the same name gets nothing of the old one's.
            ((ObjectNode) patch.at("metadata")).put("uid", live.uid());
            patch.json().set("status", wanted);
            writer.applyStatus(subject.type, patch);
            events.record(live, Happenings.between(before, wanted));
        }
        live.json().set("status", wanted);
        written.put(live.uid(), new Written(live, wanted, clock.instant()));
    }

    private static ObjectNode withoutCounters(ObjectNode status) {
        ObjectNode copy = status.deepCopy();
        if (copy.path("flow") instanceof ObjectNode flow) {
            flow.remove(List.of("attempt", "nextCheck"));
        }
        return copy;
    }
}
