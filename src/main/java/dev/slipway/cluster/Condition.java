package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.kubernetes.KubeObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a controller says about an object, whichever shape of the API it uses.
 *
 * @param type for example {@code InfrastructureReady}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason UpperCamel, may be empty
 * @param message for people, on one line, may be empty
 * @param severity {@code Error}, {@code Warning} or {@code Info} in the older shape, else empty
 * @param since when its status changed last; null if it does not say
 */
public record Condition(
        String type, String status, String reason, String message, String severity, @Nullable Instant since) {

    private static final int MESSAGE_LIMIT = 600;

    // The newer statement first: in v1beta1 it hides under v1beta2, in v1beta2 the older under deprecated.
    private static final List<String[]> PLACES = List.of(
            new String[] {"status", "v1beta2", "conditions"},
            new String[] {"status", "conditions"},
            new String[] {"status", "deprecated", "v1beta1", "conditions"});

    /** The condition of that type, in the newest shape that has it. */
    public static Optional<Condition> of(KubeObject object, String type) {
        for (String[] place : PLACES) {
            for (JsonNode node : object.at(place)) {
                if (type.equals(node.path("type").asText())) {
                    return Optional.of(read(node));
                }
            }
        }
        return Optional.empty();
    }

    /** All conditions of an object, in the newest shape that has any. */
    public static List<Condition> all(KubeObject object) {
        for (String[] place : PLACES) {
            List<Condition> conditions = new ArrayList<>();
            object.at(place).forEach(node -> conditions.add(read(node)));
            if (!conditions.isEmpty()) {
                return conditions;
            }
        }
        return List.of();
    }

    /** Whether that condition is there and True. */
    public static boolean isTrue(KubeObject object, String type) {
        return of(object, type).map(Condition::holds).orElse(false);
    }

    /** Those of the types that are there and not True, in the given order. */
    static List<Condition> unmet(KubeObject object, String... types) {
        List<Condition> unmet = new ArrayList<>();
        for (String type : types) {
            of(object, type).filter(condition -> !condition.holds()).ifPresent(unmet::add);
        }
        return unmet;
    }

    public boolean holds() {
        return status.equals("True");
    }

    /** {@code InfrastructureReady is False, reason WaitingForVm: the VM has no address}. */
    public String sentence() {
        StringBuilder text = new StringBuilder(type).append(" is ").append(status);
        if (!reason.isEmpty()) {
            text.append(", reason ").append(reason);
        }
        if (!message.isEmpty()) {
            text.append(": ").append(message);
        }
        return text.toString();
    }

    private static Condition read(JsonNode node) {
        return new Condition(
                node.path("type").asText(),
                node.path("status").asText("Unknown"),
                node.path("reason").asText(""),
                oneLine(node.path("message").asText("")),
                node.path("severity").asText(""),
                time(node.path("lastTransitionTime").asText("")));
    }

    private static @Nullable Instant time(String text) {
        try {
            return text.isEmpty() ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            // As good as none.
            return null;
        }
    }

    /** Cluster API writes lists with bullets on lines of their own. */
    private static String oneLine(String text) {
        String line = text.strip()
                .replaceAll("^\\* ", "")
                .replaceAll(":\\s*\\n\\s*\\*\\s*", ": ")
                .replaceAll("\\s*\\n\\s*(\\*\\s*)?", "; ");
        return line.length() <= MESSAGE_LIMIT ? line : line.substring(0, MESSAGE_LIMIT) + "…";
    }
}
