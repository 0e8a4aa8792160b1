package dev.slipway.trigger;

import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.Occasions;
import dev.slipway.kernel.PhaseView;
import dev.slipway.phase.ClusterRef;
import dev.slipway.status.FlowReading;
import dev.slipway.status.Happening;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Carries out a retry that an annotation asks for, once: as the REST API's retry does. */
final class AnnotatedRetry {

    /** What is begun anew without more than a wish: a deletion needs the name. */
    private static final Set<String> BUILDING = Set.of(Flows.INIT, Flows.IMPORT, Flows.ITEM_INSTALL);

    private static final int LONGEST_VALUE = 200;

    private final Flows flows;
    private final Occasions occasions;

    AnnotatedRetry(Flows flows, Occasions occasions) {
        this.flows = flows;
        this.occasions = occasions;
    }

    /**
     * Carries it out, unless that was done before.
     *
     * @param deleting whether the object's deletion was requested
     * @return what to tell; empty if it was told before
     * @throws Decisions.Conflict if somebody decides in the same moment: look again soon
     */
    Optional<Happening> carryOut(ClusterRef ref, boolean deleting, Annotation annotation) {
        if (occasions.isDecided(annotation.occasion()) || flows.hasFired(triggerKey(ref, annotation))) {
            return Optional.empty();
        }
        List<FlowView> active = flows.active(ref.uid());
        List<PhaseView> waiting = active.stream()
                .flatMap(flow -> FlowReading.currentPhases(flow).stream())
                .filter(phase -> phase.run() != null)
                .toList();
        if (waiting.isEmpty()) {
            return Optional.of(
                    active.isEmpty()
                            ? startAgain(ref, deleting, annotation)
                            : refused("The flow " + active.get(0).kind() + " runs, but no phase of it waits just now"));
        }
        List<String> runs = waiting.stream()
                .map(PhaseView::run)
                .map(Objects::requireNonNull)
                .toList();
        List<Decision> decided = occasions.decide(
                annotation.occasion(), runs, Decision.Wish.of(Choice.RETRY, why(annotation)), annotation.by());
        String phases = waiting.stream().map(PhaseView::name).collect(Collectors.joining(", "));
        return decided.isEmpty()
                ? Optional.empty()
                : Optional.of(retried(annotation, phases + (waiting.size() == 1 ? " starts anew" : " start anew")));
    }

    /** A failed flow is not the end: the same kind starts anew, on the same objects. */
    private Happening startAgain(ClusterRef ref, boolean deleting, Annotation annotation) {
        // One that another flow called ends with that one, and starts with it again.
        List<FlowView> own = flows.latest(ref.uid()).stream()
                .filter(flow -> flow.parent() == null)
                .toList();
        Optional<FlowView> last = FlowReading.leading(own).filter(flow -> flow.state() == FlowState.ABORTED);
        if (last.isEmpty()) {
            return refused("No flow is active, and the last one did not fail");
        }
        String kind = last.get().kind();
        if (!BUILDING.contains(kind) || deleting) {
            return refused(
                    "The flow " + kind + " was aborted, and an annotation is not enough to begin a deletion anew."
                            + " What can be done: 1. Use the console, or POST …/flows, where the name is typed out");
        }
        try {
            flows.start(kind, ref, annotation.by(), triggerKey(ref, annotation));
            return retried(annotation, "the flow " + kind + " starts anew");
        } catch (Flows.FlowConflict | Flows.UnknownFlow e) {
            return refused(String.valueOf(e.getMessage()));
        }
    }

    private static String triggerKey(ClusterRef ref, Annotation annotation) {
        return ref.uid() + "/" + annotation.occasion();
    }

    private static String why(Annotation annotation) {
        String value = annotation.value();
        return "The annotation " + annotation.name() + ": \""
                + (value.length() <= LONGEST_VALUE ? value : value.substring(0, LONGEST_VALUE) + "…") + "\"";
    }

    private static Happening retried(Annotation annotation, String what) {
        return Happening.normal("Retried", annotation.by() + " asked for a retry: " + what);
    }

    static Happening refused(String why) {
        return Happening.warning("RetryRefused", "The annotation " + Annotation.RETRY + " retried nothing: " + why);
    }
}
