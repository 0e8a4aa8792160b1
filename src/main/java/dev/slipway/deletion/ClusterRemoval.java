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
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/**
 * Lets Cluster API take a cluster down: a single delete, of the Cluster. Its machines and its infrastructure are Cluster
 * API's business, in its order; Slipway watches until none is left.
 */
@Component
public class ClusterRemoval {

    /** What other phases see to. */
    private static final Pattern OTHERS =
            Pattern.compile("(WorkloadCluster|Cluster|ClusterCredential|platform Cluster|WorkItem|Secret|Objects) ");

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
        if (subject.nameTaken()) {
            return Outcome.done("the Cluster " + subject.ref().display()
                    + " is another one, and so is what carries its name: none of it is touched");
        }
        subject.cluster()
                .filter(cluster -> !cluster.object().deleting())
                .ifPresent(cluster -> writer.delete(type(), cluster.namespace(), cluster.name(), cluster.uid()));
        Descendants.Found found = descendants.of(context, subject);
        Optional<Outcome> unknown = unknown(subject, found);
        if (unknown.isPresent()) {
            return unknown.get();
        }
        Remaining remaining = found.remaining();
        if (!remaining.none()) {
            receipt.found(
                    context, remaining.objects().stream().map(Remaining::name).toList());
            return explained(subject, standstill.judge(context, "WaitingForMachinesGone", remaining));
        }
        standstill.over(context);
        gone(context);
        return Outcome.done("no machine, control plane or infrastructure of "
                + subject.ref().display() + " is left");
    }

    /** What is in the way of letting the Cluster go: something is left, or nobody can know; looked at live. */
    public Optional<Outcome> obstacle(PhaseContext context, DeletionSubject subject) {
        Descendants.Found found = descendants.of(context, subject);
        return unknown(subject, found)
                .or(() -> found.remaining().none()
                        ? Optional.empty()
                        : Optional.of(Outcome.waiting(
                                "ObjectsRemain", found.remaining().sentence())));
    }

    private static Optional<Outcome> unknown(DeletionSubject subject, Descendants.Found found) {
        if (!subject.clusterApi()) {
            return Optional.of(absent(subject, "Cluster." + ClusterApi.GROUP));
        }
        return found.absentKinds().stream().findFirst().map(kind -> absent(subject, kind));
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

    /** All that was recorded of Cluster API's objects is gone now. */
    private void gone(PhaseContext context) {
        receipt.gone(
                context,
                what -> !what.endsWith("of the workload cluster")
                        && !OTHERS.matcher(what).lookingAt());
    }

    private static Outcome explained(DeletionSubject subject, Outcome outcome) {
        String said = subject.cluster()
                        .flatMap(cluster -> cluster.object().condition("Deleting"))
                        .map(condition -> condition.path("message").asText(""))
                        .filter(message -> !message.isEmpty())
                        .map(message -> "; Cluster API says: " + message)
                        .orElse("")
                + subject.cluster()
                        .filter(CapiCluster::paused)
                        .map(cluster -> "; the Cluster is paused, so nothing moves: RETRY_FROM EnsureUnpaused")
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
