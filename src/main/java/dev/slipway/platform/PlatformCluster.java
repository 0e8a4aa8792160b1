package dev.slipway.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The platform's record of a cluster: {@code clusters.platform.tkestack.io}, without a namespace.
 *
 * @param object the object as just read live
 */
public record PlatformCluster(KubeObject object) {

    /** The annotation with the identity of the workload cluster. */
    public static final String IDENTITY = WorkloadCluster.ANNOTATION_PREFIX + "cluster-id";

    /** The annotation with the business key of the flow that made a record. */
    public static final String FLOW = WorkloadCluster.ANNOTATION_PREFIX + "flow";

    /** The type of clusters that somebody else than the platform built. */
    public static final String IMPORTED = "Imported";

    /**
     * Where the API server answers.
     *
     * @param type {@code Advertise}, {@code Real}, …
     * @param host a host name or IP address
     * @param port the port
     * @param path empty, or a path that begins with a slash
     */
    public record Address(String type, String host, int port, String path) {

        /** The address that import writes. */
        public static Address advertised(String host, int port) {
            return new Address("Advertise", host, port, "");
        }

        ObjectNode put(ObjectNode json) {
            return json.put("type", type).put("host", host).put("port", port).put("path", path);
        }
    }

    /**
     * What import writes when it makes the record.
     *
     * @param name the cluster's name
     * @param tenant the platform's tenant, may be empty
     * @param displayName what people call it
     * @param credential the name of its ClusterCredential
     * @param identity the identity of the workload cluster
     * @param flow the business key of the flow
     */
    public record Spec(
            String name, String tenant, String displayName, String credential, String identity, String flow) {

        KubeObject manifest(ResourceType type) {
            KubeObject object = KubeObject.named(type, "", name);
            object.json()
                    .withObjectProperty("metadata")
                    .putObject("annotations")
                    .put(IDENTITY, identity)
                    .put(FLOW, flow);
            ObjectNode spec = object.json().putObject("spec");
            spec.put("type", IMPORTED)
                    .put("tenantID", tenant)
                    .put("displayName", displayName)
                    .put("version", "");
            spec.putObject("clusterCredentialRef").put("name", credential);
            return object;
        }
    }

    public String name() {
        return object.name();
    }

    public String uid() {
        return object.uid();
    }

    public boolean deleting() {
        return object.deleting();
    }

    /** {@code platform Cluster <name>}. */
    public String display() {
        return "platform Cluster " + name();
    }

    /** Whether somebody else than the platform built it. */
    public boolean imported() {
        return IMPORTED.equals(object.at("spec", "type").asText());
    }

    public Optional<String> credential() {
        return object.text("spec", "clusterCredentialRef", "name");
    }

    /** The identity that its annotation records; empty if somebody else made it. */
    public Optional<String> identity() {
        return annotation(IDENTITY);
    }

    /** The business key of the flow that made it; empty if somebody else did. */
    public Optional<String> flow() {
        return annotation(FLOW);
    }

    /** What the platform's controller says; for people and for {@code Running} alone. */
    public Optional<String> phase() {
        return object.text("status", "phase");
    }

    /** Why the platform's controller is not content; may be empty. */
    public String message() {
        return object.text("status", "message")
                .or(() -> object.text("status", "reason"))
                .orElse("");
    }

    /** The platform's own finalizers, emptied through the sub-resource {@code finalize}. */
    public List<String> platformFinalizers() {
        List<String> finalizers = new ArrayList<>();
        object.at("spec", "finalizers").forEach(node -> finalizers.add(node.asText()));
        return finalizers;
    }

    public List<Address> addresses() {
        List<Address> addresses = new ArrayList<>();
        object.at("status", "addresses").forEach(node -> addresses.add(address(node)));
        return addresses;
    }

    /** How identities are compared: see {@link WorkloadIdentity#check}. */
    public WorkloadIdentity.Registration registration() {
        return new WorkloadIdentity.Registration(name(), identity().orElse(""));
    }

    private Optional<String> annotation(String key) {
        return Optional.ofNullable(object.annotations().get(key)).filter(value -> !value.isEmpty());
    }

    private static Address address(JsonNode node) {
        String path = node.path("path").asText("");
        return new Address(
                node.path("type").asText(),
                node.path("host").asText(),
                node.path("port").asInt(),
                path.equals("/") ? "" : path);
    }
}
