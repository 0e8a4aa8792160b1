package dev.slipway.kubernetes;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** URL paths of kinds and objects; a name cannot lead to another path. */
final class Paths {

    private Paths() {}

    /** The version of an API group: {@code /api/v1} or {@code /apis/group/version}. */
    static String groupVersion(String group, String version) {
        return group.isEmpty() ? "/api/" + segment(version) : "/apis/" + segment(group) + "/" + segment(version);
    }

    /** All objects of a kind, in one namespace or everywhere. */
    static String collection(ResourceType type, String namespace) {
        String base = groupVersion(type.group(), type.version());
        String scope = type.namespaced() && !namespace.isEmpty() ? "/namespaces/" + segment(namespace) : "";
        return base + scope + "/" + segment(type.plural());
    }

    /** One object. */
    static String object(ResourceType type, String namespace, String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("No name for " + type.display());
        }
        return home(type, namespace) + "/" + segment(name);
    }

    /** Where an object of that namespace is created; a namespaced kind needs one. */
    static String home(ResourceType type, String namespace) {
        if (type.namespaced() && namespace.isEmpty()) {
            throw new IllegalArgumentException("No namespace for " + type.display());
        }
        return collection(type, namespace);
    }

    private static String segment(String text) {
        // URLs resolve dots, and some servers decode slashes: neither is ever part of a name.
        if (text.isEmpty() || text.equals(".") || text.equals("..") || text.contains("/") || text.contains("%")) {
            throw CallError.NAME_INVALID.failure("'" + text + "' cannot be the name of a Kubernetes object.");
        }
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
