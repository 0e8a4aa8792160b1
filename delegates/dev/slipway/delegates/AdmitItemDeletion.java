package dev.slipway.delegates;

import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.ItemNeighbours;
import dev.slipway.workitem.ItemReceipts;
import dev.slipway.workitem.ItemRelease;
import dev.slipway.workitem.ItemRemovals;
import dev.slipway.workitem.WorkItem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Begins the removal of a work item.
 *
 * <ul>
 *   <li>what it is in its cluster is recorded: later phases need nothing of an object that may vanish
 *   <li>work items that are being deleted as well and depend on it go first
 *   <li>the receipt is begun
 * </ul>
 */
@Component
public class AdmitItemDeletion implements Phase {

    private final ItemRemovals removals;
    private final ItemNeighbours neighbours;
    private final ItemReceipts receipts;

    public AdmitItemDeletion(ItemRemovals removals, ItemNeighbours neighbours, ItemReceipts receipts) {
        this.removals = removals;
        this.neighbours = neighbours;
        this.receipts = receipts;
    }

    @Override
    public Outcome run(PhaseContext context) {
        receipts.open(context);
        Optional<ItemRelease> release = removals.release(context);
        if (release.isEmpty()) {
            return Outcome.done("nothing can have been installed for WorkItem "
                    + context.cluster().display());
        }
        if (removals.skips(context).isEmpty()) {
            List<WorkItem> first = neighbours.dependents(
                    context.cluster().namespace(),
                    release.get().cluster(),
                    context.cluster().name());
            if (!first.isEmpty()) {
                return Outcome.waiting(
                        "WaitingForDependents",
                        first.stream().map(WorkItem::display).collect(Collectors.joining(", "))
                                + ", which depends on it, is removed first");
            }
        }
        Outcome.Done done = Outcome.done(release.get().display() + " will be removed");
        for (Map.Entry<String, String> fact : release.get().facts().entrySet()) {
            done = done.with(fact.getKey(), fact.getValue());
        }
        return done;
    }
}
