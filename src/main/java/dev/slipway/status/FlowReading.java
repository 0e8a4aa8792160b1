package dev.slipway.status;

import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads flows for people: which phase counts, what it waits for. */
public final class FlowReading {

    private static final Set<PhaseState> HERE =
            Set.of(PhaseState.WAITING, PhaseState.RETRYING, PhaseState.BLOCKED, PhaseState.PAUSED);

    private FlowReading() {}

    /** The phases where the flow's tokens stand, the worst first: blocked, stuck, retrying, waiting. */
    public static List<PhaseView> currentPhases(FlowView flow) {
        if (flow.state() != FlowState.RUNNING) {
            return List.of();
        }
        return flow.phases().stream()
                .filter(phase -> HERE.contains(phase.state()))
                .sorted(Comparator.comparingInt(FlowReading::badness).reversed())
                .toList();
    }

    /** The worst current phase, or the last one that was entered. */
    static Optional<PhaseView> telling(FlowView flow) {
        Optional<PhaseView> current = currentPhases(flow).stream().findFirst();
        return current.isPresent()
                ? current
                : flow.phases().stream()
                        .filter(phase -> phase.state() != PhaseState.PENDING)
                        .reduce((earlier, later) -> later);
    }

    /** Why the phase is where it is: while retrying the cause, else what it reports. */
    public static String reason(PhaseView phase) {
        if (phase.state() == PhaseState.RETRYING && phase.cause() != null) {
            return phase.cause().code();
        }
        if (phase.state() == PhaseState.RETRYING && phase.lastErrorCode() != null) {
            return phase.lastErrorCode();
        }
        if (phase.reason() != null && phase.state() != PhaseState.DONE) {
            return phase.reason();
        }
        return switch (phase.state()) {
            case DONE -> "Done";
            case SKIPPED -> "Skipped";
            case PAUSED -> "PausedByOperator";
            case CANCELED -> "Canceled";
            case PENDING -> "NotReached";
            default -> phase.stuck() ? "NoOutcomeYet" : "Entered";
        };
    }

    /** What the phase saw last, for people. */
    public static String message(PhaseView phase) {
        if (phase.state() == PhaseState.RETRYING && phase.cause() != null) {
            return phase.cause().message();
        }
        if (phase.state() == PhaseState.RETRYING && phase.lastError() != null) {
            return phase.lastError();
        }
        if (phase.message() != null) {
            return phase.message();
        }
        if (phase.lastError() != null) {
            return phase.lastError();
        }
        return switch (phase.state()) {
            case DONE -> "Done";
            case SKIPPED -> "Left by an operator's decision without its goal";
            case PAUSED -> "Held by an operator";
            case CANCELED -> "Left before its goal was reached";
            case PENDING -> "Not reached yet";
            default -> phase.stuck() ? "It has not had an outcome yet" : "Entered, not run yet";
        };
    }

    /** The phase with what it saw last: one sentence. */
    static String sentence(PhaseView phase) {
        return phase.title() + ": " + message(phase);
    }

    /** The titles of the phases that an operator skipped; empty if none. */
    static String skipped(FlowView flow) {
        return flow.phases().stream()
                .filter(phase -> phase.state() == PhaseState.SKIPPED)
                .map(PhaseView::title)
                .collect(Collectors.joining(", "));
    }

    /** The latest flow of that kind; null if there never was one. */
    static @Nullable FlowView latest(List<FlowView> flows, String kind) {
        return flows.stream()
                .filter(flow -> kind.equals(flow.kind()))
                .max(Comparator.comparing(FlowView::startedAt))
                .orElse(null);
    }

    /** The running flow, else the latest one. */
    public static Optional<FlowView> leading(List<FlowView> flows) {
        return flows.stream()
                .max(Comparator.comparing((FlowView flow) -> flow.state() == FlowState.RUNNING)
                        // What ended within another flow is a part of that one's story.
                        .thenComparing(flow -> flow.state() == FlowState.RUNNING || flow.parent() == null)
                        .thenComparing(FlowView::startedAt));
    }

    private static int badness(PhaseView phase) {
        return switch (phase.state()) {
            case BLOCKED -> 4;
            case RETRYING -> phase.stuck() ? 3 : 1;
            default -> phase.stuck() ? 2 : 0;
        };
    }
}
