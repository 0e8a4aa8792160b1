package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.deletion.ClusterRemoval;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionReceipt;
import dev.slipway.deletion.DeletionSubject;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.deletion.Detachment;
import dev.slipway.deletion.ForceGate;
import dev.slipway.imports.ImportTarget;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Fate;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Lets Cluster API take the cluster down, or lets the cluster live on without Slipway.
 *
 * <ul>
 *   <li>Full: one delete, of the Cluster; then machines, control plane and infrastructure are listed live until none is left
 *   <li>a kind that is not served counts as gone only if an operator says so
 *   <li>what moves is waited for; what has not changed for a while is asked about
 *   <li>Detach and Forget: the Cluster is not imported again, and the WorkloadCluster owns nothing of it any more
 * </ul>
 */
@Component
public class EnsureClusterApiClusterGone implements Phase {

    private final DeletionSubjects subjects;
    private final ClusterRemoval removal;
    private final Detachment detachment;
    private final DeletionReceipt receipt;
    private final ForceGate gate;

    public EnsureClusterApiClusterGone(
            DeletionSubjects subjects,
            ClusterRemoval removal,
            Detachment detachment,
            DeletionReceipt receipt,
            ForceGate gate) {
        this.subjects = subjects;
        this.removal = removal;
        this.detachment = detachment;
        this.receipt = receipt;
        this.gate = gate;
    }

    @Override
    public Outcome run(PhaseContext context) {
        DeletionSubject subject = subjects.read(context);
        if (DeletionMode.of(context) == DeletionMode.FULL) {
            return gate.around(context, () -> removal.remove(context, subject), () -> removal.force(context, subject));
        }
        return subject.target()
                .filter(target -> !target.deleting())
                .map(target -> detach(context, target))
                .orElseGet(() -> Outcome.done("the Cluster " + subject.ref().display() + " is gone, or going"));
    }

    private Outcome detach(PhaseContext context, ImportTarget target) {
        CapiCluster cluster = target.cluster();
        List<String> released = detachment.detach(context, target);
        released.forEach(what -> receipt.note(context, "Owner of " + what, Fate.RELEASED, "the cluster lives on"));
        receipt.note(context, cluster.display(), Fate.KEPT, "the mode keeps the cluster");
        return Outcome.done(cluster.display() + " stays, is not imported again, and " + released.size()
                + " objects do not go with the WorkloadCluster any more");
    }
}
