package dev.slipway.deletion;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Fate;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Lets Cluster API take a cluster down: a single delete, of the Cluster. Its machines and its infrastructure are Cluster
 * API's business, in its order; Slipway watches until none is left.
 */
@Component
public class ClusterRemoval {

    private final LiveReader reader;
    private final KubeWriter writer;
    private final Descendants descendants;
    private final DeletionReceipt receipt;
    private final Standstill standstill;

    public ClusterRemoval(
            LiveReader reader,
            KubeWriter writer,
            Descendants descendants,
            DeletionReceipt receipt,
            Standstill standstill) {
        this.reader = reader;
        this.writer = writer;
        this.descendants = descendants;
        this.receipt = receipt;
        this.standstill = standstill;
    }

    /** Deletes the Cluster, and says what is left of what Cluster API made for it. */
    public Outcome remove(PhaseContext context, DeletionSubject subject) {
        subject.cluster()
                .filter(cluster -> !cluster.object().deleting())
                .ifPresent(cluster -> writer.delete(type(), cluster.namespace(), cluster.name(), cluster.uid()));
        Optional<Outcome> unknown = unknown(context, subject);
        if (unknown.isPresent()) {
            return unknown.get();
        }
        Remaining remaining = descendants.of(context, subject).remaining();
        if (!remaining.none()) {
            remaining.objects().forEach(object -> receipt.found(context, Remaining.name(object)));
            return explained(subject, standstill.judge(context, "WaitingForMachinesGone", remaining));
        }
        standstill.over(context);
        gone(context);
        return Outcome.done("no machine, control plane or infrastructure of "
                + subject.ref().display() + " is left");
    }

    /** Says why nobody can know whether something is left; empty if it can be known. */
    public Optional<Outcome> unknown(PhaseContext context, DeletionSubject subject) {
        if (!subject.clusterApi()) {
            return Optional.of(absent(subject, "Cluster." + ClusterApi.GROUP));
        }
        return descendants.of(context, subject).absentKinds().stream()
                .findFirst()
                .map(kind -> absent(subject, kind));
    }

    /** What is left, live. */
    public Remaining remaining(PhaseContext context, DeletionSubject subject) {
        return descendants.of(context, subject).remaining();
    }

    /** Takes the finalizers off what is left and is being deleted; what stands behind it may go on running. */
    public Outcome force(PhaseContext context, DeletionSubject subject) {
        Remaining remaining = descendants.of(context, subject).remaining();
        for (KubeObject object : remaining.objects()) {
            receipt.note(
                    context,
                    Remaining.name(object),
                    Fate.LEFT,
                    "by force: what it stands for may still be there" + (object.deleting() ? "" : "; not deleted"));
            if (object.deleting()) {
                reader.find(groupOf(object), object.kind()).ifPresent(type -> release(type, object));
            }
        }
        return Outcome.done("by force: " + remaining.objects().size() + " objects of "
                + subject.ref().display() + " were released; what they stand for may still be there");
    }

    /** Takes all finalizers off the Cluster, if it is being deleted. */
    public void forceCluster(DeletionSubject subject) {
        subject.cluster()
                .map(CapiCluster::object)
                .filter(KubeObject::deleting)
                .ifPresent(cluster -> release(type(), cluster));
    }

    private void release(ResourceType type, KubeObject object) {
        object.finalizers()
                .forEach(finalizer -> writer.removeFinalizer(type, object.namespace(), object.name(), finalizer));
    }

    /** All that was recorded of management cluster's kinds of Cluster API is gone now. */
    private void gone(PhaseContext context) {
        receipt.entries(context).stream()
                .filter(entry -> entry.fate() == Fate.LEFT)
                .filter(entry -> !entry.what().contains("workload cluster"))
                .filter(entry -> !entry.what()
                        .matches("(WorkloadCluster|Cluster|ClusterCredential|platform|WorkItem|Secret) .*"))
                .forEach(entry -> receipt.gone(context, entry.what()));
    }

    private static Outcome explained(DeletionSubject subject, Outcome outcome) {
        String said = subject.cluster()
                .flatMap(cluster -> cluster.object().condition("Deleting"))
                .map(condition -> condition.path("message").asText(""))
                .filter(message -> !message.isEmpty())
                .map(message -> "; Cluster API says: " + message)
                .orElse("");
        if (outcome instanceof Outcome.Waiting waiting) {
            return Outcome.waiting(waiting.reason(), waiting.message() + said);
        }
        Outcome.Blocked blocked = (Outcome.Blocked) outcome;
        return Outcome.blocked(
                blocked.errorClass(),
                blocked.code(),
                blocked.message() + said,
                blocked.actions().toArray(String[]::new));
    }

    private static Outcome absent(DeletionSubject subject, String kind) {
        return Outcome.blocked(
                ErrorClass.INVALID,
                ForceGate.KIND_ABSENT,
                "The management cluster does not serve " + kind + ": whether such objects of "
                        + subject.ref().display() + " are left, nobody knows",
                "Install the definition of " + kind + ", and its provider: the deletion then goes on by itself",
                "If you know that nothing is left: decide FORCE with the typed name");
    }

    private ResourceType type() {
        return reader.find(ClusterApi.GROUP, "Cluster").orElseThrow();
    }

    private static String groupOf(KubeObject object) {
        int slash = object.apiVersion().indexOf('/');
        return slash < 0 ? "" : object.apiVersion().substring(0, slash);
    }
}
