package dev.slipway.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kernel.FlowView;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells of Clusters without a WorkloadCluster: they have no status of Slipway's, so by Events alone.
 *
 * <p>What was told last is kept in memory: after a restart only what happens then is told.
 */
final class ClusterTelling {

    /** A flow that began so recently has not been told of by an earlier run of Slipway. */
    private static final Duration NEW = Duration.ofMinutes(1);

    private final ClusterApi api;
    private final StatusFactory factory;
    private final ClusterEvents events;
    private final InstantSource clock;
    private final Map<String, ObjectNode> told = new ConcurrentHashMap<>();

    ClusterTelling(ClusterApi api, StatusFactory factory, ClusterEvents events, InstantSource clock) {
        this.api = api;
        this.factory = factory;
        this.events = events;
        this.clock = clock;
    }

    /** Tells what has happened since the last call. */
    void tell(ClusterRef ref, List<FlowView> known) {
        if (known.isEmpty()) {
            return;
        }
        KubeObject nameless = KubeObject.named(ResourceType.WORKLOAD_CLUSTERS, ref.namespace(), ref.name());
        ObjectNode now = factory.status(nameless, Projections.ofCluster(known));
        ObjectNode before = told.getOrDefault(ref.uid(), isNew(known) ? JsonNodeFactory.instance.objectNode() : now);
        List<Happening> happenings = Happenings.between(before, now);
        if (!happenings.isEmpty()) {
            Optional<CapiCluster> cluster = api.cluster(ref.namespace(), ref.name())
                    .filter(live -> ImportTarget.refOf(live.object()).uid().equals(ref.uid()));
            if (cluster.isEmpty()) {
                told.remove(ref.uid());
                return;
            }
            events.record(cluster.get().object(), happenings);
        }
        told.put(ref.uid(), now);
    }

    private boolean isNew(List<FlowView> known) {
        return FlowReading.leading(known)
                .filter(flow -> clock.instant().isBefore(flow.startedAt().plus(NEW)))
                .isPresent();
    }
}
