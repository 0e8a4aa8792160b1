package dev.slipway.delegates;

import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.DeclaredItems;
import dev.slipway.workitem.ItemProgress;
import dev.slipway.workitem.ItemProgress.Progress;
import dev.slipway.workitem.WorkItem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Makes sure that what the WorkloadCluster wants installed is installed.
 *
 * <ul>
 *   <li>a WorkItem for each entry of {@code spec.workItems}, and none for those that were dropped
 *   <li>the flows of all blocking ones have ended, installed; they run side by side, each after what it depends on
 *   <li>those that do not block are shown, not waited for
 * </ul>
 */
@Component
public class EnsureWorkItems implements Phase {

    private final LiveClusters clusters;
    private final DeclaredItems declared;
    private final ItemProgress progress;

    public EnsureWorkItems(LiveClusters clusters, DeclaredItems declared, ItemProgress progress) {
        this.clusters = clusters;
        this.declared = declared;
        this.progress = progress;
    }

    @Override
    public Outcome run(PhaseContext context) {
        WorkloadCluster cluster = clusters.declared(context);
        if (cluster.deleting()) {
            return LiveClusters.waitForDeletion(cluster);
        }
        List<WorkItem> items = declared.apply(cluster);
        Map<WorkItem, Progress> open = new LinkedHashMap<>();
        items.forEach(item -> open.put(item, progress.of(item)));
        open.values().removeIf(Progress::installed);
        List<WorkItem> awaited =
                open.keySet().stream().filter(item -> item.spec().blocking()).toList();
        if (awaited.isEmpty()) {
            return Outcome.done(summary(items, open));
        }
        WorkItem worst = awaited.stream()
                .max(Comparator.comparing(item -> open.get(item).stage() == ItemProgress.Stage.STUCK))
                .orElseThrow();
        return Outcome.waiting(
                "WaitingForWorkItems",
                (items.size() - open.size()) + " of " + items.size() + " work items are installed; " + worst.display()
                        + ": " + open.get(worst).message());
    }

    private static String summary(List<WorkItem> items, Map<WorkItem, Progress> open) {
        if (items.isEmpty()) {
            return "no work items are declared";
        }
        List<String> others = new ArrayList<>();
        open.forEach((item, how) -> others.add(item.display() + " is not (it does not block): " + how.message()));
        String all = (items.size() - open.size()) + " of " + items.size() + " work items are installed";
        return others.isEmpty() ? all : all + "; " + String.join("; ", others);
    }
}
