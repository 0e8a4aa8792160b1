package dev.slipway.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The platform's access to a cluster: {@code clustercredentials.platform.tkestack.io}, without a namespace and a spec.
 *
 * <p>Its text form shows whose it is and nothing that is secret.
 */
public final class ClusterCredential {

    /** The platform's own label with the cluster's name; Cluster API's is the other one. */
    static final String PLATFORM_LABEL = "tkestack.io/cluster-name";

    private static final String CLUSTER_NAME = "clusterName";
    private static final String CA = "caCert";
    private static final String TOKEN = "token";

    private final KubeObject object;

    ClusterCredential(KubeObject object) {
        this.object = object;
    }

    /**
     * What import writes.
     *
     * @param cluster the cluster's name
     * @param tenant the platform's tenant, may be empty
     * @param authority PEM of the workload cluster's CA; never empty, since the platform skips TLS verification without
     * @param token the bearer token
     * @param identity the identity of the workload cluster
     * @param flow the business key of the flow
     */
    public record Spec(String cluster, String tenant, String authority, String token, String identity, String flow) {

        public Spec {
            if (authority.isBlank() || token.isBlank()) {
                throw new IllegalArgumentException("No CA or no token for the credential of " + cluster);
            }
        }

        /** The name of the object. */
        public String name() {
            return PlatformNames.credential(cluster);
        }

        KubeObject manifest(ResourceType type) {
            KubeObject manifest = KubeObject.named(type, "", name());
            ObjectNode metadata = manifest.json().withObjectProperty("metadata");
            metadata.setAll(marks());
            metadata.withObjectProperty("annotations").put(PlatformCluster.FLOW, flow);
            manifest.json().setAll(fields());
            return manifest;
        }

        /** The labels and annotations of a credential, whoever made it. */
        private ObjectNode marks() {
            ObjectNode metadata = JsonNodeFactory.instance.objectNode();
            metadata.putObject("labels")
                    .put(ClusterApi.CLUSTER_NAME_LABEL, cluster)
                    .put(PLATFORM_LABEL, cluster);
            metadata.putObject("annotations").put(PlatformCluster.IDENTITY, identity);
            return metadata;
        }

        private ObjectNode fields() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("tenantID", tenant)
                    .put(CLUSTER_NAME, cluster)
                    // Bytes are base64 in JSON; the token is a plain text.
                    .put(CA, authority.getBytes(StandardCharsets.UTF_8))
                    .put(TOKEN, token);
        }

        @Override
        public String toString() {
            return "ClusterCredential " + name();
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

    /** When it was made; the server always says. */
    public Instant created() {
        return object.created().orElseThrow();
    }

    /** The cluster that it names in its own field. */
    public Optional<String> cluster() {
        return object.text(CLUSTER_NAME);
    }

    /** Whether Cluster API's label, by which credentials are counted, names that cluster. */
    public boolean counts(String cluster) {
        return cluster.equals(object.labels().get(ClusterApi.CLUSTER_NAME_LABEL));
    }

    /** Whether a label or its own field names that cluster. */
    public boolean belongsTo(String cluster) {
        return counts(cluster)
                || cluster.equals(object.labels().get(PLATFORM_LABEL))
                || cluster().filter(cluster::equals).isPresent();
    }

    /** Whether a flow of Slipway made it. */
    public boolean createdByUs() {
        return object.annotations().containsKey(PlatformCluster.FLOW);
    }

    /** PEM of the CA; empty if there is none, or it is no base64. Without it the platform does not verify TLS. */
    public Optional<String> authority() {
        return object.text(CA).flatMap(ClusterCredential::decoded);
    }

    /** The bearer token: secret. */
    public Optional<String> token() {
        return object.text(TOKEN);
    }

    /** Whether the platform may also come with a client certificate. */
    public boolean hasClientCertificate() {
        return object.text("clientCert").isPresent() && object.text("clientKey").isPresent();
    }

    /**
     * What is known of it for {@link CredentialRanking}.
     *
     * @param clusters all platform Clusters
     */
    public CredentialCandidate candidate(
            String cluster, List<PlatformCluster> clusters, CredentialCandidate.Proof proof) {
        return new CredentialCandidate(
                name(), uid(), created(), use(cluster, clusters), proof, createdByUs(), deleting());
    }

    private CredentialCandidate.Use use(String cluster, List<PlatformCluster> clusters) {
        boolean own = false;
        for (PlatformCluster referrer : clusters) {
            if (referrer.credential().filter(name()::equals).isPresent()) {
                if (!referrer.name().equals(cluster)) {
                    return CredentialCandidate.Use.ANOTHER_CLUSTER;
                }
                own = true;
            }
        }
        if (own) {
            return CredentialCandidate.Use.THIS_CLUSTER;
        }
        boolean foreign = Stream.of(cluster(), label(ClusterApi.CLUSTER_NAME_LABEL), label(PLATFORM_LABEL))
                .flatMap(Optional::stream)
                .anyMatch(named -> !named.equals(cluster));
        return foreign ? CredentialCandidate.Use.ANOTHER_CLUSTER : CredentialCandidate.Use.NONE;
    }

    private Optional<String> label(String key) {
        return Optional.ofNullable(object.labels().get(key)).filter(value -> !value.isEmpty());
    }

    /** The merge patch that brings what import writes, but for who made it; empty if it is there already. */
    Optional<ObjectNode> patchTo(Spec wanted) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        wanted.fields().properties().forEach(field -> {
            if (!plain(field.getValue()).equals(object.at(field.getKey()))) {
                patch.set(field.getKey(), field.getValue());
            }
        });
        for (String map : List.of("labels", "annotations")) {
            wanted.marks().path(map).properties().forEach(entry -> {
                if (!entry.getValue().equals(object.at("metadata", map, entry.getKey()))) {
                    patch.withObjectProperty("metadata").withObjectProperty(map).set(entry.getKey(), entry.getValue());
                }
            });
        }
        return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
    }

    /** The merge patch that makes that platform Cluster its owner; empty if it is already. */
    Optional<ObjectNode> patchToOwner(PlatformCluster owner) {
        List<JsonNode> owners = ownersBut(owner);
        if (owners.size() < object.at("metadata", "ownerReferences").size()) {
            return Optional.empty();
        }
        boolean controlled = owners.stream()
                .anyMatch(reference -> reference.path("controller").asBoolean());
        owners.add(owner.object().ownerReference(!controlled));
        return Optional.of(patchOwners(owners));
    }

    /** The merge patch that takes that platform Cluster off the owners; empty if it is none. */
    Optional<ObjectNode> patchWithoutOwner(PlatformCluster owner) {
        List<JsonNode> owners = ownersBut(owner);
        return owners.size() < object.at("metadata", "ownerReferences").size()
                ? Optional.of(patchOwners(owners))
                : Optional.empty();
    }

    private List<JsonNode> ownersBut(PlatformCluster owner) {
        List<JsonNode> owners = new ArrayList<>();
        for (JsonNode reference : object.at("metadata", "ownerReferences")) {
            if (!owner.uid().equals(reference.path("uid").asText())) {
                owners.add(reference);
            }
        }
        return owners;
    }

    private ObjectNode patchOwners(List<JsonNode> owners) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        // A merge patch replaces the list: only the version that was read may get it.
        patch.putObject("metadata")
                .put("resourceVersion", object.resourceVersion())
                .putArray("ownerReferences")
                .addAll(owners);
        return patch;
    }

    @Override
    public String toString() {
        return "ClusterCredential " + name() + " of " + cluster().orElse("no cluster");
    }

    /** As JSON carries it: bytes are text there. */
    private static JsonNode plain(JsonNode value) {
        return value instanceof BinaryNode bytes ? TextNode.valueOf(bytes.asText()) : value;
    }

    private static Optional<String> decoded(String base64) {
        try {
            return Optional.of(new String(TextNode.valueOf(base64).binaryValue(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The server checks it; a variant that does not is as good as without a CA.
            return Optional.empty();
        }
    }
}
