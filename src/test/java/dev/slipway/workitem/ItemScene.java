package dev.slipway.workitem;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.helm.ChartRepository;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A cluster that somebody else built, in a namespace of its own, and work items for it. */
final class ItemScene {

    static final String CLUSTER = "prod";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final String namespace;
    /** The namespace in the workload cluster. */
    final String target;

    final JsonApi management;
    final JsonApi workload;

    private ItemScene(ControlPlane management, ControlPlane workload) {
        this.management = management.json();
        this.workload = workload.json();
        this.namespace = management.newNamespace("items");
        this.target = namespace + "-apps";
    }

    /** With a kubeconfig that leads to that workload cluster. */
    static ItemScene open(ControlPlane management, ControlPlane workload, String kubeconfig) {
        ItemScene scene = new ItemScene(management, workload);
        scene.secret(CLUSTER + "-kubeconfig", Map.of("value", kubeconfig));
        scene.create(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + scene.namespace + "/clusters",
                "{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Cluster\", \"metadata\": {\"name\": \"prod\"},"
                        + " \"spec\": {\"controlPlaneEndpoint\": {\"host\": \"127.0.0.1\", \"port\": 1}}}");
        return scene;
    }

    void secret(String name, Map<String, String> texts) {
        ObjectNode secret = JsonApi.parse("{\"apiVersion\": \"v1\", \"kind\": \"Secret\"}");
        secret.putObject("metadata").put("name", name);
        ObjectNode data = secret.putObject("data");
        texts.forEach((key, text) ->
                data.put(key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
        create("/api/v1/namespaces/" + namespace + "/secrets", secret.toString());
    }

    void configMap(String name, String key, String text) {
        ObjectNode map = JsonApi.parse("{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\"}");
        map.putObject("metadata").put("name", name);
        map.putObject("data").put(key, text);
        create("/api/v1/namespaces/" + namespace + "/configmaps", map.toString());
    }

    /** A work item of a chart; the repository's CA is in the Secret {@code charts-ca}. */
    ObjectNode chartItem(String name, ChartRepository repository, String version, String more) {
        if (management
                .get("/api/v1/namespaces/" + namespace + "/secrets/charts-ca")
                .isEmpty()) {
            secret("charts-ca", Map.of("ca.crt", repository.authorityPem()));
        }
        return item(
                name,
                "{\"chart\": {\"repository\": \"" + repository.url() + "\", \"name\": \"web\", \"version\": \""
                        + version + "\", \"caSecretRef\": {\"name\": \"charts-ca\"}}" + more + "}");
    }

    /** A work item of one ConfigMap. */
    ObjectNode manifestItem(String name, String more) {
        return item(name, "{\"manifests\": {\"inline\": \"" + manifest(name) + "\"}" + more + "}");
    }

    /** A ConfigMap as it stands in JSON text. */
    static String manifest(String name) {
        return "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: " + name + "}\\ndata: {greeting: hello}\\n";
    }

    ObjectNode item(String name, String spec) {
        ObjectNode json = JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkItem\"}");
        json.putObject("metadata").put("name", name);
        ObjectNode body = JsonApi.parse(spec);
        body.putObject("clusterRef").put("name", CLUSTER);
        if (!body.has("namespace")) {
            body.put("namespace", target);
        }
        json.set("spec", body);
        return create(items(), json.toString());
    }

    void patch(String name, String patch) {
        management.merge(items() + "/" + name, patch);
    }

    void delete(String name) {
        management.delete(items() + "/" + name);
    }

    Optional<ObjectNode> item(String name) {
        return management.get(items() + "/" + name);
    }

    /** Waits until the work item's status says so. */
    ObjectNode awaitPhase(String name, String phase) {
        return awaitItem(
                name,
                item -> phase.equals(item.at("/status/phase").asText())
                        && item.at("/status/observedGeneration").asLong()
                                == item.at("/metadata/generation").asLong());
    }

    ObjectNode awaitItem(String name, Predicate<ObjectNode> condition) {
        return await(name)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> item(name), item -> item.filter(condition).isPresent())
                .orElseThrow();
    }

    void awaitGone(String name) {
        await(name + " is gone").atMost(PATIENCE).until(() -> item(name).isEmpty());
    }

    /** A WorkloadCluster of the cluster's name with these work items. */
    ObjectNode declareCluster(String items) {
        return create(
                "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters",
                "{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\", \"metadata\": {\"name\": \"prod\"},"
                        + " \"spec\": {\"version\": \"v1.36.3\", \"templateRef\": {\"name\": \"t\"}, \"workItems\": "
                        + items
                        + "}}");
    }

    void redeclare(String items) {
        management.merge(
                "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/" + CLUSTER,
                "{\"spec\": {\"workItems\": " + items + "}}");
    }

    /** Makes Helm's record say that somebody else installed the release. */
    void forgetWhoInstalled(String release) {
        ObjectNode record = releaseRecord(release).orElseThrow();
        String path = "/api/v1/namespaces/" + target + "/secrets/"
                + record.at("/metadata/name").asText();
        String encoded = HelmRecord.saying(record.at("/data/release").asText(), "Install complete");
        workload.merge(path, "{\"data\": {\"release\": \"" + encoded + "\"}}");
    }

    void hold(String configMap, String finalizer) {
        workload.merge(
                "/api/v1/namespaces/" + target + "/configmaps/" + configMap,
                "{\"metadata\": {\"finalizers\": [\"" + finalizer + "\"]}}");
    }

    void letGo(String configMap) {
        workload.merge(
                "/api/v1/namespaces/" + target + "/configmaps/" + configMap, "{\"metadata\": {\"finalizers\": null}}");
    }

    /** The reasons of the Events about an object. */
    List<String> events(String name) {
        return management.list("/api/v1/namespaces/" + namespace + "/events").stream()
                .filter(event -> name.equals(event.at("/involvedObject/name").asText()))
                .map(event -> event.path("reason").asText())
                .toList();
    }

    void replaceKubeconfig(String kubeconfig) {
        String value = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
        management.merge(
                "/api/v1/namespaces/" + namespace + "/secrets/" + CLUSTER + "-kubeconfig",
                "{\"data\": {\"value\": \"" + value + "\"}}");
    }

    /** The cluster is one that Cluster API builds, and whose endpoint nobody serves yet. */
    void makeUnfinished() {
        management.merge(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters/" + CLUSTER,
                "{\"spec\": {\"controlPlaneRef\": {\"apiGroup\": \"controlplane.cluster.x-k8s.io\","
                        + " \"kind\": \"KubeadmControlPlane\", \"name\": \"prod\"}, \"infrastructureRef\":"
                        + " {\"apiGroup\": \"infrastructure.cluster.x-k8s.io\", \"kind\": \"DevCluster\", \"name\": \"prod\"}}}");
        replaceKubeconfig(nowhere());
    }

    /** A kubeconfig that leads to a port where nobody listens. */
    static String nowhere() {
        return ControlPlane.shared().adminKubeconfig().replaceAll("(server: \"?https://[^:]+:)\\d+", "$11");
    }

    void deleteCluster() {
        String path = "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters/" + CLUSTER;
        management.delete(path);
        // Where Cluster API is played, it has a finalizer there.
        await("the cluster is gone")
                .atMost(PATIENCE)
                .until(() -> management.get(path).isEmpty());
    }

    /** The ConfigMap that the chart or the manifests make. */
    Optional<ObjectNode> installed(String name) {
        return workload.get("/api/v1/namespaces/" + target + "/configmaps/" + name);
    }

    void remove(String name) {
        workload.delete("/api/v1/namespaces/" + target + "/configmaps/" + name);
    }

    Optional<ObjectNode> releaseRecord(String name) {
        return workload.list("/api/v1/namespaces/" + target + "/secrets").stream()
                .filter(secret -> name.equals(secret.at("/metadata/labels/name").asText()))
                .findFirst();
    }

    static JsonNode condition(ObjectNode item, String type) {
        for (JsonNode condition : item.at("/status/conditions")) {
            if (type.equals(condition.path("type").asText())) {
                return condition;
            }
        }
        throw new AssertionError("No condition " + type + " in " + item.path("status"));
    }

    String items() {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workitems";
    }

    private ObjectNode create(String collection, String json) {
        return management.create(collection, JsonApi.parse(json)).orElseThrow();
    }
}
