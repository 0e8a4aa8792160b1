package dev.slipway.trigger;

import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.queue.Backoff;
import dev.slipway.queue.WorkQueue;
import dev.slipway.queue.Workers;
import dev.slipway.status.ClusterEvents;
import dev.slipway.status.Happening;
import dev.slipway.workitem.ItemClusters;
import dev.slipway.workitem.ItemProgress;
import dev.slipway.workitem.ItemRelease;
import dev.slipway.workitem.ItemReleases;
import dev.slipway.workitem.ItemVersion;
import dev.slipway.workitem.LiveItems;
import dev.slipway.workitem.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Compares each installed work item with what is in its cluster, again and again, and installs it again when they differ.
 *
 * <p>A cluster that does not answer is no drift. The version that is installed is kept: a newer one that fits a constraint
 * is taken only when the work item changes.
 */
final class WorkItemDrift implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkItemDrift.class);
    private static final double JITTER = 0.2;

    private final Supplier<Flows> flows;
    private final Looking looking;
    private final ClusterEvents events;
    private final Pace pace;
    private final WorkQueue<ClusterRef> queue;
    private final Set<String> tracked = ConcurrentHashMap.newKeySet();

    /** What a look needs. */
    record Looking(LiveItems items, ItemProgress progress, ItemClusters clusters, ItemReleases releases) {}

    /**
     * How often it looks.
     *
     * @param interval on average
     * @param random from 0 to 1, spreads the looks
     */
    record Pace(Duration interval, DoubleSupplier random) {

        Duration next() {
            double part = 1 - JITTER + 2 * JITTER * random.getAsDouble();
            return Duration.ofMillis((long) (interval.toMillis() * part));
        }
    }

    WorkItemDrift(Supplier<Flows> flows, Looking looking, ClusterEvents events, Pace pace, Workers workers) {
        this.flows = flows;
        this.looking = looking;
        this.events = events;
        this.pace = pace;
        Backoff backoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(5), pace.random());
        this.queue = new WorkQueue<>("Looking for drift of work items", workers, backoff, this::lookInContext);
    }

    /** Looks at that work item from now on. */
    void installed(ClusterRef item) {
        if (tracked.add(item.uid())) {
            queue.addAfter(item, pace.next());
        }
    }

    @Override
    public void close() {
        queue.close();
    }

    private Optional<Duration> lookInContext(ClusterRef ref) {
        try (MDC.MDCCloseable context = MDC.putCloseable("cluster", ref.display())) {
            Optional<KubeObject> live = looking.items().object(ref).filter(item -> !item.deleting());
            if (live.isEmpty()) {
                tracked.remove(ref.uid());
                return Optional.empty();
            }
            WorkItem item = WorkItem.of(live.get());
            if (!item.spec().paused() && looking.progress().of(item).installed()) {
                look(item);
            }
        } catch (Failure e) {
            LOG.info("Whether the work item holds is unknown: {}", e.getMessage());
        }
        return Optional.of(pace.next());
    }

    private void look(WorkItem item) {
        List<String> found = new ArrayList<>();
        Map<String, String> facts = new HashMap<>();
        looking.clusters().in(item.namespace(), item.cluster(), cluster -> {
            found.addAll(looking.releases().drift(item, cluster));
            looking.releases()
                    .found(ItemRelease.of(item), cluster)
                    .ifPresent(release -> facts.putAll(ItemVersion.facts(item, release.chartVersion())));
            return Outcome.done("looked");
        });
        if (!found.isEmpty()) {
            repair(item, found, keepsVersion(item) ? facts : Map.of());
        }
    }

    /** An exact version is what it is; what fits a constraint must not change with a repair. */
    private static boolean keepsVersion(WorkItem item) {
        return item.spec().chart() != null
                && (item.spec().chart().version() == null
                        || !item.spec().chart().version().matches("v?\\d+\\.\\d+\\.\\d+.*"));
    }

    private void repair(WorkItem item, List<String> found, Map<String, String> facts) {
        events.record(item.object(), List.of(Happening.warning("Drifted", String.join("; ", found))));
        Optional<FlowView> last = flows.get().latest(item.uid()).stream()
                .filter(flow -> flow.kind().equals(Flows.ITEM_INSTALL))
                .findFirst();
        try {
            flows.get()
                    .start(
                            Flows.ITEM_INSTALL,
                            item.ref(),
                            "slipway",
                            item.uid() + "/install/drift-"
                                    + last.map(FlowView::id).orElse(""),
                            facts);
            LOG.warn("The work item does not hold any more and is installed again: {}", String.join("; ", found));
        } catch (Flows.FlowConflict e) {
            LOG.debug("Not started: {}", e.getMessage());
        }
    }
}
