package dev.slipway.trigger;

import dev.slipway.cluster.WorkloadCluster;
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
import dev.slipway.workitem.DeclaredItems;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Makes the work items of a cluster that is ready follow its spec; until then the init flow does.
 *
 * <p>Applying what is so already writes nothing, so it is done once for each generation that this node has seen.
 */
final class DeclaredItemsSync implements WorkloadClusterEvents, AutoCloseable {

    private final Supplier<Flows> flows;
    private final LiveReader reader;
    private final DeclaredItems declared;
    private final WorkQueue<ClusterRef> queue;
    /** The generation that was applied last, by UID. */
    private final Map<String, Long> applied = new ConcurrentHashMap<>();

    DeclaredItemsSync(Supplier<Flows> flows, LiveReader reader, DeclaredItems declared, Workers workers) {
        this.flows = flows;
        this.reader = reader;
        this.declared = declared;
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), () -> ThreadLocalRandom.current()
                .nextDouble());
        this.queue = new WorkQueue<>("Applying declared work items", workers, backoff, this::apply);
    }

    @Override
    public void seen(KubeObject cluster) {
        Long last = applied.get(cluster.uid());
        // A first sight of the status only: whether it is built is decided by its flows.
        boolean due =
                last == null ? "Ready".equals(cluster.text("status", "phase").orElse("")) : last < cluster.generation();
        if (!cluster.deleting() && due) {
            queue.add(new ClusterRef(cluster.namespace(), cluster.name(), cluster.uid()));
        }
    }

    @Override
    public void gone(String namespace, String name, String uid) {
        applied.remove(uid);
    }

    @Override
    public void close() {
        queue.close();
    }

    private Optional<Duration> apply(ClusterRef ref) {
        Optional<KubeObject> live = reader.get(ResourceType.WORKLOAD_CLUSTERS, ref.namespace(), ref.name())
                .filter(object -> object.uid().equals(ref.uid()) && !object.deleting());
        if (live.isPresent() && isBuilt(ref)) {
            declared.apply(WorkloadCluster.of(live.get()));
            applied.put(ref.uid(), live.get().generation());
        }
        return Optional.empty();
    }

    private boolean isBuilt(ClusterRef ref) {
        List<FlowView> latest = flows.get().latest(ref.uid());
        return latest.stream().anyMatch(flow -> flow.kind().equals(Flows.INIT) && "Ready".equals(flow.result()))
                && latest.stream()
                        .noneMatch(flow -> flow.state() == FlowState.RUNNING
                                && !flow.kind().equals(Flows.IMPORT));
    }
}
