package dev.slipway.trigger;

import dev.slipway.imports.ImportTarget;
import dev.slipway.imports.ImportTargets;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformApi;
import dev.slipway.queue.Backoff;
import dev.slipway.queue.WorkQueue;
import dev.slipway.queue.Workers;
import dev.slipway.status.ClusterEvents;
import dev.slipway.status.Happening;
import dev.slipway.trigger.DriftCheck.Finding;
import dev.slipway.trigger.DriftCheck.Seen;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Looks at each imported cluster again and again, and starts its import when something does not hold any more.
 *
 * <ul>
 *   <li>On threads of its own, with a deadline: clusters that do not answer slow down neither the others nor flows.
 *   <li>A workload cluster that does not answer is no drift: what is in it is unknown then.
 *   <li>When a start is due, {@link ImportStarts} decides; what was found is told in the log, in an Event on the Cluster
 *       and in the metric {@code slipway.import.drift}.
 * </ul>
 */
final class DriftWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DriftWatch.class);
    private static final double JITTER = 0.2;

    private final Scope scope;
    private final Flows flows;
    private final ImportStarts starts;
    private final DriftCheck check;
    private final Telling telling;
    private final DoubleSupplier random;
    private final WorkQueue<ClusterRef> clusters;
    /** UIDs that have a next look. */
    private final Set<String> tracked = ConcurrentHashMap.newKeySet();
    /** UIDs whose workload cluster could not be looked at last time. */
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    /**
     * Which clusters are looked at, and how often.
     *
     * @param targets finds them
     * @param platform where their records are
     * @param policy which of them Slipway may repair
     * @param interval how often
     */
    record Scope(ImportTargets targets, PlatformApi platform, ImportTrigger.Policy policy, Duration interval) {}

    /**
     * Where findings are told.
     *
     * @param events on the Cluster
     * @param meters as a metric
     */
    record Telling(ClusterEvents events, MeterRegistry meters) {

        void tell(KubeObject cluster, List<Finding> findings) {
            for (Finding finding : findings) {
                Counter.builder("slipway.import.drift")
                        .description("Looks of this node that found something of an imported cluster not to hold")
                        .tag("invariant", finding.invariant())
                        .register(meters)
                        .increment();
            }
            events.record(cluster, List.of(Happening.warning("ImportDrift", sentence(findings))));
        }
    }

    /**
     * Makes the watch; nothing happens before {@link #imported}.
     *
     * @param random from 0 to 1, spreads the looks
     * @param workers its threads
     */
    DriftWatch(
            Scope scope,
            Flows flows,
            ImportStarts starts,
            DriftCheck check,
            Telling telling,
            DoubleSupplier random,
            Workers workers) {
        this.scope = scope;
        this.flows = flows;
        this.starts = starts;
        this.check = check;
        this.telling = telling;
        this.random = random;
        Backoff backoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(5), random);
        this.clusters = new WorkQueue<>("Looking for drift", workers, backoff, this::lookInContext);
    }

    /** Looks at that cluster from now on, first at any time within the interval. */
    void imported(ClusterRef cluster) {
        if (scope.policy().watch() && tracked.add(cluster.uid())) {
            clusters.addAfter(cluster, part(random.getAsDouble()));
        }
    }

    @Override
    public void close() {
        clusters.close();
    }

    private Optional<Duration> lookInContext(ClusterRef ref) {
        try (MDC.MDCCloseable context = MDC.putCloseable("cluster", ref.display())) {
            Optional<ImportTarget> target = scope.targets()
                    .find(ref)
                    .filter(found -> isImported(found.cluster().object()));
            if (target.isEmpty()) {
                // The trigger's business, should it come back.
                tracked.remove(ref.uid());
                unknown.remove(ref.uid());
                return Optional.empty();
            }
            look(target.get());
            return Optional.of(part(1 - JITTER + 2 * JITTER * random.getAsDouble()));
        }
    }

    private void look(ImportTarget target) {
        KubeObject cluster = target.cluster().object();
        boolean ours = flows.latest(target.ref().uid()).stream()
                .anyMatch(flow -> flow.kind().equals(Flows.IMPORT));
        boolean mayRepair =
                scope.policy().allows(cluster) && (ours || scope.policy().selects(cluster));
        if (!mayRepair || !scope.policy().platform().isServed() || starts.busy(target.ref())) {
            return;
        }
        Optional<Platform> platform = scope.platform().open();
        if (platform.isEmpty()) {
            return;
        }
        Seen seen = check.look(target, platform.get(), ours);
        noteUnknown(target.ref().uid(), seen);
        if (!seen.findings().isEmpty()) {
            telling.tell(cluster, seen.findings());
            repair(target, seen.findings());
        }
    }

    private void repair(ImportTarget target, List<Finding> findings) {
        Optional<FlowView> flow = starts.start(target.cluster(), findings.get(0).invariant());
        LOG.warn(
                "The import does not hold any more invariants={} started={}: {}",
                findings.stream().map(Finding::invariant).toList(),
                flow.map(FlowView::id).orElse("not now"),
                sentence(findings));
    }

    private void noteUnknown(String uid, Seen seen) {
        if (seen.unknown().isEmpty()) {
            if (unknown.remove(uid)) {
                LOG.info("The workload cluster can be looked at again");
            }
        } else if (unknown.add(uid)) {
            LOG.info(
                    "Whether the import holds in the workload cluster is unknown: {}",
                    seen.unknown().get());
        }
    }

    private Duration part(double factor) {
        return Duration.ofMillis((long) (scope.interval().toMillis() * factor));
    }

    private static boolean isImported(KubeObject cluster) {
        return ImportInvariants.imported(cluster) && !cluster.deleting();
    }

    private static String sentence(List<Finding> findings) {
        return findings.stream().map(Finding::message).collect(Collectors.joining("; "));
    }
}
