package dev.slipway.delegates;

import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.LiveItems;
import dev.slipway.workitem.WorkItem;
import org.springframework.stereotype.Component;

/**
 * Waits while the work item is paused.
 *
 * <ul>
 *   <li>{@code spec.paused} is false; a paused work item is shown, never escalated
 * </ul>
 */
@Component
public class EnsureItemNotPaused implements Phase {

    private final LiveItems items;

    public EnsureItemNotPaused(LiveItems items) {
        this.items = items;
    }

    @Override
    public Outcome run(PhaseContext context) {
        WorkItem item = items.declared(context);
        if (item.deleting()) {
            return LiveItems.waitForDeletion(item);
        }
        return item.spec().paused()
                ? Outcome.waiting("Paused", item.display() + " is paused; set spec.paused to false to let it go on")
                : Outcome.done(item.display() + " is not paused");
    }
}
