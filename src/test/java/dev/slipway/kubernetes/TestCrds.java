package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.awaitility.Awaitility;

/** Installs kinds that only tests know. */
final class TestCrds {

    private TestCrds() {}

    /** A namespaced kind with a status, with {@code spec.size} of at least 0 and any other fields refused. */
    static void install(KubeClient client, String group, String kind) {
        String plural = plural(kind);
        String text =
                """
                {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                 "metadata": {"name": "%1$s.%2$s"},
                 "spec": {"group": "%2$s", "scope": "Namespaced", "names": {"kind": "%3$s", "plural": "%1$s"},
                  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
                   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                     "spec": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 0}}},
                     "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}]}}
                """
                        .formatted(plural, group, kind);
        client.apply(ResourceType.CUSTOM_RESOURCE_DEFINITIONS, object(text));
        Awaitility.await().until(() -> client.find(group, kind).isPresent());
        Awaitility.await().ignoreExceptions().until(() -> client.list(type(group, kind), "", java.util.Map.of())
                .isEmpty());
    }

    static void remove(KubeClient client, String group, String kind) {
        String name = plural(kind) + "." + group;
        client.get(ResourceType.CUSTOM_RESOURCE_DEFINITIONS, "", name)
                .ifPresent(crd -> client.delete(ResourceType.CUSTOM_RESOURCE_DEFINITIONS, "", name, crd.uid()));
        // The server stops to serve a kind a moment after its definition is gone.
        Awaitility.await().until(() -> !serves(client, type(group, kind)));
    }

    private static boolean serves(KubeClient client, ResourceType type) {
        try {
            client.list(type, "", java.util.Map.of());
            return true;
        } catch (dev.slipway.phase.Failure e) {
            return !CallError.KIND_ABSENT.is(e);
        }
    }

    static ResourceType type(String group, String kind) {
        return new ResourceType(group, "v1", plural(kind), kind, true);
    }

    static KubeObject object(String json) {
        JsonNode parsed = Json.parse(json);
        if (parsed instanceof ObjectNode object) {
            return new KubeObject(object);
        }
        throw new IllegalArgumentException("No JSON object: " + json);
    }

    private static String plural(String kind) {
        return kind.toLowerCase(java.util.Locale.ROOT) + "s";
    }
}
