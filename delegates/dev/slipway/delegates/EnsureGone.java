package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.deletion.ClusterRemoval;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionReceipt;
import dev.slipway.deletion.DeletionSubject;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.deletion.ForceGate;
import dev.slipway.deletion.Remaining;
import dev.slipway.deletion.Standstill;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Fate;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Waits until the Cluster is gone, ends the receipt, and lets the WorkloadCluster go, last of all.
 *
 * <ul>
 *   <li>a Cluster that is being deleted is gone, by a live read
 *   <li>the receipt is complete before the finalizer is off: so it is never lost
 *   <li>Slipway's finalizer is off the WorkloadCluster; those of others are theirs
 * </ul>
 */
@Component
public class EnsureGone implements Phase {

    private final DeletionSubjects subjects;
    private final ClusterRemoval removal;
    private final DeletionReceipt receipt;
    private final Standstill standstill;
    private final KubeWriter writer;
    private final ForceGate gate;

    public EnsureGone(
            DeletionSubjects subjects,
            ClusterRemoval removal,
            DeletionReceipt receipt,
            Standstill standstill,
            KubeWriter writer,
            ForceGate gate) {
        this.subjects = subjects;
        this.removal = removal;
        this.receipt = receipt;
        this.standstill = standstill;
        this.writer = writer;
        this.gate = gate;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return gate.around(context, () -> end(context), () -> force(context));
    }

    private Outcome end(PhaseContext context) {
        DeletionSubject subject = subjects.read(context);
        DeletionMode mode = DeletionMode.of(context);
        Optional<KubeObject> cluster = subject.cluster()
                .map(CapiCluster::object)
                .filter(object -> mode == DeletionMode.FULL || object.deleting());
        if (cluster.isPresent()) {
            return standstill.judge(context, "WaitingForClusterGone", new Remaining(List.of(cluster.get())));
        }
        standstill.over(context);
        if (mode == DeletionMode.FULL) {
            receipt.gone(context, "Cluster " + context.cluster().display());
        }
        return release(context, subject, mode);
    }

    private Outcome force(PhaseContext context) {
        DeletionSubject subject = subjects.read(context);
        subject.cluster()
                .ifPresent(cluster -> receipt.note(
                        context, cluster.display(), Fate.RELEASED, "by force: its finalizers were taken off"));
        removal.forceCluster(subject);
        return release(context, subject, DeletionMode.of(context));
    }

    private Outcome release(PhaseContext context, DeletionSubject subject, DeletionMode mode) {
        Optional<KubeObject> declared = subject.declared();
        declared.ifPresent(object -> receipt.note(context, Remaining.name(object), Fate.RELEASED, null));
        receipt.close(context, mode, subject.kind());
        declared.ifPresent(object -> writer.removeFinalizer(
                ResourceType.WORKLOAD_CLUSTERS, object.namespace(), object.name(), WorkloadCluster.FINALIZER));
        return Outcome.done(subject.display() + ": " + mode.result() + "; the receipt is " + context.flowId());
    }
}
