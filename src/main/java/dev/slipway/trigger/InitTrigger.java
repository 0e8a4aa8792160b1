package dev.slipway.trigger;

import dev.slipway.kernel.FlowKinds;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusterEvents;
import dev.slipway.phase.ClusterRef;
import dev.slipway.queue.Backoff;
import dev.slipway.queue.WorkQueue;
import dev.slipway.queue.Workers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Starts init for each WorkloadCluster exactly once, and its deletion when that was requested.
 *
 * <ul>
 *   <li>A watch event makes it look at once; a live list at start and every five minutes finds what events missed.
 *   <li>What is done is decided on a live read; that it is done once, on any node and after any restart, by the database.
 *   <li>Failures are tried again with back-off and never lost; watch threads are never held up.
 * </ul>
 */
public final class InitTrigger implements WorkloadClusterEvents, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(InitTrigger.class);
    private static final Duration SWEEP = Duration.ofMinutes(5);
    private static final String STARTED_BY = "slipway";
    private static final String PLANNED = "Planned";

    private final Flows flows;
    private final LiveReader reader;
    private final List<String> namespaces;
    private final WorkQueue<ClusterRef> clusters;
    private final WorkQueue<String> sweeps;
    /** UIDs whose creation has fired: spares the database a question per watch event. */
    private final Set<String> fired = ConcurrentHashMap.newKeySet();

    private final DeletionStarts deletions;
    private final Absences absences;

    /**
     * Makes the trigger; nothing happens before {@link #start}.
     *
     * @param namespaces where to list; one empty text for everywhere
     * @param workers the threads of both queues
     */
    InitTrigger(
            Flows flows,
            LiveReader reader,
            DeletionStarts deletions,
            List<String> namespaces,
            InstantSource clock,
            Workers workers) {
        this.flows = flows;
        this.deletions = deletions;
        this.absences = new Absences(clock);
        this.reader = reader;
        this.namespaces = List.copyOf(namespaces);
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), () -> ThreadLocalRandom.current()
                .nextDouble());
        this.clusters = new WorkQueue<>("Looking whether to start a flow", workers, backoff, this::lookInContext);
        this.sweeps = new WorkQueue<>("Listing WorkloadClusters", workers, backoff, key -> sweep());
    }

    /** Lists all clusters now, and from now on every five minutes. */
    public void start() {
        sweeps.add("all");
    }

    @Override
    public void seen(KubeObject cluster) {
        if (cluster.deleting() || mayStart(cluster)) {
            clusters.add(new ClusterRef(cluster.namespace(), cluster.name(), cluster.uid()));
        }
    }

    @Override
    public void gone(String namespace, String name, String uid) {
        fired.remove(uid);
        // Removed without our finalizer, by force for example: its flows have nothing left to act on.
        clusters.add(new ClusterRef(namespace, name, uid));
    }

    @Override
    public void close() {
        sweeps.close();
        clusters.close();
    }

    private Optional<Duration> sweep() {
        List<KubeObject> all = namespaces.stream()
                .flatMap(namespace -> reader.list(ResourceType.WORKLOAD_CLUSTERS, namespace, Map.of()).stream())
                .toList();
        Set<String> present = all.stream().map(KubeObject::uid).collect(Collectors.toSet());
        fired.retainAll(present);
        all.forEach(this::seen);
        // A cluster that went while no node was looking left its flow behind.
        List<FlowView> latest = flows.latestOfAll();
        // Import also has flows of Clusters without a WorkloadCluster: those are none of this trigger's business.
        Set<String> ours = latest.stream()
                .filter(flow -> Flows.INIT.equals(flow.kind()))
                .map(flow -> flow.cluster().uid())
                .collect(Collectors.toSet());
        latest.stream()
                .filter(flow -> flow.state() == FlowState.RUNNING && !FlowKinds.deletes(flow.kind()))
                .map(FlowView::cluster)
                .filter(cluster -> ours.contains(cluster.uid()) && !present.contains(cluster.uid()))
                .forEach(clusters::add);
        return Optional.of(SWEEP);
    }

    private Optional<Duration> lookInContext(ClusterRef cluster) {
        try (MDC.MDCCloseable context = MDC.putCloseable("cluster", cluster.display())) {
            return look(cluster);
        }
    }

    private Optional<Duration> look(ClusterRef cluster) {
        Optional<KubeObject> live = reader.get(ResourceType.WORKLOAD_CLUSTERS, cluster.namespace(), cluster.name())
                .filter(object -> object.uid().equals(cluster.uid()));
        if (live.isEmpty() && !absences.isConfirmed(cluster)) {
            return Optional.of(Absences.SECOND_LOOK);
        }
        if (live.isEmpty() || live.get().deleting()) {
            // Should it live on after all, the next look starts it again.
            fired.remove(cluster.uid());
            live.ifPresentOrElse(object -> deletions.workloadCluster(object, cluster), () -> deletions.gone(cluster));
            return Optional.empty();
        }
        absences.forget(cluster);
        Optional<String> due = trigger(live.get(), cluster);
        if (due.isEmpty() || start(cluster, due.get())) {
            fired.add(cluster.uid());
        }
        return Optional.empty();
    }

    /** Which trigger fires now: the creation, a dry run turned into a real one, or a flow ended by a false alarm. */
    private Optional<String> trigger(KubeObject cluster, ClusterRef ref) {
        Optional<FlowView> latest = flows.latest(ref.uid()).stream()
                .filter(flow -> Flows.INIT.equals(flow.kind()))
                .max(Comparator.comparing(FlowView::startedAt));
        if (latest.isEmpty()) {
            return Optional.of(ref.uid() + "/init/created");
        }
        if (latest.get().state() == FlowState.INTERRUPTED) {
            // It was told of a deletion, but the cluster lives on.
            return Optional.of(ref.uid() + "/init/after-" + latest.get().id());
        }
        return latest.filter(flow -> flow.state() == FlowState.COMPLETED && PLANNED.equals(flow.result()))
                .filter(flow -> !dryRun(cluster))
                .map(flow -> ref.uid() + "/init/generation-" + cluster.generation());
    }

    /** Whether it was started here; if not, the next look tells why: a deletion that runs may still be aborted. */
    private boolean start(ClusterRef cluster, String triggerKey) {
        try {
            FlowView flow = flows.start(Flows.INIT, cluster, STARTED_BY, triggerKey);
            LOG.info("Started flow {} with id {}", flow.kind(), flow.id());
            return true;
        } catch (Flows.FlowConflict e) {
            // Another node, or a person, was first.
            LOG.debug("Not started: {}", e.getMessage());
            return false;
        }
    }

    /** A first sight of the status only: what is really done is decided live. */
    private boolean mayStart(KubeObject cluster) {
        boolean planned = PLANNED.equals(cluster.text("status", "phase").orElse(""));
        return !fired.contains(cluster.uid()) || (planned && !dryRun(cluster));
    }

    private static boolean dryRun(KubeObject cluster) {
        return cluster.at("spec", "dryRun").asBoolean(false);
    }
}
