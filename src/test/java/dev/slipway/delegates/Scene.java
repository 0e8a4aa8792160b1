package dev.slipway.delegates;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.Wire;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.pki.KeyMaker;
import dev.slipway.pki.PemPair;
import io.kubernetes.client.openapi.ApiClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One WorkloadCluster with its Cluster API Cluster, in a namespace of its own, and what happens to its secrets. */
final class Scene {

    static final String CLUSTER = "c1";
    static final String ENDPOINT = "https://10.1.2.3:6443";

    final JsonApi json;
    final String namespace;
    final Wire wire;

    private final ControlPlane controlPlane;
    private final KubeClient client;
    private final ObjectNode declared;
    private final ObjectNode cluster;

    Scene(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        this.json = controlPlane.json();
        this.namespace = controlPlane.newNamespace("certificates");
        ApiClient api = controlPlane.apiClient();
        this.wire = Wire.into(api);
        this.client = KubeClient.of(api);
        this.declared = json.create(
                        "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters",
                        JsonApi.parse(
                                "{'apiVersion':'slipway.dev/v1alpha1','kind':'WorkloadCluster','metadata':{'name':'c1'},"
                                                .replace('\'', '"')
                                        + "'spec':{'version':'v1.36.3','templateRef':{'name':'t'},".replace('\'', '"')
                                        + "'certificates':{'keyAlgorithm':'ECDSA','keySize':256}}}".replace('\'', '"')))
                .orElseThrow();
        this.cluster = json.create(
                        "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters",
                        JsonApi.parse(
                                """
                {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Cluster","metadata":{"name":"c1"},
                 "spec":{"controlPlaneRef":{"apiGroup":"controlplane.cluster.x-k8s.io","kind":"KubeadmControlPlane","name":"c1"},
                         "infrastructureRef":{"apiGroup":"infrastructure.cluster.x-k8s.io","kind":"DevCluster","name":"c1"}}}"""))
                .orElseThrow();
    }

    /** One run of EnsureCertificates, now and without recorded facts. */
    Outcome certificates() {
        return certificates(Map.of());
    }

    Outcome certificates(Map<String, String> facts) {
        return newEnsureCertificates().run(context(Instant.now(), facts));
    }

    EnsureCertificates newEnsureCertificates() {
        return ensureCertificates(client);
    }

    /** EnsureCertificates with that client. */
    static EnsureCertificates ensureCertificates(KubeClient client) {
        ClusterApi api = new ClusterApi(client);
        return new EnsureCertificates(client, client, new LiveClusters(client, api), api, new KeyMaker());
    }

    /** One run of a phase, now and without recorded facts. */
    Outcome run(Phase phase) {
        return phase.run(context(Instant.now(), Map.of()));
    }

    /** One run of EnsureCertificates by another instance, with a client of its own. */
    Outcome certificatesElsewhere(Wire.Interference interference) {
        ApiClient api = controlPlane.apiClient();
        Wire.into(api).interfere(interference);
        return run(ensureCertificates(KubeClient.of(api)));
    }

    /** One run of EnsureKubeconfig at that time. */
    Outcome kubeconfig(Instant now) {
        return kubeconfig(now, Map.of());
    }

    Outcome kubeconfig(Instant now, Map<String, String> facts) {
        return new EnsureKubeconfig(client, client, new LiveClusters(client, new ClusterApi(client)))
                .run(context(now, facts));
    }

    private PhaseContext context(Instant now, Map<String, String> facts) {
        ClusterRef ref =
                new ClusterRef(namespace, CLUSTER, declared.at("/metadata/uid").asText());
        return new PhaseContext(ref, "cluster-init", "flow", "phase", 1, now, now, Duration.ofSeconds(30), facts);
    }

    /** Puts a secret as a person would. */
    void put(String name, String type, Map<String, String> data, boolean labelled) {
        ObjectNode secret = JsonApi.parse("{\"apiVersion\":\"v1\",\"kind\":\"Secret\"}");
        secret.put("type", type);
        ObjectNode metadata = secret.putObject("metadata").put("name", name);
        if (labelled) {
            metadata.putObject("labels").put("cluster.x-k8s.io/cluster-name", CLUSTER);
        }
        ObjectNode values = secret.putObject("data");
        data.forEach((key, text) -> values.put(key, base64(text)));
        if (json.create(secrets(), secret).isEmpty()) {
            throw new AssertionError("The secret " + name + " exists already");
        }
    }

    void put(String name, PemPair pair) {
        put(name, "kubernetes.io/tls", Map.of("tls.crt", pair.certificate(), "tls.key", pair.privateKey()), true);
    }

    void patchSecret(String name, String patch) {
        json.merge(secrets() + "/" + name, patch);
    }

    /** Replaces one value of a secret as a person would. */
    void replace(String name, String key, String text) {
        patchSecret(name, "{\"data\":{\"" + key + "\":\"" + base64(text) + "\"}}");
    }

    ObjectNode secret(String name) {
        return json.get(secrets() + "/" + name).orElseThrow(() -> new AssertionError("No secret " + name));
    }

    String value(String name, String key) {
        return new String(
                Base64.getDecoder().decode(secret(name).path("data").path(key).asText()), StandardCharsets.UTF_8);
    }

    void delete(String name) {
        json.delete(secrets() + "/" + name);
    }

    void clusterStatus(String status) {
        json.merge(clusterPath() + "/status", "{\"status\":" + status + "}");
    }

    void giveEndpoint() {
        json.merge(clusterPath(), "{\"spec\":{\"controlPlaneEndpoint\":{\"host\":\"10.1.2.3\",\"port\":6443}}}");
    }

    String clusterUid() {
        return cluster.at("/metadata/uid").asText();
    }

    /** The resource versions of all secrets by name: equal before and after means that nothing was written. */
    Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        for (ObjectNode secret : json.list(secrets())) {
            versions.put(
                    secret.at("/metadata/name").asText(),
                    secret.at("/metadata/resourceVersion").asText());
        }
        return versions;
    }

    /** The requests that wrote. */
    List<String> writes() {
        return wire.requests().stream()
                .filter(request -> !request.startsWith("GET "))
                .toList();
    }

    private String secrets() {
        return "/api/v1/namespaces/" + namespace + "/secrets";
    }

    private String clusterPath() {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters/" + CLUSTER;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
