package dev.slipway.delegates;

import dev.slipway.helm.Progress;
import dev.slipway.helm.ReleaseObject;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Fate;
import dev.slipway.workitem.ItemClusters.Opened;
import dev.slipway.workitem.ItemNeighbours;
import dev.slipway.workitem.ItemReceipts;
import dev.slipway.workitem.ItemRelease;
import dev.slipway.workitem.ItemReleases;
import dev.slipway.workitem.ItemRemovals;
import dev.slipway.workitem.WorkItem;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Takes the release off its cluster.
 *
 * <ul>
 *   <li>Helm's record of it is gone, or no object of the manifests is left
 *   <li>what Slipway did not install, or another work item has, stays
 *   <li>its objects are in the receipt before the first one is deleted: as left behind, until they are seen to be gone
 * </ul>
 */
@Component
public class EnsureReleaseUninstalled implements Phase {

    private final ItemRemovals removals;
    private final ItemNeighbours neighbours;
    private final ItemReleases releases;
    private final ItemReceipts receipts;

    public EnsureReleaseUninstalled(
            ItemRemovals removals, ItemNeighbours neighbours, ItemReleases releases, ItemReceipts receipts) {
        this.removals = removals;
        this.neighbours = neighbours;
        this.releases = releases;
        this.receipts = receipts;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return removals.in(context, (release, cluster) -> uninstall(context, release, cluster));
    }

    private Outcome uninstall(PhaseContext context, ItemRelease release, Opened cluster) {
        if (!releases.isInstalled(release, cluster)) {
            boolean begun = receipts.fate(context, release.receipt()).isPresent();
            receipts.note(context, release.receipt(), begun ? Fate.DELETED : Fate.GONE, null);
            return Outcome.done(release.display() + " is not installed");
        }
        Optional<String> keeper = keeper(context, release, cluster);
        if (keeper.isPresent()) {
            receipts.note(context, release.receipt(), Fate.KEPT, keeper.get());
            return Outcome.done(release.display() + " stays: " + keeper.get());
        }
        note(context, release, cluster);
        Progress progress = releases.uninstall(release, cluster);
        if (progress instanceof Progress.Underway underway) {
            return Outcome.waiting(underway.reason(), underway.message());
        }
        receipts.note(context, release.receipt(), Fate.DELETED, null);
        return Outcome.done(release.display() + " was uninstalled");
    }

    /** Why it must stay; empty if it must not. */
    private Optional<String> keeper(PhaseContext context, ItemRelease release, Opened cluster) {
        Optional<WorkItem> other = neighbours.survivor(
                context.cluster().namespace(), context.cluster().uid(), release);
        if (other.isPresent()) {
            return other.map(item -> "it belongs to " + item.display());
        }
        return releases.isOurs(release, cluster) ? Optional.empty() : Optional.of("Slipway did not install it");
    }

    private void note(PhaseContext context, ItemRelease release, Opened cluster) {
        if (receipts.fate(context, release.receipt()).isPresent()) {
            return;
        }
        for (ReleaseObject object : releases.objects(release, cluster)) {
            Fate fate = object.kept() ? Fate.KEPT : Fate.LEFT;
            String why = object.kept()
                    ? "its removal would take more than was installed, or its chart keeps it"
                    : "its uninstallation was begun";
            receipts.noteFirst(context, object.id().display(), fate, why);
        }
        receipts.note(context, release.receipt(), Fate.LEFT, "its uninstallation was begun");
    }
}
