package dev.slipway.delegates;

import dev.slipway.cluster.PlanLines;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.ItemClusters.Opened;
import dev.slipway.workitem.ItemRelease;
import dev.slipway.workitem.ItemReleases;
import dev.slipway.workitem.ItemRemovals;
import dev.slipway.workitem.LiveItems;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Holds the removal while the work item asks for a dry run, and shows what would be removed.
 *
 * <ul>
 *   <li>{@code spec.dryRun} is false, or nothing of it is installed
 *   <li>without a dry run the workload cluster is not asked
 * </ul>
 */
@Component
public class EnsureItemDryRunOff implements Phase {

    private final LiveItems items;
    private final ItemRemovals removals;
    private final ItemReleases releases;

    public EnsureItemDryRunOff(LiveItems items, ItemRemovals removals, ItemReleases releases) {
        this.items = items;
        this.removals = removals;
        this.releases = releases;
    }

    @Override
    public Outcome run(PhaseContext context) {
        Optional<KubeObject> live = items.object(context.cluster());
        boolean dryRun =
                live.filter(item -> item.at("spec", "dryRun").asBoolean(false)).isPresent();
        return dryRun ? removals.in(context, this::plan) : Outcome.done("no dry run is asked for");
    }

    private Outcome plan(ItemRelease release, Opened cluster) {
        if (!releases.isInstalled(release, cluster)) {
            return Outcome.done("a dry run is asked for, and nothing is installed");
        }
        List<String> objects = releases.objects(release, cluster).stream()
                .map(object ->
                        (object.kept() ? "keep " : "remove ") + object.id().display())
                .toList();
        return Outcome.waiting(
                "DryRun",
                "spec.dryRun is true, so nothing is removed; set it to false to let " + release.display() + " go:\n"
                        + PlanLines.text(objects));
    }
}
