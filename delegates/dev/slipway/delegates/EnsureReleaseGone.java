package dev.slipway.delegates;

import dev.slipway.helm.ObjectId;
import dev.slipway.helm.ReadinessProbe;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import dev.slipway.workitem.ItemClusters.Opened;
import dev.slipway.workitem.ItemReceipts;
import dev.slipway.workitem.ItemRelease;
import dev.slipway.workitem.ItemReleases;
import dev.slipway.workitem.ItemRemovals;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Proves that nothing of the release is left.
 *
 * <ul>
 *   <li>each object that the receipt names as left behind is gone; one that waits for a finalizer is shown with it
 *   <li>one that somebody made anew meanwhile is theirs
 * </ul>
 */
@Component
public class EnsureReleaseGone implements Phase {

    private final ItemRemovals removals;
    private final ItemReleases releases;
    private final ItemReceipts receipts;

    public EnsureReleaseGone(ItemRemovals removals, ItemReleases releases, ItemReceipts receipts) {
        this.removals = removals;
        this.releases = releases;
        this.receipts = receipts;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return removals.in(context, (release, cluster) -> look(context, release, cluster));
    }

    private Outcome look(PhaseContext context, ItemRelease release, Opened cluster) {
        boolean removed = receipts.fate(context, release.receipt())
                .filter(Fate.DELETED::equals)
                .isPresent();
        if (removed && releases.isInstalled(release, cluster)) {
            return Outcome.back("EnsureReleaseUninstalled", "ReleaseIsBack", release.display() + " is there again");
        }
        ReadinessProbe probe = new ReadinessProbe(cluster.workload().reader());
        for (Entry entry : receipts.entries(context)) {
            Optional<ObjectId> id = entry.fate() == Fate.LEFT ? ObjectId.parse(entry.what()) : Optional.empty();
            Optional<KubeObject> object = id.flatMap(probe::find);
            if (object.isPresent() && object.get().deleting()) {
                return Outcome.waiting(
                        "WaitingForObjects",
                        entry.what() + " is being deleted; it waits for its finalizers "
                                + object.get().finalizers());
            }
            if (id.isPresent()) {
                receipts.note(
                        context,
                        entry.what(),
                        object.isPresent() ? Fate.KEPT : Fate.DELETED,
                        object.isPresent() ? "somebody made it anew" : null);
            }
        }
        return Outcome.done("nothing of " + release.display() + " is left");
    }
}
