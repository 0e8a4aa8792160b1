package dev.slipway.delegates;

import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.deletion.DeletionFacts;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionReceipt;
import dev.slipway.deletion.DeletionSubject;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Makes the deletion known: from here on the flow alone says that the cluster is being deleted.
 *
 * <ul>
 *   <li>a receipt has begun
 *   <li>the WorkloadCluster is being deleted, held by Slipway's finalizer; a Cluster that nobody declared is not touched
 *       yet: its work items need it
 *   <li>nothing is decided by what stands in a status
 * </ul>
 */
@Component
public class MarkDeleting implements Phase {

    private final DeletionSubjects subjects;
    private final DeletionReceipt receipt;
    private final KubeWriter writer;

    public MarkDeleting(DeletionSubjects subjects, DeletionReceipt receipt, KubeWriter writer) {
        this.subjects = subjects;
        this.receipt = receipt;
        this.writer = writer;
    }

    @Override
    public Outcome run(PhaseContext context) {
        DeletionMode mode = DeletionMode.of(context);
        receipt.open(context, mode);
        DeletionSubject subject = subjects.read(context);
        Optional<KubeObject> declared = subject.declared();
        if (declared.isPresent() && !declared.get().deleting()) {
            if (!declared.get().finalizers().contains(WorkloadCluster.FINALIZER)) {
                writer.addFinalizer(ResourceType.WORKLOAD_CLUSTERS, declared.get(), WorkloadCluster.FINALIZER);
            }
            KubeObject object = declared.get();
            writer.delete(ResourceType.WORKLOAD_CLUSTERS, object.namespace(), object.name(), object.uid());
            subject = subjects.read(context);
        }
        if (subject.declared().filter(object -> !object.deleting()).isPresent()) {
            return Outcome.waiting(
                    "WaitingForDeletionMark", subject.display() + " was deleted, and says nothing of it");
        }
        String requested = context.fact(DeletionFacts.REQUESTED_AT)
                .orElse(subject.deletionRequested().orElse(context.now()).toString());
        return Outcome.done(subject.display() + " is being deleted in the mode " + mode.text() + ", asked for at "
                        + requested + " by "
                        + context.fact(DeletionFacts.BY).orElse("kubernetes"))
                .with(DeletionFacts.REQUESTED_AT, requested);
    }
}
