package dev.slipway.delegates;

import dev.slipway.cluster.ClusterObjects;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.PlanLines;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Waits while the WorkloadCluster is paused, and makes the plan of a dry run.
 *
 * <ul>
 *   <li>{@code spec.paused} is false; a paused cluster is shown, never escalated
 *   <li>{@code spec.dryRun}: every object is validated by the server and compared with what is stored; nothing is made
 *   <li>the fact {@code dryRun} tells the diagram which way to go; {@code plan} is what a person reads
 * </ul>
 */
@Component
public class EnsureNotPaused implements Phase {

    // Engine variables hold 4000 characters; some room is left for what others add.
    private final LiveClusters clusters;
    private final ClusterObjects objects;

    public EnsureNotPaused(LiveClusters clusters, ClusterObjects objects) {
        this.clusters = clusters;
        this.objects = objects;
    }

    @Override
    public Outcome run(PhaseContext context) {
        WorkloadCluster cluster = clusters.declared(context);
        if (cluster.deleting()) {
            return LiveClusters.waitForDeletion(cluster);
        }
        if (cluster.spec().paused()) {
            return Outcome.waiting(
                    "Paused", cluster.display() + " is paused; set spec.paused to false to let it go on");
        }
        if (!cluster.spec().dryRun()) {
            return Outcome.done(cluster.display() + " is not paused").with("dryRun", "false");
        }
        List<String> plan = objects.plan(cluster);
        String text = PlanLines.text(plan);
        return Outcome.done("Dry run of " + plan.size() + " objects, nothing was made:\n" + text)
                .with("dryRun", "true")
                .with("plan", text);
    }
}
