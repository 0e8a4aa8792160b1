package dev.slipway.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kernel.Flows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what happened between two statuses.
 *
 * <p>The earlier status is what the API server stored: so nothing is told twice after a restart.
 */
final class Happenings {

    private static final List<ConditionType> MILESTONES = List.of(
            ConditionType.CERTIFICATES_READY,
            ConditionType.CONTROL_PLANE_READY,
            ConditionType.NODES_READY,
            ConditionType.IMPORTED,
            ConditionType.INSTALLED,
            ConditionType.READY,
            ConditionType.PLANNED);

    private static final Set<ClusterPhase> OF_RUNNING_INIT =
            Set.of(ClusterPhase.INITIALIZING, ClusterPhase.STUCK, ClusterPhase.PAUSED);

    private static final String PAUSED = "Paused";

    private Happenings() {}

    /** The happenings, in the order in which people tell them; few, and one per reason. */
    static List<Happening> between(ObjectNode before, ObjectNode after) {
        List<Happening> found = new ArrayList<>();
        flowStarted(before, after).ifPresent(found::add);
        for (ConditionType milestone : MILESTONES) {
            if (became(before, after, milestone)) {
                found.add(Happening.normal(milestone.text(), message(after, milestone)));
            }
        }
        trouble(before, after).ifPresent(found::add);
        recovered(before, after).ifPresent(found::add);
        pausedByOperator(before, after).ifPresent(found::add);
        flowEndedEarly(before, after).ifPresent(found::add);
        deletion(before, after).ifPresent(found::add);
        Map<String, Happening> onePerReason = new LinkedHashMap<>();
        found.forEach(happening -> onePerReason.putIfAbsent(happening.reason(), happening));
        return List.copyOf(onePerReason.values());
    }

    private static Optional<Happening> flowStarted(ObjectNode before, ObjectNode after) {
        String id = after.path("flow").path("id").asText();
        if (id.isEmpty() || id.equals(before.path("flow").path("id").asText()) || isBackInInit(before, after)) {
            return Optional.empty();
        }
        String kind = after.path("flow").path("kind").asText();
        String reason = Flows.DELETE.equals(kind) || Flows.ITEM_DELETE.equals(kind) ? "DeletionStarted" : "FlowStarted";
        return Optional.of(Happening.normal(reason, "The flow " + kind + " has started"));
    }

    /** The import that init called has ended: init goes on, it does not start. */
    private static boolean isBackInInit(ObjectNode before, ObjectNode after) {
        return Flows.IMPORT.equals(before.path("flow").path("kind").asText())
                && Flows.INIT.equals(after.path("flow").path("kind").asText())
                && ClusterPhase.parse(before.path("phase").asText())
                        .filter(OF_RUNNING_INIT::contains)
                        .isPresent();
    }

    private static Optional<Happening> trouble(ObjectNode before, ObjectNode after) {
        if (!holds(after, ConditionType.STUCK)) {
            return Optional.empty();
        }
        String reason = reason(after, ConditionType.STUCK);
        boolean known = holds(before, ConditionType.STUCK) && reason.equals(reason(before, ConditionType.STUCK));
        return known ? Optional.empty() : Optional.of(Happening.warning(reason, message(after, ConditionType.STUCK)));
    }

    private static Optional<Happening> recovered(ObjectNode before, ObjectNode after) {
        boolean over = holds(before, ConditionType.STUCK) && !holds(after, ConditionType.STUCK);
        boolean ended = deleting(after) && !deleting(before);
        if (!over || ended || failed(after) || paused(after) || onlyStartedAnew(before, after)) {
            return Optional.empty();
        }
        return Optional.of(
                Happening.normal("Recovered", "No longer stuck: " + reason(before, ConditionType.STUCK) + " is over"));
    }

    /** An operator's retry closes the task, but whether it helps is not known before the phase has run. */
    private static boolean onlyStartedAnew(ObjectNode before, ObjectNode after) {
        JsonNode was = before.path("flow");
        JsonNode is = after.path("flow");
        return is.path("attempt").asInt() == 0
                && is.path("id").equals(was.path("id"))
                && is.path("phase").equals(was.path("phase"));
    }

    private static Optional<Happening> pausedByOperator(ObjectNode before, ObjectNode after) {
        boolean became = PAUSED.equals(after.path("flow").path("state").asText())
                && !PAUSED.equals(before.path("flow").path("state").asText());
        return became
                ? Optional.of(Happening.normal(reason(after, ConditionType.READY), message(after, ConditionType.READY)))
                : Optional.empty();
    }

    private static Optional<Happening> flowEndedEarly(ObjectNode before, ObjectNode after) {
        if (!failed(after) || failed(before)) {
            return Optional.empty();
        }
        return Optional.of(Happening.warning(reason(after, ConditionType.READY), message(after, ConditionType.READY)));
    }

    /** What the running deletion does is told by its flow: here is what is left to say without one. */
    private static Optional<Happening> deletion(ObjectNode before, ObjectNode after) {
        String reason = reason(after, ConditionType.DELETING);
        boolean known = deleting(before) && reason.equals(reason(before, ConditionType.DELETING));
        if (!deleting(after) || known) {
            return Optional.empty();
        }
        String message = message(after, ConditionType.DELETING);
        return switch (reason) {
            case "Aborted" -> Optional.of(Happening.warning(reason, message));
            case "WaitingForOthers" -> Optional.of(Happening.normal(reason, message));
            default -> Optional.empty();
        };
    }

    private static boolean failed(ObjectNode status) {
        return ClusterPhase.FAILED.text().equals(status.path("phase").asText());
    }

    private static boolean paused(ObjectNode status) {
        return ClusterPhase.PAUSED.text().equals(status.path("phase").asText());
    }

    private static boolean deleting(ObjectNode status) {
        return holds(status, ConditionType.DELETING);
    }

    private static boolean became(ObjectNode before, ObjectNode after, ConditionType type) {
        return holds(after, type) && !holds(before, type);
    }

    private static boolean holds(ObjectNode status, ConditionType type) {
        return "True".equals(condition(status, type).path("status").asText());
    }

    private static String reason(ObjectNode status, ConditionType type) {
        return condition(status, type).path("reason").asText();
    }

    private static String message(ObjectNode status, ConditionType type) {
        return condition(status, type).path("message").asText();
    }

    private static JsonNode condition(ObjectNode status, ConditionType type) {
        for (JsonNode condition : status.path("conditions")) {
            if (type.text().equals(condition.path("type").asText())) {
                return condition;
            }
        }
        return MissingNode.getInstance();
    }
}
