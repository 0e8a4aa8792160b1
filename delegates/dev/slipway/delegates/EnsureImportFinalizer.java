package dev.slipway.delegates;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.ImportTarget;
import dev.slipway.imports.ImportTargets;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Keeps the Cluster from vanishing before what is made for it outside is cleaned up.
 *
 * <ul>
 *   <li>the finalizer of imported clusters is on the Cluster; others are not touched
 *   <li>on a Cluster that is being deleted none is added: the server would refuse it
 * </ul>
 */
@Component
public class EnsureImportFinalizer implements Phase {

    private final LiveReader reader;
    private final KubeWriter writer;
    private final ImportTargets targets;

    public EnsureImportFinalizer(LiveReader reader, KubeWriter writer, ImportTargets targets) {
        this.reader = reader;
        this.writer = writer;
        this.targets = targets;
    }

    @Override
    public Outcome run(PhaseContext context) {
        ImportTarget target = targets.require(context);
        if (isSet(target.cluster().object())) {
            return Outcome.done("the finalizer " + ImportTarget.FINALIZER + " is set");
        }
        if (target.deleting()) {
            return Outcome.waiting(
                    "WaitingForDeletion", target.display() + " is being deleted: nothing more is made for it");
        }
        ResourceType type = reader.find(ClusterApi.GROUP, "Cluster").orElseThrow();
        KubeObject written = writer.addFinalizer(type, target.cluster().object(), ImportTarget.FINALIZER);
        // The answer to the patch is the object as stored: as good as another read.
        return isSet(written)
                ? Outcome.done("the finalizer " + ImportTarget.FINALIZER + " was set")
                : Outcome.waiting("WaitingForFinalizer", "the finalizer was set, and is not there");
    }

    private static boolean isSet(KubeObject cluster) {
        return cluster.finalizers().contains(ImportTarget.FINALIZER);
    }
}
