package dev.slipway.status;

import static dev.slipway.status.Condition.no;
import static dev.slipway.status.Condition.yes;

import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseView;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What the import flow says about a cluster: as a part of init, by itself, or for a Cluster that has nothing else. */
final class ImportProjection {

    private static final String RESULT_IMPORTED = "Imported";
    private static final String RESULT_NOT_WANTED = "NotWanted";

    private ImportProjection() {}

    /** Whether init's token stands in that import just now: init called it and waits for it. */
    static boolean isPartOf(@Nullable FlowView init, @Nullable FlowView imports) {
        return init != null
                && imports != null
                && init.state() == FlowState.RUNNING
                && imports.state() == FlowState.RUNNING
                && init.id().equals(imports.parent());
    }

    /** Whether the platform knows the cluster; empty where there was nothing to import. */
    static Optional<Condition> imported(@Nullable FlowView imports) {
        if (imports == null || RESULT_NOT_WANTED.equals(imports.result())) {
            return Optional.empty();
        }
        return Optional.of(
                switch (imports.state()) {
                    case RUNNING -> running(ConditionType.IMPORTED, imports);
                    case COMPLETED -> completed(imports);
                    case ABORTED, INTERRUPTED -> endedEarly(ConditionType.IMPORTED, imports);
                });
    }

    /** How a Cluster without a WorkloadCluster stands. */
    static ClusterPhase phase(
            @Nullable FlowView imports, BiFunction<FlowView, ClusterPhase, ClusterPhase> phaseOfRunning) {
        if (imports == null) {
            return ClusterPhase.PENDING;
        }
        return switch (imports.state()) {
            case RUNNING -> phaseOfRunning.apply(imports, ClusterPhase.IMPORTING);
            case COMPLETED ->
                RESULT_IMPORTED.equals(imports.result())
                        ? ClusterPhase.READY
                        : RESULT_NOT_WANTED.equals(imports.result()) ? ClusterPhase.PENDING : ClusterPhase.FAILED;
            case ABORTED, INTERRUPTED -> ClusterPhase.FAILED;
        };
    }

    /** Whether a Cluster without a WorkloadCluster can be used through the platform. */
    static Condition ready(@Nullable FlowView imports) {
        ConditionType type = ConditionType.READY;
        if (imports == null) {
            return no(type, "NotStarted", "The import flow has not started yet");
        }
        if (RESULT_NOT_WANTED.equals(imports.result())) {
            return no(type, RESULT_NOT_WANTED, "There was nothing to import when the import flow looked");
        }
        return switch (imports.state()) {
            case RUNNING -> running(type, imports);
            case COMPLETED ->
                RESULT_IMPORTED.equals(imports.result())
                        ? yes(type, RESULT_IMPORTED, verified(imports))
                        : endedEarly(type, imports);
            case ABORTED, INTERRUPTED -> endedEarly(type, imports);
        };
    }

    private static Condition running(ConditionType type, FlowView imports) {
        if (imports.incident() != null) {
            return no(type, "NoDriver", imports.incident());
        }
        return FlowReading.currentPhases(imports).stream()
                .findFirst()
                .map(phase -> no(type, FlowReading.reason(phase), FlowReading.sentence(phase)))
                .orElseGet(() -> no(type, "Importing", "The import flow is between two phases"));
    }

    private static Condition completed(FlowView imports) {
        return RESULT_IMPORTED.equals(imports.result())
                ? yes(ConditionType.IMPORTED, "Verified", verified(imports))
                : endedEarly(ConditionType.IMPORTED, imports);
    }

    private static Condition endedEarly(ConditionType type, FlowView imports) {
        String reason =
                switch (imports.state()) {
                    case ABORTED -> "Aborted";
                    case INTERRUPTED -> "Interrupted";
                    default -> imports.result() == null ? "Ended" : imports.result();
                };
        return no(
                type,
                reason,
                "The import flow ended early. What can be done: 1. Start it again: POST /api/v1/clusters/"
                        + imports.cluster().display() + "/flows {\"flow\": \"import\"}");
    }

    /** What the last phase saw, and what was not looked at. */
    private static String verified(FlowView imports) {
        List<PhaseView> phases = imports.phases();
        String seen = phases.isEmpty()
                ? "The import flow ended with every phase done"
                : FlowReading.sentence(phases.get(phases.size() - 1));
        String skipped = FlowReading.skipped(imports);
        return skipped.isEmpty() ? seen : seen + "; an operator skipped: " + skipped;
    }
}
