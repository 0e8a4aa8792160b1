package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.NodeCount;
import dev.slipway.cluster.SecondProbe;
import dev.slipway.cluster.WorkloadApi;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Proves that the cluster can be used.
 *
 * <ul>
 *   <li>the Cluster is not paused, so that its controllers look after it
 *   <li>the nodes of all control plane machines are ready, and of as many workers as the WorkloadCluster asks for
 *   <li>{@code /readyz} of the workload API answers 200 in this run and in the one before
 * </ul>
 */
@Component
public class EnsureHealthy implements Phase {

    private final LiveClusters clusters;
    private final ClusterApi api;
    private final WorkloadApi access;

    public EnsureHealthy(LiveClusters clusters, ClusterApi api, WorkloadApi access) {
        this.clusters = clusters;
        this.api = api;
        this.access = access;
    }

    @Override
    public Outcome run(PhaseContext context) {
        int percent = clusters.declared(context).spec().workers().minimumReadyPercent();
        CapiCluster cluster = clusters.built(context);
        if (cluster.paused()) {
            return Outcome.waiting("WaitingForUnpause", cluster.cause());
        }
        Optional<Workload> workload = access.open(context.cluster());
        if (workload.isEmpty()) {
            return WorkloadApi.waitForKubeconfig(context.cluster());
        }
        workload.get().ready();
        NodeCount nodes = NodeCount.of(workload.get().reader(), api, cluster);
        if (!nodes.enough(percent)) {
            return Outcome.waiting("WaitingForNodes", nodes.sentence(percent));
        }
        return SecondProbe.of(context)
                .map(delay -> (Outcome) Outcome.waiting(
                                SecondProbe.REASON,
                                nodes.sentence(percent) + "; the API answered once, and is asked again")
                        .after(delay))
                .orElseGet(() -> Outcome.done(
                        nodes.sentence(percent) + "; " + workload.get().server() + " answered twice"));
    }
}
