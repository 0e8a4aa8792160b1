package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * A reference from one object to another in the same namespace.
 *
 * @param group the API group, empty for the core group
 * @param kind the kind
 * @param name the name, empty if a reference names only a kind
 */
public record ObjectRef(String group, String kind, String name) {

    /** Reads {@code {apiGroup, kind, name}} as well as {@code {apiVersion, kind, name}}; empty if it has no kind. */
    static Optional<ObjectRef> of(JsonNode node) {
        String kind = node.path("kind").asText("");
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        String apiVersion = node.path("apiVersion").asText("");
        String group = node.hasNonNull("apiGroup") ? node.path("apiGroup").asText() : groupOf(apiVersion);
        return Optional.of(new ObjectRef(group, kind, node.path("name").asText("")));
    }

    static String groupOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    /** {@code DevCluster plain-1}. */
    public String display() {
        return name.isEmpty() ? kind : kind + " " + name;
    }

    /** {@code DevCluster.infrastructure.cluster.x-k8s.io}. */
    String qualifiedKind() {
        return group.isEmpty() ? kind : kind + "." + group;
    }
}
