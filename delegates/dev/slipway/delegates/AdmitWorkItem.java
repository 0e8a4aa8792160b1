package dev.slipway.delegates;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.ItemClusters;
import dev.slipway.workitem.ItemNeighbours;
import dev.slipway.workitem.LiveItems;
import dev.slipway.workitem.WorkItem;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Lets a work item in.
 *
 * <ul>
 *   <li>its fields are valid, its release is nobody else's, and its dependencies do not lead back to it
 *   <li>Slipway's finalizer is on it before anything is made for it
 *   <li>everything that it depends on is installed
 *   <li>the API of its cluster answers
 * </ul>
 */
@Component
public class AdmitWorkItem implements Phase {

    private final LiveItems items;
    private final ItemNeighbours neighbours;
    private final ItemClusters clusters;
    private final KubeWriter writer;

    public AdmitWorkItem(LiveItems items, ItemNeighbours neighbours, ItemClusters clusters, KubeWriter writer) {
        this.items = items;
        this.neighbours = neighbours;
        this.clusters = clusters;
        this.writer = writer;
    }

    @Override
    public Outcome run(PhaseContext context) {
        WorkItem item = items.declared(context);
        if (item.deleting()) {
            return LiveItems.waitForDeletion(item);
        }
        neighbours.require(item);
        if (!item.finalizerSet()) {
            KubeObject written = writer.addFinalizer(ResourceType.WORK_ITEMS, item.object(), WorkItem.FINALIZER);
            item = WorkItem.of(written);
        }
        Optional<String> missing = neighbours.missing(item);
        if (missing.isPresent()) {
            return Outcome.waiting("WaitingForDependency", missing.get());
        }
        String display = item.display();
        return clusters.in(item.namespace(), item.cluster(), cluster -> {
            cluster.workload().ready();
            return Outcome.done(
                    display + " can be installed: " + cluster.workload().server() + " answers");
        });
    }
}
