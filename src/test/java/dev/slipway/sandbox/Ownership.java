package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Owner references and the cluster's label, set on objects that others made. */
final class Ownership {

    private Ownership() {}

    /** Makes the cluster the object's controller and labels it; other controllers lose it. */
    static boolean control(Capi capi, String path, ObjectNode object, ObjectNode cluster) {
        ObjectNode patch = owners(object, cluster);
        patch.withObject("/metadata/labels").put(Capi.CLUSTER_NAME, Capi.name(cluster));
        return capi.merge(path, object, patch);
    }

    /** Makes the owner the object's controller; other controllers lose it. */
    static boolean adopt(Capi capi, String path, ObjectNode object, ObjectNode owner) {
        return capi.merge(path, object, owners(object, owner));
    }

    private static ObjectNode owners(ObjectNode object, ObjectNode owner) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ArrayNode references = patch.withArray("/metadata/ownerReferences");
        boolean owned = false;
        for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
            boolean same = Capi.uid(owner).equals(reference.path("uid").asText());
            if (same || !reference.path("controller").asBoolean()) {
                references.add(reference);
                owned |= same && reference.path("controller").asBoolean();
            }
        }
        if (!owned) {
            for (int i = references.size() - 1; i >= 0; i--) {
                if (Capi.uid(owner).equals(references.get(i).path("uid").asText())) {
                    references.remove(i);
                }
            }
            ObjectNode holder = JsonNodeFactory.instance.objectNode();
            holder.putObject("metadata");
            references.addAll(
                    (ArrayNode) Capi.own(holder, owner, true).path("metadata").path("ownerReferences"));
        }
        return patch;
    }
}
