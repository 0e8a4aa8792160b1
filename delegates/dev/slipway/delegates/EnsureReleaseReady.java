package dev.slipway.delegates;

import dev.slipway.helm.ObjectId;
import dev.slipway.helm.Readiness;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.ItemClusters;
import dev.slipway.workitem.ItemClusters.Opened;
import dev.slipway.workitem.ItemRelease;
import dev.slipway.workitem.ItemReleases;
import dev.slipway.workitem.LiveItems;
import dev.slipway.workitem.ShownRelease;
import dev.slipway.workitem.WorkItem;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Proves that what was installed works.
 *
 * <ul>
 *   <li>every object of the release is there and ready, by the rules of its kind
 *   <li>an operator is asked when that takes longer than {@code spec.timeout}, or a controller has given up
 * </ul>
 */
@Component
public class EnsureReleaseReady implements Phase {

    private final LiveItems items;
    private final ItemClusters clusters;
    private final ItemReleases releases;
    private final ShownRelease shown;

    public EnsureReleaseReady(LiveItems items, ItemClusters clusters, ItemReleases releases, ShownRelease shown) {
        this.items = items;
        this.clusters = clusters;
        this.releases = releases;
        this.shown = shown;
    }

    @Override
    public Outcome run(PhaseContext context) {
        WorkItem item = items.declared(context);
        if (item.deleting()) {
            return LiveItems.waitForDeletion(item);
        }
        return clusters.in(item.namespace(), item.cluster(), cluster -> look(context, item, cluster));
    }

    private Outcome look(PhaseContext context, WorkItem item, Opened cluster) {
        ItemRelease release = ItemRelease.of(item);
        if (release.isChart() && !releases.isInstalled(release, cluster)) {
            return Outcome.back("EnsureReleaseInstalled", "ReleaseGone", release.display() + " is gone");
        }
        Map<ObjectId, Readiness> waiting = releases.notReady(release, cluster);
        if (waiting.isEmpty()) {
            shown.show(item, release, releases.found(release, cluster));
            return Outcome.done(release.display() + " is installed, and all its objects are ready");
        }
        String message = "Release not ready: " + sentence(waiting);
        boolean failed = waiting.values().stream().anyMatch(each -> each.state() == Readiness.State.FAILED);
        boolean late = !context.now().isBefore(context.since().plus(item.spec().timeout()));
        if (failed || late) {
            return Outcome.blocked(
                    ErrorClass.TRANSIENT,
                    failed ? "ReleaseFailed" : "ReleaseNotReady",
                    message + (failed ? "" : "; spec.timeout is over"),
                    "Look at that object, its events and its logs in cluster " + item.cluster(),
                    "Or correct the chart's version or values in " + item.display() + ": the flow goes on by itself");
        }
        return Outcome.waiting("WaitingForRelease", message);
    }

    private static String sentence(Map<ObjectId, Readiness> waiting) {
        Map.Entry<ObjectId, Readiness> worst = waiting.entrySet().stream()
                .max((a, b) -> a.getValue().state().compareTo(b.getValue().state()))
                .orElseThrow();
        String more = waiting.size() == 1 ? "" : ", and " + (waiting.size() - 1) + " more";
        return worst.getKey().display() + ": " + worst.getValue().message() + more;
    }
}
