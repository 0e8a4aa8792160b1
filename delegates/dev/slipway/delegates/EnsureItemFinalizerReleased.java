package dev.slipway.delegates;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.ItemReceipts;
import dev.slipway.workitem.LiveItems;
import dev.slipway.workitem.WorkItem;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Lets the object go.
 *
 * <ul>
 *   <li>the receipt is closed before
 *   <li>Slipway's finalizer is off; others are not touched
 * </ul>
 */
@Component
public class EnsureItemFinalizerReleased implements Phase {

    private final LiveItems items;
    private final ItemReceipts receipts;
    private final KubeWriter writer;

    public EnsureItemFinalizerReleased(LiveItems items, ItemReceipts receipts, KubeWriter writer) {
        this.items = items;
        this.receipts = receipts;
        this.writer = writer;
    }

    @Override
    public Outcome run(PhaseContext context) {
        Optional<KubeObject> held = held(context);
        receipts.close(context, "Deleted");
        if (held.isEmpty()) {
            return Outcome.done("the finalizer " + WorkItem.FINALIZER + " is off");
        }
        writer.removeFinalizer(
                ResourceType.WORK_ITEMS, held.get().namespace(), held.get().name(), WorkItem.FINALIZER);
        return held(context).isEmpty()
                ? Outcome.done("the finalizer " + WorkItem.FINALIZER + " was taken off")
                : Outcome.waiting("WaitingForFinalizer", "the finalizer was taken off, and is still there");
    }

    private Optional<KubeObject> held(PhaseContext context) {
        return items.object(context.cluster()).filter(item -> item.finalizers().contains(WorkItem.FINALIZER));
    }
}
