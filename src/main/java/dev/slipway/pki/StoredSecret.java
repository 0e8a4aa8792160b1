package dev.slipway.pki;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.CapiCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * A secret by Cluster API's conventions: its type tells whose it is, its label makes it visible.
 *
 * @param object the secret as read live, or as it shall be created
 */
public record StoredSecret(KubeObject object) {

    /** The type of secrets that controllers make; every other type is the user's. */
    public static final String CONTROLLER_TYPE = "cluster.x-k8s.io/secret";
    /** Without this label Cluster API's caches do not see a secret. */
    public static final String CLUSTER_LABEL = "cluster.x-k8s.io/cluster-name";

    public static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";
    public static final String MANAGED_BY = "slipway";
    public static final String CERTIFICATE = "tls.crt";
    public static final String KEY = "tls.key";
    public static final String KUBECONFIG = "value";

    /**
     * Makes a secret of Slipway's own.
     *
     * @param name its name
     * @param cluster the Cluster API Cluster: becomes the owner, as Cluster API itself does it, so that the secret goes
     *     with the cluster whatever the control plane provider is. It is not the controller: a control plane provider
     *     that adopts the secret adds itself as that.
     * @param data the values by key
     */
    public static StoredSecret create(String name, CapiCluster cluster, Map<String, String> data) {
        KubeObject secret = KubeObject.named(ResourceType.SECRETS, cluster.namespace(), name);
        ObjectNode metadata = (ObjectNode) secret.json().path("metadata");
        metadata.putObject("labels").put(CLUSTER_LABEL, cluster.name()).put(MANAGED_BY_LABEL, MANAGED_BY);
        metadata.putArray("ownerReferences").add(cluster.object().ownerReference(false));
        secret.json().put("type", CONTROLLER_TYPE);
        putData(secret.json(), data);
        return new StoredSecret(secret);
    }

    /** A patch of these values in this very version of the secret: on any other, the server answers 409. */
    public ObjectNode replacing(Map<String, String> data) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").put("resourceVersion", object.resourceVersion());
        putData(patch, data);
        return patch;
    }

    private static void putData(ObjectNode secret, Map<String, String> data) {
        ObjectNode values = secret.putObject("data");
        data.forEach((key, text) -> values.put(key, base64(text)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The text under a key; empty if absent or of no length. */
    Optional<String> data(String key) {
        return object.text("data", key)
                .map(value -> new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8))
                .filter(text -> !text.isBlank());
    }

    public String type() {
        return object.text("type").orElse("Opaque");
    }

    /** Whether the secret carries the label of that cluster. */
    public boolean labelledFor(String cluster) {
        return cluster.equals(object.labels().get(CLUSTER_LABEL));
    }

    /** Whether Slipway made it and no control plane provider has taken it over. */
    public boolean madeBySlipway() {
        return CONTROLLER_TYPE.equals(type())
                && MANAGED_BY.equals(object.labels().get(MANAGED_BY_LABEL))
                && controlPlaneOwner().isEmpty();
    }

    /** The control plane provider that controls the secret, as {@code <kind>/<name>}. */
    public Optional<String> controlPlaneOwner() {
        for (JsonNode owner : object.at("metadata", "ownerReferences")) {
            String kind = owner.path("kind").asText();
            if (owner.path("controller").asBoolean() && kind.endsWith("ControlPlane")) {
                return Optional.of(kind + "/" + owner.path("name").asText());
            }
        }
        return Optional.empty();
    }

    /** How messages name it. */
    public String display() {
        return display(object.namespace(), object.name());
    }

    static String display(String namespace, String name) {
        return "Secret " + namespace + "/" + name;
    }

    @Override
    public String toString() {
        return display();
    }
}
