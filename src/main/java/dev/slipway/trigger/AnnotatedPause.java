package dev.slipway.trigger;

import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.Occasions;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import dev.slipway.status.FlowReading;
import dev.slipway.status.Happening;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Holds phases while an annotation stands, and lets those go on that it held.
 *
 * <p>The latest word counts: who lets a phase go on by other means afterwards has taken the annotation back.
 */
final class AnnotatedPause {

    private static final Set<Choice> GO_ON = EnumSet.of(Choice.RESUME, Choice.RETRY, Choice.RETRY_FROM);

    private final Flows flows;
    private final Decisions decisions;
    private final Occasions occasions;

    AnnotatedPause(Flows flows, Decisions decisions, Occasions occasions) {
        this.flows = flows;
        this.decisions = decisions;
        this.occasions = occasions;
    }

    /**
     * The annotation stands: pauses all phases that wait.
     *
     * @return the decision by which somebody took it back; empty if it holds
     * @throws Decisions.Conflict if somebody decides in the same moment: look again soon
     */
    Optional<Decision> hold(String uid, Annotation annotation) {
        List<PhaseView> going = current(uid, false);
        if (going.isEmpty()) {
            return Optional.empty();
        }
        Optional<Decision> later = takenBack(decisions.ofCluster(uid), annotation);
        if (later.isEmpty()) {
            Decision.Wish pause = Decision.Wish.of(Choice.PAUSE, "the annotation " + annotation.name() + " stands");
            going.forEach(phase -> {
                String run = String.valueOf(phase.run());
                occasions.decide(occasion(annotation, run), List.of(run), pause, annotation.by());
            });
        }
        return later;
    }

    /**
     * The annotation is gone: phases that it paused start anew; those that a person paused by other means stay.
     *
     * @return what to tell; empty if none was held
     * @throws Decisions.Conflict if somebody decides in the same moment: look again soon
     */
    Optional<Happening> release(String uid) {
        List<PhaseView> held = current(uid, true);
        List<Decision> past = held.isEmpty() ? List.of() : decisions.ofCluster(uid);
        List<String> released = new ArrayList<>();
        Decision.Wish resume = Decision.Wish.of(Choice.RESUME, "The annotation " + Annotation.PAUSED + " is gone");
        for (PhaseView phase : held) {
            String run = String.valueOf(phase.run());
            past.stream()
                    .filter(decision ->
                            run.equals(decision.runId()) && decision.wish().choice() == Choice.PAUSE)
                    .findFirst()
                    .filter(decision -> decision.id().startsWith(Occasions.PREFIX))
                    .map(decision ->
                            occasions.decide(decision.id() + "/over", List.of(run), resume, Annotation.KUBERNETES))
                    .filter(decided -> !decided.isEmpty())
                    .ifPresent(decided -> released.add(phase.name()));
        }
        return released.isEmpty()
                ? Optional.empty()
                : Optional.of(Happening.normal(
                        "Resumed",
                        "The annotation " + Annotation.PAUSED + " is gone: " + String.join(", ", released)
                                + (released.size() == 1 ? " starts anew" : " start anew")));
    }

    private List<PhaseView> current(String uid, boolean paused) {
        return flows.active(uid).stream()
                .flatMap(flow -> FlowReading.currentPhases(flow).stream())
                .filter(phase -> phase.run() != null && (phase.state() == PhaseState.PAUSED) == paused)
                .toList();
    }

    /** Whether somebody let a phase go on after this setting of the annotation had paused one. */
    private static Optional<Decision> takenBack(List<Decision> past, Annotation annotation) {
        return past.stream()
                .filter(decision -> decision.runId() != null
                        && decision.id().equals(Occasions.id(occasion(annotation, decision.runId()), 0)))
                .findFirst()
                .flatMap(paused -> past.stream()
                        .filter(decision -> decision.at().isAfter(paused.at())
                                && GO_ON.contains(decision.wish().choice()))
                        .findFirst());
    }

    private static String occasion(Annotation annotation, String run) {
        return annotation.occasion() + "/" + run;
    }
}
