package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.kubernetes.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a controller says about an object, whichever shape of the API it uses.
 *
 * @param type for example {@code InfrastructureReady}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason UpperCamel, may be empty
 * @param message for people, on one line, may be empty
 */
public record Condition(String type, String status, String reason, String message) {

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
                oneLine(node.path("message").asText("")));
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
