package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The conditions of an object, with transition times that only move when the status does. */
final class Conditions {

    private final Map<String, ObjectNode> byType = new TreeMap<>();
    private final int generation;
    private final Clock clock;

    /** Starts from those that the object has. */
    Conditions(JsonNode object, Clock clock) {
        this.generation = object.path("metadata").path("generation").asInt();
        this.clock = clock;
        object.path("status")
                .path("conditions")
                .forEach(c -> byType.put(c.path("type").asText(), ((ObjectNode) c).deepCopy()));
    }

    Conditions yes(String type, String reason) {
        return set(type, "True", reason, "");
    }

    Conditions no(String type, String reason, String message) {
        return set(type, "False", reason, message);
    }

    Conditions unknown(String type, String reason, String message) {
        return set(type, "Unknown", reason, message);
    }

    /** True with a reason for it, or False with a reason and a message. */
    Conditions when(boolean good, String type, String goodReason, String badReason, String message) {
        return good ? yes(type, goodReason) : no(type, badReason, message);
    }

    Conditions set(String type, String status, String reason, String message) {
        ObjectNode old = byType.get(type);
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        boolean moved = old == null || !status.equals(old.path("status").asText());
        ObjectNode condition = JsonNodeFactory.instance.objectNode();
        condition
                .put("type", type)
                .put("status", status)
                .put("reason", reason)
                .put("message", message)
                .put("observedGeneration", generation)
                .put(
                        "lastTransitionTime",
                        moved ? now : old.path("lastTransitionTime").asText());
        byType.put(type, condition);
        return this;
    }

    /** Whether an object has that condition, and it is True. */
    static boolean isTrue(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (type.equals(condition.path("type").asText())) {
                return "True".equals(condition.path("status").asText());
            }
        }
        return false;
    }

    boolean isTrue(String type) {
        return byType.containsKey(type)
                && "True".equals(byType.get(type).path("status").asText());
    }

    String message(String type) {
        return byType.containsKey(type) ? byType.get(type).path("message").asText() : "";
    }

    /** When the condition became what it is. */
    Optional<Instant> since(String type) {
        return Optional.ofNullable(byType.get(type))
                .map(c -> Instant.parse(c.path("lastTransitionTime").asText()));
    }

    ArrayNode toJson() {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        byType.values().forEach(array::add);
        return array;
    }
}
