package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Makes objects from templates, as Cluster API clones them. */
final class Templates {

    private final Capi capi;

    Templates(Capi capi) {
        this.capi = capi;
    }

    /** What could not be found; its message goes into a condition. */
    static final class Missing extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Missing(String message) {
            super(message);
        }
    }

    /** The template that a reference means. */
    ObjectNode get(String namespace, JsonNode reference) {
        return capi.resolve(namespace, reference)
                .orElseThrow(() -> new Missing(reference.path("kind").asText() + " \"" + namespace + "/"
                        + reference.path("name").asText() + "\" not found"));
    }

    /** The object that a template describes: kind without "Template", spec from within. */
    static ObjectNode instance(ObjectNode cluster, ObjectNode template, String name) {
        String kind = template.path("kind").asText().replaceAll("Template$", "");
        ObjectNode object = clone(cluster, template, kind, name);
        JsonNode spec = template.path("spec").path("template").path("spec");
        object.set("spec", spec.isObject() ? spec.deepCopy() : JsonNodeFactory.instance.objectNode());
        return object;
    }

    /** A copy of a template for this cluster alone. */
    static ObjectNode copy(ObjectNode cluster, ObjectNode template, String name) {
        ObjectNode object = clone(cluster, template, template.path("kind").asText(), name);
        object.set("spec", template.path("spec").deepCopy());
        return object;
    }

    private static ObjectNode clone(ObjectNode cluster, ObjectNode template, String kind, String name) {
        ObjectNode object = Capi.child(cluster, template.path("apiVersion").asText(), kind, name);
        String group = Capi.reference(template).path("apiGroup").asText();
        ((ObjectNode) object.path("metadata"))
                .withObject("/annotations")
                .put("cluster.x-k8s.io/cloned-from-name", Capi.name(template))
                .put(
                        "cluster.x-k8s.io/cloned-from-groupkind",
                        template.path("kind").asText() + "." + group);
        return object;
    }
}
