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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
        List<Open> open = items.stream()
                .map(item -> new Open(item, progress.of(item)))
                .filter(each -> !each.how().installed())
                .toList();
        Optional<Open> awaited = open.stream()
                .filter(each -> each.item().spec().blocking())
                .max(Comparator.comparing(each -> each.how().stage() == ItemProgress.Stage.STUCK));
        String count = (items.size() - open.size()) + " of " + items.size() + " work items are installed";
        if (awaited.isPresent()) {
            return Outcome.waiting(
                    "WaitingForWorkItems", count + "; " + awaited.get().sentence());
        }
        if (items.isEmpty()) {
            return Outcome.done("no work items are declared");
        }
        return Outcome.done(count
                + open.stream()
                        .map(each -> "; not waited for, it does not block: " + each.sentence())
                        .collect(Collectors.joining()));
    }

    /** A work item that is not installed. */
    private record Open(WorkItem item, Progress how) {

        String sentence() {
            return item.display() + ": " + how.message();
        }
    }
}
