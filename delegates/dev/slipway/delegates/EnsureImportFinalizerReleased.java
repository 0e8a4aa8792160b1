package dev.slipway.delegates;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.deletion.ClusterRemoval;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionSubject;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.deletion.ForceGate;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Releases the Cluster from the import, once nothing depends on it any more.
 *
 * <ul>
 *   <li>of a cluster that is deleted nothing is left, by live lists made just before
 *   <li>the finalizer {@code capi.cpaas.io/imported} is off; no other finalizer is touched
 * </ul>
 */
@Component
public class EnsureImportFinalizerReleased implements Phase {

    private static final String REMOVAL = "EnsureClusterApiClusterGone";

    private final DeletionSubjects subjects;
    private final ClusterRemoval removal;
    private final LiveReader reader;
    private final KubeWriter writer;
    private final ForceGate gate;

    public EnsureImportFinalizerReleased(
            DeletionSubjects subjects, ClusterRemoval removal, LiveReader reader, KubeWriter writer, ForceGate gate) {
        this.subjects = subjects;
        this.removal = removal;
        this.reader = reader;
        this.writer = writer;
        this.gate = gate;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return gate.around(context, () -> release(context, false), () -> release(context, true));
    }

    private Outcome release(PhaseContext context, boolean forced) {
        DeletionSubject subject = subjects.read(context);
        Optional<KubeObject> cluster =
                subject.cluster().map(found -> found.object()).filter(EnsureImportFinalizerReleased::held);
        if (cluster.isEmpty()) {
            return Outcome.done("the finalizer " + ImportTarget.FINALIZER + " holds nothing");
        }
        boolean proof =
                DeletionMode.of(context) == DeletionMode.FULL && !forced && !ForceGate.wasForced(context, REMOVAL);
        if (proof) {
            Optional<Outcome> obstacle = removal.obstacle(context, subject);
            if (obstacle.isPresent()) {
                return obstacle.get();
            }
        }
        ResourceType type = reader.find(ClusterApi.GROUP, "Cluster").orElseThrow();
        KubeObject object = cluster.get();
        writer.removeFinalizer(type, object.namespace(), object.name(), ImportTarget.FINALIZER);
        boolean left = subjects.read(context)
                .cluster()
                .filter(found -> held(found.object()))
                .isPresent();
        return left
                ? Outcome.waiting("WaitingForFinalizerReleased", "the finalizer was taken off, and is there again")
                : Outcome.done(
                        "the finalizer " + ImportTarget.FINALIZER + " was taken off" + (forced ? ", by force" : ""));
    }

    private static boolean held(KubeObject cluster) {
        return cluster.finalizers().contains(ImportTarget.FINALIZER);
    }
}
