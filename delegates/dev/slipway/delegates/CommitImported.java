package dev.slipway.delegates;

import dev.slipway.imports.ClusterMarks;
import dev.slipway.imports.ImportScene;
import dev.slipway.imports.ImportScenes;
import dev.slipway.imports.InvariantCheck;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.ImportInvariants;
import dev.slipway.platform.ImportInvariants.Broken;
import dev.slipway.platform.ImportInvariants.Invariant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Says that the cluster is imported: puts the label {@code capi.cpaas.io/imported} on the Cluster.
 *
 * <ul>
 *   <li>the label's key counts, whatever its value; one that is there is left as it is
 *   <li>it is the last write of the import: while one of the other invariants is broken, the flow goes back instead
 * </ul>
 */
@Component
public class CommitImported implements Phase {

    private static final String DONE = " has the label of imported clusters";

    private final ImportScenes scenes;
    private final InvariantCheck check;
    private final ClusterMarks marks;

    public CommitImported(ImportScenes scenes, InvariantCheck check, ClusterMarks marks) {
        this.scenes = scenes;
        this.check = check;
        this.marks = marks;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return scenes.run(context, this::commit);
    }

    private Outcome commit(ImportScene scene) {
        if (ImportInvariants.imported(scene.target().cluster().object())) {
            return Outcome.done(scene.target().display() + DONE);
        }
        Optional<Broken> broken = check.broken(scene).stream()
                .filter(one -> one.invariant() != Invariant.IMPORTED_MARK)
                .findFirst();
        if (broken.isPresent()) {
            return InvariantCheck.back(broken.get());
        }
        // The answer to the patch is the object as stored: as good as another read.
        return ImportInvariants.imported(marks.markImported(scene.target()))
                ? Outcome.done(scene.target().display() + DONE)
                : Outcome.waiting(
                        "WaitingForImportedLabel",
                        "the label of imported clusters was put on "
                                + scene.target().display() + ", and is not there");
    }
}
