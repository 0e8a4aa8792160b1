package dev.slipway.trigger;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.imports.ClusterMarks;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.phase.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether Slipway itself may start an import now, and starts it: for the trigger and for the drift watch alike.
 *
 * <ul>
 *   <li>Never while a flow of the cluster is active; of a WorkloadCluster only after its init has ended Ready.
 *   <li>Once for each earlier import: the trigger key names it, so the database decides between nodes.
 *   <li>For the same cause again only after 1, 5, 15, then 60 minutes: what undoes the import is not fought at full speed.
 *   <li>Not after an operator aborted it, until the Cluster's spec or one of its annotations {@link ClusterMarks#OPT_OUT} and
 *       {@link ImportAccess#KUBECONFIG_SECRET} changes, or a person starts it.
 * </ul>
 */
final class ImportStarts {

    private static final Logger LOG = LoggerFactory.getLogger(ImportStarts.class);
    private static final List<Duration> WAITS = List.of(
            Duration.ZERO, Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofHours(1));
    /** After so long a time without the cause, it counts as a new one. */
    private static final Duration FORGOTTEN = Duration.ofHours(3);

    private static final String STARTED_BY = "slipway";
    private static final String READY = "Ready";

    private final Flows flows;
    private final InstantSource clock;
    /** By UID: for which cause, after which flow, how often in a row. */
    private final Map<String, Repeated> repeated = new ConcurrentHashMap<>();
    /** By UID: what the Cluster looked like when its import was first seen aborted. */
    private final Map<String, Held> held = new ConcurrentHashMap<>();

    private record Repeated(String cause, String afterFlow, int times) {}

    private record Held(String flow, String look) {}

    ImportStarts(Flows flows, InstantSource clock) {
        this.flows = flows;
        this.clock = clock;
    }

    /**
     * Starts the import of a cluster that lacks something, unless it is not the time for it.
     *
     * @param cluster the Cluster as just read live
     * @param cause what it lacks, one word; the same word for the same thing
     * @return the flow, if one was started
     */
    Optional<FlowView> start(CapiCluster cluster, String cause) {
        ClusterRef ref = ImportTarget.refOf(cluster.object());
        List<FlowView> latest = flows.latest(ref.uid());
        if (latest.stream().anyMatch(flow -> flow.state() == FlowState.RUNNING) || waitsForInit(cluster, latest)) {
            return Optional.empty();
        }
        return key(cluster, ref, find(latest, Flows.IMPORT), cause).flatMap(key -> start(ref, key));
    }

    /** Whether a flow of the cluster is active. */
    boolean busy(ClusterRef ref) {
        return !flows.active(ref.uid()).isEmpty();
    }

    /** Forgets what is known about a cluster that is gone. */
    void forget(String uid) {
        repeated.remove(uid);
        held.remove(uid);
    }

    /** Init calls the import itself: before it is Ready, it has not come so far or an operator decided otherwise. */
    private static boolean waitsForInit(CapiCluster cluster, List<FlowView> latest) {
        if (ImportTarget.workloadClusterUid(cluster.object()).isEmpty()) {
            return false;
        }
        FlowView init = find(latest, Flows.INIT);
        return init == null || init.state() != FlowState.COMPLETED || !READY.equals(init.result());
    }

    private Optional<String> key(CapiCluster cluster, ClusterRef ref, @Nullable FlowView last, String cause) {
        if (last == null) {
            return Optional.of(ref.uid() + "/import/created");
        }
        boolean now =
                switch (last.state()) {
                    case RUNNING -> false;
                    // It was told of a deletion, but the cluster lives on.
                    case INTERRUPTED -> true;
                    case ABORTED -> changedSinceAbort(cluster, ref, last);
                    case COMPLETED -> isDue(ref, last, cause);
                };
        return now ? Optional.of(ref.uid() + "/import/after-" + last.id()) : Optional.empty();
    }

    private boolean changedSinceAbort(CapiCluster cluster, ClusterRef ref, FlowView last) {
        String look = look(cluster);
        Held known = held.compute(
                ref.uid(),
                (uid, before) ->
                        before != null && before.flow().equals(last.id()) ? before : new Held(last.id(), look));
        return !known.look().equals(look);
    }

    private static String look(CapiCluster cluster) {
        Map<String, String> annotations = cluster.object().annotations();
        return cluster.object().generation() + "|" + annotations.getOrDefault(ClusterMarks.OPT_OUT, "") + "|"
                + annotations.getOrDefault(ImportAccess.KUBECONFIG_SECRET, "");
    }

    private boolean isDue(ClusterRef ref, FlowView last, String cause) {
        Instant ended = last.endedAt() == null ? last.startedAt() : last.endedAt();
        Instant now = clock.instant();
        Repeated count = repeated.compute(ref.uid(), (uid, before) -> {
            if (before == null || !before.cause().equals(cause) || now.isAfter(ended.plus(FORGOTTEN))) {
                return new Repeated(cause, last.id(), 0);
            }
            return before.afterFlow().equals(last.id())
                    ? before
                    : new Repeated(cause, last.id(), Math.min(before.times() + 1, WAITS.size() - 1));
        });
        return !now.isBefore(ended.plus(WAITS.get(count.times())));
    }

    private Optional<FlowView> start(ClusterRef ref, String key) {
        try {
            FlowView flow = flows.start(Flows.IMPORT, ref, STARTED_BY, key);
            LOG.info("Started flow {} with id {}", flow.kind(), flow.id());
            return Optional.of(flow);
        } catch (Flows.FlowConflict e) {
            // Another node, or a person, was first.
            LOG.debug("Not started: {}", e.getMessage());
            return Optional.empty();
        } catch (Flows.UnknownFlow e) {
            LOG.error("No import is started: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static @Nullable FlowView find(List<FlowView> flows, String kind) {
        return flows.stream()
                .filter(flow -> flow.kind().equals(kind))
                .findFirst()
                .orElse(null);
    }
}
