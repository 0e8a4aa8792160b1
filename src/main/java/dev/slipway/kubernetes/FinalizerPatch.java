package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

/** JSON patches of one finalizer that test what they change, so that no other finalizer is ever lost. */
final class FinalizerPatch {

    private static final String LIST = "/metadata/finalizers";

    private FinalizerPatch() {}

    /** Appends the finalizer to the list as it was read. */
    static ArrayNode add(KubeObject object, String finalizer) {
        ArrayNode patch = Json.array();
        test(patch, "/metadata/uid", object.at("metadata", "uid"));
        JsonNode list = object.at("metadata", "finalizers");
        if (list.isMissingNode() || list.isEmpty()) {
            // An absent list cannot be tested, and adding it would replace one that came in between.
            test(patch, "/metadata/resourceVersion", object.at("metadata", "resourceVersion"));
            patch.addObject()
                    .put("op", "add")
                    .put("path", LIST)
                    .putArray("value")
                    .add(finalizer);
        } else {
            test(patch, LIST, list);
            patch.addObject().put("op", "add").put("path", LIST + "/-").put("value", finalizer);
        }
        return patch;
    }

    /** Removes the finalizer at the place where it was read. */
    static ArrayNode remove(KubeObject object, String finalizer) {
        ArrayNode patch = Json.array();
        test(patch, "/metadata/uid", object.at("metadata", "uid"));
        int index = object.finalizers().indexOf(finalizer);
        String path = LIST + "/" + index;
        test(patch, path, object.at("metadata", "finalizers").path(index));
        patch.addObject().put("op", "remove").put("path", path);
        return patch;
    }

    /** Whether the server refused a patch because a test did not hold: 422 without any field. */
    static boolean testFailed(Answer answer) {
        return answer.code() == 422 && answer.details().path("causes").isEmpty();
    }

    private static void test(ArrayNode patch, String path, JsonNode value) {
        patch.addObject().put("op", "test").put("path", path).set("value", value);
    }
}
