package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.deletion.ClusterPause;
import dev.slipway.deletion.DeletionFacts;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionRules;
import dev.slipway.deletion.DeletionSubject;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.phase.Directive;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Ends a pause that would keep Cluster API from deleting, or asks first.
 *
 * <ul>
 *   <li>the Cluster is not paused, if it is to be deleted; a cluster that stays keeps its pause
 *   <li>with {@code spec.deletion.paused: ask} only after an operator decided UNPAUSE
 *   <li>the fact {@code deletion.wasPaused} and the receipt say what it was paused by
 * </ul>
 */
@Component
public class EnsureUnpaused implements Phase {

    private final DeletionSubjects subjects;
    private final DeletionRules rules;
    private final ClusterPause pause;

    public EnsureUnpaused(DeletionSubjects subjects, DeletionRules rules, ClusterPause pause) {
        this.subjects = subjects;
        this.rules = rules;
        this.pause = pause;
    }

    @Override
    public Outcome run(PhaseContext context) {
        DeletionSubject subject = subjects.read(context);
        List<String> pauses = pause.of(subject);
        if (pauses.isEmpty()) {
            return Outcome.done("nothing pauses " + subject.display());
        }
        String what = String.join("; ", pauses);
        if (rules.asksWhenPaused(subject)
                && context.directive(Directive.UNPAUSE).isEmpty()) {
            return Outcome.waiting(
                    "Paused",
                    subject.display() + " is paused (" + what + "), and spec.deletion.paused is ask: decide UNPAUSE to"
                            + " delete it, or ABORT to keep it");
        }
        Optional<CapiCluster> paused = subject.cluster().filter(CapiCluster::paused);
        if (DeletionMode.of(context) != DeletionMode.FULL || paused.isEmpty()) {
            return Outcome.done("paused (" + what + "), which keeps nothing of this deletion");
        }
        if (pause.end(context, paused.get()).paused()) {
            return Outcome.waiting("Paused", paused.get().display() + " was unpaused, and is paused again: " + what);
        }
        return Outcome.done("the pause was ended: " + what).with(DeletionFacts.WAS_PAUSED, what);
    }
}
