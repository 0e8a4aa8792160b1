package dev.slipway.delegates;

import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Keeps the WorkloadCluster from vanishing before Slipway has cleaned up.
 *
 * <ul>
 *   <li>Slipway's finalizer is on the object; others are not touched
 *   <li>on an object that is being deleted none is added: the server would refuse it
 * </ul>
 */
@Component
public class EnsureFinalizer implements Phase {

    private final LiveClusters clusters;
    private final KubeWriter writer;

    public EnsureFinalizer(LiveClusters clusters, KubeWriter writer) {
        this.clusters = clusters;
        this.writer = writer;
    }

    @Override
    public Outcome run(PhaseContext context) {
        WorkloadCluster cluster = clusters.declared(context);
        if (cluster.deleting()) {
            return LiveClusters.waitForDeletion(cluster);
        }
        if (cluster.finalizerSet()) {
            return Outcome.done("the finalizer " + WorkloadCluster.FINALIZER + " is set");
        }
        KubeObject written =
                writer.addFinalizer(ResourceType.WORKLOAD_CLUSTERS, cluster.object(), WorkloadCluster.FINALIZER);
        // The answer to the patch is the object as stored: as good as another read.
        return WorkloadCluster.of(written).finalizerSet()
                ? Outcome.done("the finalizer " + WorkloadCluster.FINALIZER + " was set")
                : Outcome.waiting("WaitingForFinalizer", "the finalizer was set, and is not there");
    }
}
