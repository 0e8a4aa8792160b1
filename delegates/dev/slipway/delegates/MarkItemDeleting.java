package dev.slipway.delegates;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.workitem.LiveItems;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the work item is being deleted.
 *
 * <ul>
 *   <li>that this flow runs is what makes it so: whatever phase stands in the status, known or unknown, the flow goes on
 *   <li>the object has a {@code deletionTimestamp}, or is gone
 * </ul>
 */
@Component
public class MarkItemDeleting implements Phase {

    private final LiveItems items;
    private final KubeWriter writer;

    public MarkItemDeleting(LiveItems items, KubeWriter writer) {
        this.items = items;
        this.writer = writer;
    }

    @Override
    public Outcome run(PhaseContext context) {
        Optional<KubeObject> live = items.object(context.cluster());
        if (live.isEmpty() || live.get().deleting()) {
            return Outcome.done(
                    "WorkItem " + context.cluster().display() + (live.isEmpty() ? " is gone" : " is being deleted"));
        }
        KubeObject item = live.get();
        writer.delete(ResourceType.WORK_ITEMS, item.namespace(), item.name(), item.uid());
        return Outcome.waiting(
                "WaitingForDeletion",
                "the deletion of WorkItem " + context.cluster().display() + " was requested");
    }
}
