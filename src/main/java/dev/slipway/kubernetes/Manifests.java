package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Objects on their way to the API server and back. */
final class Manifests {

    private Manifests() {}

    /** An object as the server gave it; items of lists lack what they are. */
    static KubeObject typed(ResourceType type, ObjectNode json) {
        if (!json.hasNonNull("kind")) {
            json.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        }
        return new KubeObject(json);
    }

    /** The object without what only the server may say. */
    static ObjectNode manifest(ResourceType type, KubeObject object) {
        ObjectNode json = object.json().deepCopy();
        json.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        JsonNode metadata = json.path("metadata");
        if (metadata instanceof ObjectNode fields) {
            fields.remove(List.of("managedFields", "resourceVersion", "creationTimestamp", "generation"));
        }
        return json;
    }

    /** The object's name; without one, a write could not be repeated. */
    static String name(ResourceType type, KubeObject object) {
        if (object.name().isEmpty()) {
            throw new IllegalArgumentException("No metadata.name for " + type.display());
        }
        return object.name();
    }
}
