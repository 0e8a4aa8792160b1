package dev.slipway.delegates;

import dev.slipway.deletion.ClusterItems;
import dev.slipway.deletion.DeletionFacts;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionReceipt;
import dev.slipway.deletion.DeletionSubject;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.deletion.Remaining;
import dev.slipway.deletion.Remote;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.Directive;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Waits until every work item of the cluster is gone; each is uninstalled by a flow of its own.
 *
 * <ul>
 *   <li>each is deleted, once
 *   <li>if the workload cluster is left alone, each is told so, by an annotation
 * </ul>
 */
@Component
public class EnsureWorkItemsUninstalled implements Phase {

    private final DeletionSubjects subjects;
    private final ClusterItems items;
    private final DeletionReceipt receipt;

    public EnsureWorkItemsUninstalled(DeletionSubjects subjects, ClusterItems items, DeletionReceipt receipt) {
        this.subjects = subjects;
        this.items = items;
        this.receipt = receipt;
    }

    @Override
    public Outcome run(PhaseContext context) {
        Optional<String> skip = whyRemoteIsSkipped(context);
        DeletionSubject subject = subjects.read(context);
        for (KubeObject item : items.of(subject)) {
            receipt.found(context, Remaining.name(item));
            skip.ifPresent(why -> items.skipRemote(item, why));
            items.delete(item);
        }
        List<KubeObject> left = items.of(subject);
        if (!left.isEmpty()) {
            return Outcome.waiting(
                    "WaitingForWorkItems",
                    "being uninstalled: "
                            + String.join(
                                    "; ",
                                    left.stream().map(ClusterItems::describe).toList()));
        }
        receipt.allGone(context, "WorkItem ");
        Outcome.Done done = Outcome.done("no work item of " + context.cluster().display() + " is left");
        return context.directive(Directive.SKIP_REMOTE).isPresent()
                ? done.with(DeletionFacts.REMOTE, Remote.SKIPPED.text())
                : done;
    }

    private static Optional<String> whyRemoteIsSkipped(PhaseContext context) {
        if (context.directive(Directive.SKIP_REMOTE).isPresent()) {
            return Optional.of(Remote.SKIPPED.why());
        }
        if (DeletionMode.of(context) == DeletionMode.FORGET) {
            return Optional.of("the cluster is forgotten, not touched");
        }
        Remote remote = Remote.of(context);
        boolean works = remote == Remote.REACHABLE || remote == Remote.NOT_NEEDED;
        return works ? Optional.empty() : Optional.of(remote.why());
    }
}
