package dev.slipway.delegates;

import dev.slipway.deletion.ClusterItems;
import dev.slipway.deletion.DeletionFacts;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionSubject;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.deletion.Remote;
import dev.slipway.deletion.RemoteAccess;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Finds out whether the workload cluster can be worked in, where that matters.
 *
 * <ul>
 *   <li>it matters for a cluster that is detached, and for work items
 *   <li>the fact {@code deletion.remote} says what was found, or decided
 *   <li>one that does not answer is waited for, then asked about, or left alone, as the settings say
 *   <li>another cluster than the registered one is left alone
 * </ul>
 */
@Component
public class EnsureReachabilityKnown implements Phase {

    private final DeletionSubjects subjects;
    private final ClusterItems items;
    private final RemoteAccess access;

    public EnsureReachabilityKnown(DeletionSubjects subjects, ClusterItems items, RemoteAccess access) {
        this.subjects = subjects;
        this.items = items;
        this.access = access;
    }

    @Override
    public Outcome run(PhaseContext context) {
        DeletionMode mode = DeletionMode.of(context);
        DeletionSubject subject = subjects.read(context);
        boolean needed = mode == DeletionMode.FULL
                ? Remote.outlivesTheCluster(context) || !items.of(subject).isEmpty()
                : mode == DeletionMode.DETACH;
        return needed
                ? access.look(context, subject)
                : Outcome.done("nothing is to be done in the workload cluster")
                        .with(DeletionFacts.REMOTE, Remote.NOT_NEEDED.text());
    }
}
