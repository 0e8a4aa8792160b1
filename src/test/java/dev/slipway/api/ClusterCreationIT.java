package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** New clusters by REST, and what they can be made of. */
class ClusterCreationIT extends WholeApplication {

    private static final String CLUSTERS = "/api/v1/clusters";

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("creation");
    private Rest rest;

    @BeforeEach
    void aTemplateAndAUser(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
        api.create(
                "/api/v1/namespaces/" + namespace + "/configmaps",
                JsonApi.parse(
                        """
                        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "small", "labels": {"slipway.dev/cluster-template": "true"}}, "data": {"template.yaml":
                         "apiVersion: cluster.x-k8s.io/v1beta2\\nkind: Cluster\\nmetadata: {name: \\"${CLUSTER_NAME}\\", namespace: \\"${NAMESPACE}\\"}\\nspec:\\n  infrastructureRef: {apiGroup: cluster.x-k8s.io, kind: MachineDeployment, name: any}\\n"}}"""));
    }

    @Test
    void areCreatedOnceFromJson() {
        // when
        Answer created = rest.post(CLUSTERS, json("c1", "v1.36.3"));
        Answer again = rest.post(CLUSTERS, json("c1", "v1.36.3"));

        // then
        assertThat(created.status()).as(created.response().body()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo(CLUSTERS + "/" + namespace + "/c1");
        assertThat(created.json().at("/metadata/uid").asText()).isNotEmpty();
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.json().path("code").asText()).isEqualTo("ClusterExists");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> rest.get(created.header("Location")).status() == 200);
        assertThat(rest.get("/api/v1/audit?action=CREATE&cluster=c1&namespace=" + namespace)
                        .json()
                        .path("items"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.path("by").asText()).isEqualTo("admin");
                    assertThat(entry.path("via").asText()).isEqualTo("basic");
                    assertThat(entry.path("address").asText()).isEqualTo("127.0.0.1");
                    assertThat(entry.path("object").asText()).isEqualTo("WorkloadCluster " + namespace + "/c1");
                });
    }

    @Test
    void areOnlyCheckedInADryRunAndShownWithTheirDefaults() {
        // when
        Answer answer = yaml("?dryRun=true", "dry");

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(answer.json().at("/spec/version").asText()).isEqualTo("v1.36.3");
        assertThat(answer.json().at("/metadata/managedFields").isMissingNode()).isTrue();
        assertThat(rest.get(CLUSTERS + "/" + namespace + "/dry").status()).isEqualTo(404);
        assertThat(yaml("", "from-yaml").status()).isEqualTo(201);
    }

    @Test
    void areRefusedWithEachFieldThatIsWrong() {
        // given
        String unknownClass = json("c1", "v1.36.3")
                .replace("\"templateRef\": {\"name\": \"small\"}", "\"topology\": {\"class\": \"no-such-class\"}");

        // then
        assertErrors(rest.post(CLUSTERS, json("c1", "1.36")), "spec.version");
        assertErrors(rest.post(CLUSTERS, json("c1", "v1.36.3").replace("version", "verison")), "spec.verison");
        JsonNode error = assertErrors(rest.post(CLUSTERS, unknownClass), "spec.topology.class");
        assertThat(error.path("code").asText()).isEqualTo("ClassUnknown");
        assertThat(error.path("remedy").asText()).isNotEmpty();
        assertErrors(
                rest.post(CLUSTERS, json("c1", "v1.36.3").replace(namespace, "no-such-namespace")),
                "metadata.namespace");
        assertThat(rest.post(CLUSTERS, json("c1", "v1.36.3").replace("\"spec\"", "\"status\": {}, \"spec\""))
                        .status())
                .isEqualTo(400);
        assertThat(rest.post(CLUSTERS, json("c1", "v1.36.3").replace("\"WorkloadCluster\"", "\"ConfigMap\""))
                        .json()
                        .path("field")
                        .asText())
                .isEqualTo("kind");
        assertThat(rest.post(CLUSTERS, "[").json().path("code").asText()).isEqualTo("InvalidBody");
        assertThat(rest.post(CLUSTERS, "x".repeat(300_000)).status()).isEqualTo(413);
    }

    @Test
    void knowWhereAndFromWhatTheyCanBeMade() {
        // given
        api.create(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusterclasses",
                JsonApi.parse(
                        """
                        {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "ClusterClass", "metadata": {"name": "offered"}, "spec": {
                         "infrastructure": {"templateRef": {"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1", "kind": "SimClusterTemplate", "name": "a"}},
                         "controlPlane": {"templateRef": {"apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlaneTemplate", "name": "a"}},
                         "variables": [{"name": "size", "required": true, "schema": {"openAPIV3Schema": {"type": "string"}}}]}}"""));

        // then
        assertThat(rest.get("/api/v1/namespaces").json().path("items").findValuesAsText("name"))
                .contains(namespace, "default");
        assertThat(rest.get("/api/v1/cluster-classes?namespace=" + namespace)
                        .json()
                        .path("items"))
                .singleElement()
                .satisfies(offered -> {
                    assertThat(offered.path("name").asText()).isEqualTo("offered");
                    assertThat(offered.at("/variables/0/name").asText()).isEqualTo("size");
                    assertThat(offered.at("/variables/0/required").asBoolean()).isTrue();
                    assertThat(offered.at("/variables/0/schema/type").asText()).isEqualTo("string");
                });
        assertThat(rest.get("/api/v1/cluster-classes?namespace=elsewhere")
                        .json()
                        .path("items"))
                .isEmpty();
    }

    @Test
    void haveTheEventsOfTheirObjects() {
        // given
        assertThat(rest.post(CLUSTERS, json("told", "v1.36.3")).status()).isEqualTo(201);
        String events = CLUSTERS + "/" + namespace + "/told/events";

        // then
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !rest.get(events).json().path("items").isEmpty());
        assertThat(rest.get(events).json().path("items")).allSatisfy(event -> {
            assertThat(event.path("object").asText()).endsWith("/told");
            assertThat(event.path("type").asText()).isIn("Normal", "Warning");
            assertThat(event.path("at").asText()).isNotEmpty();
            assertThat(event.path("reason").asText()).isNotEmpty();
        });
        assertThat(rest.get(CLUSTERS + "/" + namespace + "/nobody/events").status())
                .isEqualTo(404);
    }

    private JsonNode assertErrors(Answer answer, String field) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(422);
        assertThat(answer.json().path("code").asText()).isEqualTo("Invalid");
        assertThat(answer.json().path("errors").findValuesAsText("field"))
                .as(answer.response().body())
                .contains(field);
        return answer.json().path("errors").path(0);
    }

    private String json(String name, String version) {
        return "{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\", \"metadata\": {\"namespace\": \""
                + namespace + "\", \"name\": \"" + name + "\"}, \"spec\": {\"version\": \"" + version
                + "\", \"dryRun\": true, \"templateRef\": {\"name\": \"small\"}}}";
    }

    private Answer yaml(String query, String name) {
        return rest.send(rest.request(CLUSTERS + query)
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString(
                        """
                        apiVersion: slipway.dev/v1alpha1
                        kind: WorkloadCluster
                        metadata: {namespace: %s, name: %s}
                        spec:
                          version: v1.36.3
                          dryRun: true
                          templateRef: {name: small}
                        """
                                .formatted(namespace, name))));
    }
}
