package dev.slipway.delegates;

import dev.slipway.cluster.PlanLines;
import dev.slipway.deletion.DeletionFacts;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionPreview;
import dev.slipway.deletion.DeletionPreviews;
import dev.slipway.deletion.DeletionRules;
import dev.slipway.deletion.DeletionSubject;
import dev.slipway.deletion.DeletionSubjects;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Decides whether a cluster may be deleted, and how much of it; writes nothing.
 *
 * <ul>
 *   <li>it is not the management cluster
 *   <li>it is not protected
 *   <li>the mode is as asked for, else as the object says, else as it fits where the cluster comes from
 *   <li>what is met is counted by kind; a dry run ends with that, or waits while the object asks for it
 * </ul>
 */
@Component
public class AdmitDeletion implements Phase {

    // Engine variables hold 4000 characters; some room is left for what others add.
    private final DeletionSubjects subjects;
    private final DeletionRules rules;
    private final DeletionPreviews previews;

    public AdmitDeletion(DeletionSubjects subjects, DeletionRules rules, DeletionPreviews previews) {
        this.subjects = subjects;
        this.rules = rules;
        this.previews = previews;
    }

    @Override
    public Outcome run(PhaseContext context) {
        if (DeletionRules.isManagementCluster(context.cluster())) {
            return Outcome.blocked(
                    ErrorClass.UNSAFE,
                    "ManagementCluster",
                    "'" + context.cluster().name() + "' is the management cluster itself: it is never deleted",
                    "Abort this deletion");
        }
        DeletionSubject subject = subjects.read(context);
        boolean planOnly =
                context.fact(DeletionFacts.DRY_RUN).filter("true"::equals).isPresent();
        if (rules.isProtected(subject) && !planOnly) {
            return Outcome.blocked(
                    ErrorClass.INVALID,
                    "DeletionProtected",
                    subject.display() + " is protected: nothing is deleted",
                    "If it shall go: " + rules.unprotect(subject),
                    "If it shall stay: abort this deletion");
        }
        DeletionMode mode = rules.mode(subject, context.fact(DeletionFacts.MODE).flatMap(DeletionMode::named));
        DeletionPreview preview = previews.preview(subject, mode);
        if (!planOnly && rules.dryRun(subject)) {
            return Outcome.waiting(
                    "DryRun",
                    subject.display() + " has spec.dryRun: nothing is deleted until that is false. " + preview.text());
        }
        String text = PlanLines.text(preview.text().lines().toList());
        return Outcome.done(planOnly ? "Dry run, nothing was deleted:\n" + text : preview.summary())
                .with(DeletionFacts.EFFECTIVE_MODE, mode.text())
                .with(DeletionFacts.PLANNED, Boolean.toString(planOnly))
                .with(DeletionFacts.PLAN, planOnly ? text : "");
    }
}
