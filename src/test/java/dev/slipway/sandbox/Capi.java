package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/** Reads and writes Cluster API's objects on the management API server. */
final class Capi {

    static final String GROUP = "cluster.x-k8s.io";
    static final String VERSION = GROUP + "/v1beta2";
    static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";
    static final String CONTROL_PLANE = "cluster.x-k8s.io/control-plane";
    static final String DEPLOYMENT_NAME = "cluster.x-k8s.io/deployment-name";
    static final String FINALIZER = "cluster.cluster.x-k8s.io";
    static final String SECRET_TYPE = "cluster.x-k8s.io/secret";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    // As Kubernetes does: no vowels, so that no words appear.
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private final JsonApi api;
    private final Map<String, String> versions = new ConcurrentHashMap<>();

    Capi(JsonApi api) {
        this.api = api;
    }

    JsonApi api() {
        return api;
    }

    static String core(String namespace, String plural) {
        return "/apis/" + VERSION + "/namespaces/" + namespace + "/" + plural;
    }

    static String secrets(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/secrets";
    }

    static String clusterPath(JsonNode cluster) {
        return core(namespace(cluster), "clusters") + "/" + name(cluster);
    }

    /** The object that {@code {apiGroup, kind, name}} means; empty if it, or its kind, is not there. */
    Optional<ObjectNode> resolve(String namespace, JsonNode reference) {
        return path(namespace, reference).flatMap(api::get);
    }

    /** The path of a reference; empty if its kind is not served. */
    Optional<String> path(String namespace, JsonNode reference) {
        String apiVersion = reference.path("apiVersion").asText();
        Optional<String> version = apiVersion.isEmpty()
                ? preferredVersion(reference.path("apiGroup").asText())
                : Optional.of(apiVersion);
        return version.flatMap(found -> api.findPath(
                object(
                        found,
                        reference.path("kind").asText(),
                        namespace,
                        reference.path("name").asText()),
                namespace));
    }

    private Optional<String> preferredVersion(String group) {
        String known = versions.get(group);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<String> found = api.get("/apis/" + group)
                .map(answer ->
                        answer.path("preferredVersion").path("groupVersion").asText());
        found.ifPresent(version -> versions.put(group, version));
        return found;
    }

    /** Applies an object at its own path. */
    ObjectNode apply(ObjectNode object) {
        return api.apply(api.pathOf(object, namespace(object)), object);
    }

    /**
     * Merges a status into that of an object, unless nothing would change.
     *
     * @return whether anything changed
     */
    boolean writeStatus(String path, ObjectNode object, ObjectNode status) {
        if (contains(object.path("status"), status)) {
            return false;
        }
        ObjectNode patch = NODES.objectNode();
        patch.set("status", status);
        api.merge(path + "/status", patch);
        return true;
    }

    /** Merges into an object, unless nothing would change. */
    boolean merge(String path, ObjectNode object, ObjectNode patch) {
        if (contains(object, patch)) {
            return false;
        }
        api.merge(path, patch);
        return true;
    }

    private static boolean contains(JsonNode whole, JsonNode part) {
        if (!part.isObject()) {
            return part.isNull() ? whole.isMissingNode() || whole.isNull() : whole.equals(part);
        }
        for (Iterator<String> names = part.fieldNames(); names.hasNext(); ) {
            String field = names.next();
            if (!contains(whole.path(field), part.path(field))) {
                return false;
            }
        }
        return true;
    }

    List<ObjectNode> machines(JsonNode cluster) {
        return labelled(cluster, "machines");
    }

    /** The core objects of that plural with the cluster's label. */
    List<ObjectNode> labelled(JsonNode cluster, String plural) {
        return api.list(core(namespace(cluster), plural) + "?labelSelector=" + CLUSTER_NAME + "%3D" + name(cluster));
    }

    static ObjectNode object(String apiVersion, String kind, String namespace, String name) {
        ObjectNode object = NODES.objectNode();
        object.put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        return object;
    }

    /** An object of a cluster, with the cluster's label. */
    static ObjectNode child(JsonNode cluster, String apiVersion, String kind, String name) {
        ObjectNode object = object(apiVersion, kind, namespace(cluster), name);
        label(object, CLUSTER_NAME, name(cluster));
        return object;
    }

    static void label(ObjectNode object, String name, String value) {
        ((ObjectNode) object.path("metadata")).withObject("/labels").put(name, value);
    }

    static ObjectNode own(ObjectNode object, JsonNode owner, boolean controller) {
        ObjectNode reference = ((ObjectNode) object.path("metadata"))
                .withArray("/ownerReferences")
                .addObject();
        reference
                .put("apiVersion", owner.path("apiVersion").asText())
                .put("kind", owner.path("kind").asText())
                .put("name", name(owner))
                .put("uid", owner.path("metadata").path("uid").asText())
                .put("controller", controller)
                .put("blockOwnerDeletion", true);
        return object;
    }

    /** {@code {apiGroup, kind, name}} of an object. */
    static ObjectNode reference(JsonNode object) {
        String apiVersion = object.path("apiVersion").asText();
        return NODES.objectNode()
                .put("apiGroup", apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/'))))
                .put("kind", object.path("kind").asText())
                .put("name", name(object));
    }

    static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asText();
    }

    static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    static boolean deleting(JsonNode object) {
        return object.path("metadata").has("deletionTimestamp");
    }

    static boolean labelled(JsonNode object, String name, String value) {
        return value.equals(object.path("metadata").path("labels").path(name).asText(null));
    }

    static String randomSuffix() {
        RandomGenerator random = RandomGenerator.getDefault();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    /** The same five letters for the same text: a second attempt makes no second object. */
    static String suffixOf(String text) {
        StringBuilder suffix = new StringBuilder();
        for (int i = 0, hash = text.hashCode() & 0x7fffffff; i < 5; i++, hash /= LETTERS.length()) {
            suffix.append(LETTERS.charAt(hash % LETTERS.length()));
        }
        return suffix.toString();
    }
}
