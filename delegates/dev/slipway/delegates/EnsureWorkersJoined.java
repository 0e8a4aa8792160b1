package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.Observation;
import dev.slipway.cluster.WorkerCount;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Waits until the worker machines have become nodes, ready or not.
 *
 * <ul>
 *   <li>every group of workers of a topology has its machine deployment
 *   <li>as many workers have a node as all machine deployments and pools ask for, or the share that the
 *       WorkloadCluster allows in {@code spec.workers.minimumReadyPercent}
 * </ul>
 */
@Component
public class EnsureWorkersJoined implements Phase {

    private final LiveClusters clusters;
    private final ClusterApi api;

    public EnsureWorkersJoined(LiveClusters clusters, ClusterApi api) {
        this.clusters = clusters;
        this.api = api;
    }

    @Override
    public Outcome run(PhaseContext context) {
        int percent = clusters.declared(context).spec().workers().minimumReadyPercent();
        CapiCluster cluster = clusters.built(context);
        WorkerCount workers = WorkerCount.of(api, cluster, api.machines(cluster));
        if (!workers.missingGroups().isEmpty()) {
            return Outcome.waiting(
                    "WaitingForTopology",
                    Observation.of(
                            "the topology controller has not made the groups of workers " + workers.missingGroups()
                                    + " yet",
                            cluster.cause("TopologyReconciled")));
        }
        int joined = workers.nodes().size();
        int required = workers.required(percent);
        String count = joined + " of " + workers.desired() + " workers joined";
        if (required < workers.desired()) {
            count += " (" + required + " suffice)";
        }
        if (joined < required) {
            String cause = workers.cause().isEmpty() ? cluster.cause("WorkersAvailable") : workers.cause();
            return Outcome.waiting("WaitingForWorkers", Observation.of(count, cause));
        }
        return Outcome.done(count);
    }
}
