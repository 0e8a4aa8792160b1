package dev.slipway.trigger;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.ClusterMarks;
import dev.slipway.imports.ImportTarget;
import dev.slipway.imports.LabelSelector;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.ClusterApiEvents;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.queue.Backoff;
import dev.slipway.queue.WorkQueue;
import dev.slipway.queue.Workers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.MDC;

/**
 * Starts the import of each Cluster that is provisioned and not imported, and its deletion when that was requested.
 *
 * <ul>
 *   <li>A watch event makes it look at once; a live list at start and every five minutes finds what events missed.
 *   <li>What is done is decided on a live read; when it is done, by {@link ImportStarts}.
 *   <li>A Cluster that is paused is started too: its flow waits and says so.
 * </ul>
 */
public final class ImportTrigger implements ClusterApiEvents, AutoCloseable {

    private static final Duration SWEEP = Duration.ofMinutes(5);
    private static final String NOT_IMPORTED = "NotImported";

    private final Flows flows;
    private final ClusterApi api;
    private final List<String> namespaces;
    private final Policy policy;
    private final ImportStarts starts;
    private final DeletionStarts deletions;
    private final Consumer<ClusterRef> imported;
    private final WorkQueue<ClusterRef> clusters;
    private final WorkQueue<String> sweeps;
    private final Absences absences;

    /**
     * What is imported unasked.
     *
     * @param watch whether anything is
     * @param selector the labels of what is
     * @param platform whether there is a platform to import into
     */
    record Policy(boolean watch, LabelSelector selector, PlatformPresence platform) {

        /** Whether a Cluster is to be imported: by its metadata alone, which an event carries too. */
        boolean wants(KubeObject cluster) {
            return watch
                    && !cluster.deleting()
                    && !ImportInvariants.imported(cluster)
                    && allows(cluster)
                    && selects(cluster);
        }

        /** Whether nobody has opted the Cluster out. */
        boolean allows(KubeObject cluster) {
            return !ClusterMarks.optedOut(cluster);
        }

        boolean selects(KubeObject cluster) {
            return selector.matches(cluster.labels());
        }
    }

    /** What starts flows: imports, and deletions of what was imported. */
    record Starts(ImportStarts imports, DeletionStarts deletions) {}

    /**
     * Makes the trigger; nothing happens before {@link #start}.
     *
     * @param namespaces where to list; one empty text for everywhere
     * @param imported is told of each Cluster that is imported; must be quick
     * @param workers the threads of both queues
     */
    ImportTrigger(
            Flows flows,
            ClusterApi api,
            List<String> namespaces,
            Policy policy,
            Starts starts,
            Consumer<ClusterRef> imported,
            InstantSource clock,
            Workers workers) {
        this.flows = flows;
        this.api = api;
        this.namespaces = List.copyOf(namespaces);
        this.policy = policy;
        this.starts = starts.imports();
        this.deletions = starts.deletions();
        this.imported = imported;
        this.absences = new Absences(clock);
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), () -> ThreadLocalRandom.current()
                .nextDouble());
        this.clusters = new WorkQueue<>("Looking whether to import", workers, backoff, this::lookInContext);
        this.sweeps = new WorkQueue<>("Listing Clusters to import", workers, backoff, key -> sweep());
    }

    /** Lists all Clusters now, and from now on every five minutes. */
    void start() {
        sweeps.add("all");
    }

    @Override
    public void clusterSeen(KubeObject metadata) {
        if (ImportInvariants.imported(metadata)) {
            imported.accept(ImportTarget.refOf(metadata));
        }
        if (metadata.deleting() || policy.wants(metadata)) {
            clusters.add(ImportTarget.refOf(metadata));
        }
    }

    @Override
    public void clusterGone(String namespace, String name, String uid) {
        starts.forget(uid);
        clusters.add(new ClusterRef(namespace, name, uid));
    }

    @Override
    public void close() {
        sweeps.close();
        clusters.close();
    }

    private Optional<Duration> sweep() {
        List<KubeObject> all = namespaces.stream()
                .flatMap(namespace -> api.clusters(namespace).stream())
                .map(CapiCluster::object)
                .toList();
        if (policy.watch()) {
            policy.platform().check();
        }
        all.forEach(this::clusterSeen);
        tellFlowsOfTheGone(all);
        return Optional.of(SWEEP);
    }

    /** A Cluster that went while no node was looking left its flow behind. */
    private void tellFlowsOfTheGone(List<KubeObject> present) {
        Set<String> uids =
                present.stream().map(ImportTarget::refOf).map(ClusterRef::uid).collect(Collectors.toSet());
        flows.latestOfAll().stream()
                .filter(flow -> flow.state() == FlowState.RUNNING && flow.kind().equals(Flows.IMPORT))
                .map(FlowView::cluster)
                .filter(cluster -> !uids.contains(cluster.uid()))
                .forEach(clusters::add);
    }

    private Optional<Duration> lookInContext(ClusterRef ref) {
        try (MDC.MDCCloseable context = MDC.putCloseable("cluster", ref.display())) {
            return look(ref);
        }
    }

    private Optional<Duration> look(ClusterRef ref) {
        Optional<CapiCluster> live = api.cluster(ref.namespace(), ref.name())
                .filter(cluster -> ImportTarget.refOf(cluster.object()).uid().equals(ref.uid()));
        if (live.isEmpty() && !absences.isConfirmed(ref)) {
            return Optional.of(Absences.SECOND_LOOK);
        }
        if (live.isEmpty() || live.get().object().deleting()) {
            live.ifPresentOrElse(cluster -> deletions.cluster(cluster.object(), ref), () -> gone(ref));
            return Optional.empty();
        }
        absences.forget(ref);
        CapiCluster cluster = live.get();
        if (policy.wants(cluster.object())
                && isProvisioned(cluster)
                && policy.platform().isServed()) {
            starts.start(cluster, NOT_IMPORTED);
        }
        return Optional.empty();
    }

    /** A Cluster that somebody else built names an endpoint and has no infrastructure to wait for. */
    private static boolean isProvisioned(CapiCluster cluster) {
        boolean builtElsewhere = !cluster.hasTopology()
                && cluster.infrastructureRef().isEmpty()
                && cluster.controlPlaneRef().isEmpty();
        return cluster.endpoint().isPresent() && (cluster.infrastructureProvisioned() || builtElsewhere);
    }

    private void gone(ClusterRef ref) {
        // Flows of a WorkloadCluster end with the WorkloadCluster: init says itself that its Cluster is gone.
        boolean ofWorkloadCluster =
                flows.latest(ref.uid()).stream().anyMatch(flow -> flow.kind().equals(Flows.INIT));
        if (!ofWorkloadCluster) {
            deletions.gone(ref);
        }
    }
}
