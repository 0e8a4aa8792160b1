package dev.slipway.kubernetes;

import org.jspecify.annotations.Nullable;

/**
 * What is done to which object: how messages name a call.
 *
 * @param verb an infinitive: "create", "list"
 * @param type the kind; null for paths such as {@code /readyz}
 * @param namespace the namespace, or empty
 * @param name the object's name or the path; empty for lists
 */
record Operation(String verb, @Nullable ResourceType type, String namespace, String name) {

    static Operation on(String verb, ResourceType type, String namespace, String name) {
        return new Operation(verb, type, namespace, name);
    }

    static Operation path(String path) {
        return new Operation("read", null, "", path);
    }

    /** Whether the server's words about the object could hold a secret. */
    boolean confidential() {
        return type != null
                && (type.display().equals(ResourceType.SECRETS.display())
                        // A platform's credentials hold tokens and keys in fields of their own.
                        || type.display().equals("clustercredentials.platform.tkestack.io"));
    }

    /** For example "create secrets team-a/prod-ca", "list machines.cluster.x-k8s.io in team-a". */
    String sentence() {
        if (type == null) {
            return verb + " " + name;
        }
        String kind = verb + " " + type.display();
        if (name.isEmpty()) {
            return namespace.isEmpty() ? kind : kind + " in " + namespace;
        }
        return kind + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }
}
