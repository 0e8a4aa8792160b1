package dev.slipway.delegates;

import dev.slipway.cluster.PlanLines;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.ItemClusters;
import dev.slipway.workitem.ItemClusters.Opened;
import dev.slipway.workitem.ItemReleases;
import dev.slipway.workitem.ItemVersion;
import dev.slipway.workitem.LiveItems;
import dev.slipway.workitem.PlanText;
import dev.slipway.workitem.WorkItem;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Decides what is installed: the exact version of the chart; and makes the plan of a dry run.
 *
 * <ul>
 *   <li>a version that fits the constraint is found once and kept as a fact: what is installed does not change while it is
 *   <li>{@code spec.dryRun}: the rendered objects are compared with what is there, and tried on the server; nothing is made
 *   <li>the fact {@code dryRun} tells the diagram which way to go; the message is the plan
 * </ul>
 */
@Component
public class EnsureItemPlanned implements Phase {

    private final LiveItems items;
    private final ItemClusters clusters;
    private final ItemReleases releases;

    public EnsureItemPlanned(LiveItems items, ItemClusters clusters, ItemReleases releases) {
        this.items = items;
        this.clusters = clusters;
        this.releases = releases;
    }

    @Override
    public Outcome run(PhaseContext context) {
        WorkItem item = items.declared(context);
        if (item.deleting()) {
            return LiveItems.waitForDeletion(item);
        }
        String version = ItemVersion.recorded(context, item).orElseGet(() -> releases.resolve(item));
        if (!item.spec().dryRun()) {
            String what = version.isEmpty() ? "the manifests" : "version " + version;
            return ItemVersion.record(Outcome.done(what + " will be installed"), item, version)
                    .with("dryRun", "false");
        }
        return clusters.in(item.namespace(), item.cluster(), cluster -> plan(item, cluster, version));
    }

    private Outcome plan(WorkItem item, Opened cluster, String version) {
        List<String> lines = PlanText.lines(releases.plan(item, cluster, version));
        String text = lines.isEmpty() ? "nothing would change" : PlanLines.text(lines);
        String what = version.isEmpty() ? "" : " of version " + version;
        return ItemVersion.record(Outcome.done("Dry run" + what + ", nothing was made:\n" + text), item, version)
                .with("dryRun", "true");
    }
}
