package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Any Kubernetes object as JSON: unknown fields survive.
 *
 * @param json the whole object
 */
public record KubeObject(ObjectNode json) {

    /** Starts an object with apiVersion, kind and name; an empty namespace is left out. */
    public static KubeObject named(ResourceType type, String namespace, String name) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        ObjectNode metadata = json.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return new KubeObject(json);
    }

    public String apiVersion() {
        return json.path("apiVersion").asText();
    }

    public String kind() {
        return json.path("kind").asText();
    }

    public String name() {
        return metadata("name");
    }

    public String namespace() {
        return metadata("namespace");
    }

    public String uid() {
        return metadata("uid");
    }

    public String resourceVersion() {
        return metadata("resourceVersion");
    }

    public long generation() {
        return json.path("metadata").path("generation").asLong();
    }

    /** Whether deletion was requested. */
    public boolean deleting() {
        return json.path("metadata").hasNonNull("deletionTimestamp");
    }

    public Optional<Instant> created() {
        String text = metadata("creationTimestamp");
        return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    }

    public Map<String, String> labels() {
        return strings("labels");
    }

    public Map<String, String> annotations() {
        return strings("annotations");
    }

    public List<String> finalizers() {
        List<String> finalizers = new ArrayList<>();
        json.path("metadata").path("finalizers").forEach(node -> finalizers.add(node.asText()));
        return finalizers;
    }

    /** Reads a value by its path; a {@link MissingNode} when any part of it is absent. */
    public JsonNode at(String... path) {
        JsonNode node = json;
        for (String part : path) {
            node = node.path(part);
        }
        return node;
    }

    /** Reads a text by its path; empty when absent, null or "". */
    public Optional<String> text(String... path) {
        return Optional.of(at(path).asText("")).filter(text -> !text.isEmpty());
    }

    /** The condition of that type in {@code status.conditions}. */
    public Optional<JsonNode> condition(String type) {
        for (JsonNode condition : at("status", "conditions")) {
            if (type.equals(condition.path("type").asText())) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }

    /** Whether that condition is there with status True. */
    public boolean conditionTrue(String type) {
        return condition(type)
                .map(c -> "True".equals(c.path("status").asText()))
                .orElse(false);
    }

    /** An owner reference to this object. */
    public ObjectNode ownerReference(boolean controller) {
        ObjectNode reference = JsonNodeFactory.instance.objectNode();
        reference
                .put("apiVersion", apiVersion())
                .put("kind", kind())
                .put("name", name())
                .put("uid", uid());
        if (controller) {
            reference.put("controller", true).put("blockOwnerDeletion", true);
        }
        return reference;
    }

    private String metadata(String field) {
        return json.path("metadata").path(field).asText("");
    }

    private Map<String, String> strings(String field) {
        Map<String, String> values = new LinkedHashMap<>();
        json.path("metadata")
                .path(field)
                .properties()
                .forEach(e -> values.put(e.getKey(), e.getValue().asText()));
        return values;
    }
}
