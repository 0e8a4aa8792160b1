package dev.slipway.delegates;

import dev.slipway.helm.Progress;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.ItemClusters;
import dev.slipway.workitem.ItemClusters.Opened;
import dev.slipway.workitem.ItemRelease;
import dev.slipway.workitem.ItemReleases;
import dev.slipway.workitem.ItemVersion;
import dev.slipway.workitem.LiveItems;
import dev.slipway.workitem.WorkItem;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Installs or upgrades the release.
 *
 * <ul>
 *   <li>deployed from the chart in the version that was decided, with the values of now; or exactly the objects of the
 *       manifests
 *   <li>an object of the release that somebody deleted is made again
 *   <li>if that is so already, nothing is done
 * </ul>
 */
@Component
public class EnsureReleaseInstalled implements Phase {

    private final LiveItems items;
    private final ItemClusters clusters;
    private final ItemReleases releases;

    public EnsureReleaseInstalled(LiveItems items, ItemClusters clusters, ItemReleases releases) {
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
        Optional<String> version = ItemVersion.recorded(context, item);
        if (version.isEmpty() || item.spec().dryRun()) {
            return Outcome.back("EnsureItemPlanned", "SpecChanged", "the spec of " + item.display() + " has changed");
        }
        return clusters.in(item.namespace(), item.cluster(), cluster -> install(item, cluster, version.get()));
    }

    private Outcome install(WorkItem item, Opened cluster, String version) {
        String namespace = item.spec().namespace();
        if (!item.spec().createNamespace()
                && cluster.workload()
                        .reader()
                        .get(ResourceType.NAMESPACES, "", namespace)
                        .isEmpty()) {
            return Outcome.waiting(
                    "WaitingForNamespace",
                    "cluster " + item.cluster() + " has no namespace " + namespace
                            + ", and spec.createNamespace is false");
        }
        Progress progress = releases.install(item, cluster, version);
        if (progress instanceof Progress.Underway underway) {
            return Outcome.waiting(underway.reason(), underway.message());
        }
        String what = version.isEmpty() ? "" : " in version " + version;
        return Outcome.done(ItemRelease.of(item).display() + " is installed" + what);
    }
}
