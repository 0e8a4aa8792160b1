package dev.slipway.kernel;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One phase as its diagram draws it.
 *
 * @param elementId the sub-process
 * @param taskId the service task inside
 * @param name the phase, for example {@code EnsureCertificates}
 * @param bean the delegate's bean, for example {@code ensureCertificates}
 * @param title what operators read
 * @param requeueAfter the requeue timer's duration
 * @param stuckTimerId the stuck timer, or null if the phase never counts as stuck
 * @param stuckAfter the stuck timer's duration, or null
 * @param advice what a person can do if it is stuck, in order, by the diagram's documentation
 * @param drawnChoices what an operator may decide here beyond what every phase allows
 */
record PhaseDefinition(
        String elementId,
        String taskId,
        String name,
        String bean,
        String title,
        Duration requeueAfter,
        @Nullable String stuckTimerId,
        @Nullable Duration stuckAfter,
        List<String> advice,
        Set<Choice> drawnChoices) {

    PhaseDefinition {
        advice = List.copyOf(advice);
        drawnChoices = Set.copyOf(drawnChoices);
    }

    /** What a person can do, in order: what the phase itself says, else the diagram's advice. */
    List<String> actions(Progress progress) {
        return progress.actions().isEmpty() ? advice : progress.actions();
    }

    /** What an operator may decide about a run of this phase. */
    List<Choice> choices(PhaseRun run, boolean first) {
        if (run.leftAt() != null) {
            return List.of();
        }
        EnumSet<Choice> allowed = EnumSet.of(Choice.RETRY, Choice.ABORT);
        if (!first) {
            allowed.add(Choice.RETRY_FROM);
        }
        if (run.progress().state() == PhaseState.PAUSED) {
            allowed.add(Choice.RESUME);
        } else {
            allowed.add(Choice.PAUSE);
            if (stuckTimerId != null) {
                allowed.add(Choice.WAIT_MORE);
            }
            allowed.addAll(drawnChoices);
        }
        return List.copyOf(allowed);
    }
}
