package dev.slipway.helm;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.util.Optional;

/** How a workload cluster serves the kinds of objects that others wrote. */
record Kinds(LiveReader reader) {

    /** The type in the object's own version; empty if its kind is not served. */
    Optional<ResourceType> of(KubeObject object) {
        String group = ObjectId.group(object);
        String version = object.apiVersion().substring(group.isEmpty() ? 0 : group.length() + 1);
        return reader.find(group, object.kind())
                .map(found -> new ResourceType(group, version, found.plural(), found.kind(), found.namespaced()));
    }

    /** The type of an object that is known by its id alone. */
    Optional<ResourceType> of(ObjectId id) {
        return reader.find(id.group(), id.kind());
    }

    /** The object with the namespace that it gets if it names none. */
    static KubeObject placed(KubeObject object, ResourceType type, String namespace) {
        KubeObject copy = new KubeObject(object.json().deepCopy());
        if (type.namespaced() && copy.namespace().isEmpty()) {
            copy.json().withObject("metadata").put("namespace", namespace);
        }
        return copy;
    }
}
