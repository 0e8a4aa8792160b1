package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeObject;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The REST API of the running application. */
class RestApiIT extends WholeApplication {

    private static final String CLUSTERS = "/api/v1/clusters";

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("rest");
    private Rest rest;

    @BeforeEach
    void signIn(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @Test
    void listsAClusterWithItsFlowAndItsCurrentPhase() {
        // given
        create("listed", false);

        // when
        JsonNode cluster = awaitBlocked("listed");

        // then
        assertThat(cluster.path("namespace").asText()).isEqualTo(namespace);
        assertThat(cluster.path("version").asText()).isEqualTo("v1.36.3");
        assertThat(cluster.path("ready").asBoolean(true)).isFalse();
        JsonNode flow = cluster.path("flow");
        assertThat(flow.path("kind").asText()).isEqualTo("init");
        assertThat(flow.path("state").asText()).isEqualTo("RUNNING");
        assertThat(flow.path("startedBy").asText()).isEqualTo("slipway");
        JsonNode phase = flow.path("phases").path(0);
        assertThat(phase.path("name").asText()).isEqualTo("Admit");
        assertThat(phase.path("state").asText()).isEqualTo("BLOCKED");
        assertThat(phase.path("attempt").asInt()).isPositive();
        assertThat(phase.path("reason").asText()).isNotEmpty();
        assertThat(phase.path("message").asText()).contains("no-such-class");
        assertThat(phase.path("lastCheck").asText()).isNotEmpty();
        assertThat(phase.path("since").asText()).isNotEmpty();
    }

    @Test
    void putsStuckClustersFirst() {
        // given
        create("a-planned", true);
        create("z-stuck", false);
        awaitBlocked("z-stuck");
        awaitPhase("a-planned", "Planned");

        // when
        JsonNode items = rest.get(CLUSTERS).json().path("items");

        // then
        assertThat(items.findValuesAsText("name").indexOf("z-stuck"))
                .isLessThan(items.findValuesAsText("name").indexOf("a-planned"));
    }

    @Test
    void selectsByNamespaceAndState() {
        // given
        create("selected", true);
        awaitPhase("selected", "Planned");

        // when, then
        assertThat(rest.get(CLUSTERS + "?state=planned&namespace=" + namespace)
                        .json()
                        .findValuesAsText("name"))
                .contains("selected");
        assertThat(rest.get(CLUSTERS + "?state=Ready").json().findValuesAsText("name"))
                .doesNotContain("selected");
        assertThat(rest.get(CLUSTERS + "?namespace=elsewhere").json().path("items"))
                .isEmpty();
    }

    @Test
    void namesTheStatesWhenAskedForAnUnknownOne() {
        // when
        Answer answer = rest.get(CLUSTERS + "?state=fine");

        // then
        assertProblem(answer, 400, "InvalidField");
        assertThat(answer.json().path("field").asText()).isEqualTo("state");
        assertThat(answer.json().path("remedy").asText()).contains("Ready", "Stuck");
    }

    @Test
    void showsAClusterWithAllPhasesAndConditions() {
        // given
        create("shown", false);
        awaitBlocked("shown");

        // when
        JsonNode details = rest.get(CLUSTERS + "/" + namespace + "/shown").json();

        // then
        assertThat(details.path("cluster").path("phase").asText()).isEqualTo("Stuck");
        assertThat(details.path("flows").path(0).path("phases").findValuesAsText("name"))
                .startsWith("Admit", "EnsureFinalizer")
                .endsWith("EnsureHealthy");
        assertThat(details.path("conditions").findValuesAsText("type"))
                .contains("Ready", "Stuck", "ManualInterventionRequired");
    }

    @Test
    void showsTheDiagramThatAFlowRuns() {
        // given
        create("drawn", false);
        JsonNode flow = awaitBlocked("drawn").path("flow");

        // when
        Answer answer = rest.get("/api/v1/flows/" + flow.path("id").asText() + "/diagram");

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith("application/xml");
        assertThat(answer.response().body())
                .startsWith("<?xml")
                .contains("<bpmn:process id=\"cluster-init\"")
                .contains(
                        "id=\"" + flow.path("phases").path(0).path("elementId").asText() + "\"");
    }

    @Test
    void hasNoDiagramOfAFlowThatThereIsNot() {
        // when
        Answer answer = rest.send(rest.request("/api/v1/flows/none/diagram")
                .header("Accept", "application/xml")
                .GET());

        // then
        assertProblem(answer, 404, "FlowNotFound");
    }

    @Test
    void projectsTheFlowOntoTheObject() {
        // given
        create("projected", false);
        awaitBlocked("projected");

        // when, then
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            JsonNode status = api.get(path("projected")).orElseThrow().path("status");
            assertThat(status.path("phase").asText()).isEqualTo("Stuck");
            assertThat(status.path("flow").path("phase").asText()).isEqualTo("Admit");
            assertThat(status.path("flow").path("state").asText()).isEqualTo("Blocked");
        });
    }

    @Test
    void showsThePlanOfADryRunInItsCondition() {
        // given
        create("planned", true);
        awaitPhase("planned", "Planned");

        // when, then
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            JsonNode planned = new KubeObject(api.get(path("planned")).orElseThrow())
                    .condition("Planned")
                    .orElseThrow();
            assertThat(planned.path("status").asText()).isEqualTo("True");
            assertThat(planned.path("message").asText()).contains("nothing was made", "Cluster");
        });
    }

    @Test
    void refusesASecondFlowAndNamesTheActiveOne() {
        // given
        create("twice", false);
        String id = awaitBlocked("twice").path("flow").path("id").asText();

        // when
        Answer answer = rest.post(CLUSTERS + "/" + namespace + "/twice/flows", "{\"flow\": \"init\"}");

        // then
        assertProblem(answer, 409, "FlowActive");
        assertThat(answer.json().path("flow").asText()).isEqualTo("/api/v1/flows/" + id);
        assertThat(answer.json().path("object").asText()).isEqualTo(namespace + "/twice");
        assertThat(answer.json().path("remedy").asText()).contains("/retry");
    }

    @Test
    void startsAFlowAndSaysWhereItIs() {
        // given
        create("again", true);
        awaitPhase("again", "Planned");

        // when
        Answer answer = rest.post(CLUSTERS + "/" + namespace + "/again/flows", "{\"flow\": \"init\"}");

        // then
        assertThat(answer.status()).isEqualTo(202);
        String id = answer.json().path("id").asText();
        assertThat(answer.header("Location")).isEqualTo("/api/v1/flows/" + id);
        assertThat(answer.json().path("startedBy").asText()).isEqualTo("admin");
        JsonNode flow = rest.get(answer.header("Location")).json();
        assertThat(flow.path("id").asText()).isEqualTo(id);
        assertThat(flow.path("phases").size()).isEqualTo(flow.path("of").asInt());
    }

    @Test
    void retriesTheCurrentPhase() {
        // given
        create("retried", false);
        awaitBlocked("retried");

        // when
        Answer answer =
                rest.post(CLUSTERS + "/" + namespace + "/retried/retry", "{\"reason\": \"The class is there now\"}");

        // then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().path("phases").path(0).asText()).isEqualTo("Admit");
    }

    @Test
    void retriesWithoutABody() {
        // given
        create("retried-bare", false);
        awaitBlocked("retried-bare");

        // when
        Answer answer = rest.postNothing(CLUSTERS + "/" + namespace + "/retried-bare/retry");

        // then
        assertThat(answer.status()).isEqualTo(202);
    }

    @Test
    void refusesARetryWhenNoFlowIsActive() {
        // given
        create("idle", true);
        awaitPhase("idle", "Planned");

        // when
        Answer answer = rest.post(CLUSTERS + "/" + namespace + "/idle/retry", "{}");

        // then
        assertProblem(answer, 409, "NoActiveFlow");
        assertThat(answer.json().path("remedy").asText()).contains("/flows");
    }

    @Test
    void refusesWhatItCannotUnderstand() {
        create("misread", true);
        String flows = CLUSTERS + "/" + namespace + "/misread/flows";

        assertField(rest.post(flows, "{}"), 400, "MissingField", "flow");
        assertField(rest.post(flows, "{\"flow\": \"\"}"), 400, "MissingField", "flow");
        assertField(rest.post(flows, "{\"flow\": \"import-all\"}"), 422, "UnknownFlow", "flow");
        assertField(rest.post(flows, "{\"flwo\": \"init\"}"), 400, "UnknownField", "flwo");
        assertField(rest.post(flows, "{\"flow\": {\"a\": 1}}"), 400, "InvalidField", "flow");
        assertProblem(rest.post(flows, "{"), 400, "InvalidBody");
        assertProblem(rest.post(flows, ""), 400, "InvalidBody");
        assertProblem(
                rest.send(rest.request(flows)
                        .header("Content-Type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"flow\": \"init\"}"))),
                415,
                "UnsupportedMediaType");
    }

    @Test
    void answers404ForWhatIsNotThere() {
        assertProblem(rest.get(CLUSTERS + "/" + namespace + "/nobody"), 404, "ClusterNotFound");
        assertProblem(
                rest.post(CLUSTERS + "/" + namespace + "/nobody/flows", "{\"flow\": \"init\"}"),
                404,
                "ClusterNotFound");
        assertProblem(rest.post(CLUSTERS + "/" + namespace + "/nobody/retry", "{}"), 404, "ClusterNotFound");
        assertProblem(rest.get("/api/v1/flows/no-such-flow"), 404, "FlowNotFound");
        assertProblem(rest.get("/api/v1/nothing"), 404, "NotFound");
    }

    @Test
    void refusesAFlowForAClusterThatIsBeingDeleted() {
        // given
        create("leaving", true);
        awaitPhase("leaving", "Planned");

        // when
        api.delete(path("leaving"));

        // then
        assertProblem(
                rest.post(CLUSTERS + "/" + namespace + "/leaving/flows", "{\"flow\": \"init\"}"),
                409,
                "ClusterDeleting");
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(api.get(path("leaving"))
                        .orElseThrow()
                        .path("status")
                        .path("conditions")
                        .findValuesAsText("type"))
                .contains("Deleting"));
    }

    @Test
    void knowsClustersOfClusterApiWithoutAWorkloadCluster() {
        // given
        String cluster = CLUSTERS + "/" + namespace + "/foreign";
        api.create(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters",
                JsonApi.parse("{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Cluster\","
                        + " \"metadata\": {\"name\": \"foreign\"},"
                        + " \"spec\": {\"controlPlaneEndpoint\": {\"host\": \"h\", \"port\": 1}}}"));

        // when
        JsonNode shown = rest.get(cluster).json().path("cluster");

        // then
        assertThat(shown.path("origin").asText()).isEqualTo("Cluster");
        assertThat(shown.path("phase").asText()).isEqualTo("Pending");
        assertThat(rest.get(cluster + "/decisions").json().path("items")).isEmpty();
        assertProblem(rest.post(cluster + "/flows", "{\"flow\": \"init\"}"), 422, "NotDeclared");
        assertField(
                rest.put(cluster + "/credentials", "{\"secretName\": \"absent\"}"),
                422,
                "SecretUnusable",
                "secretName");
        assertProblem(
                rest.put(CLUSTERS + "/" + namespace + "/none/credentials", "{\"secretName\": \"a\"}"),
                404,
                "ClusterNotFound");
    }

    @Test
    void describesItself() {
        // when
        JsonNode description = rest.get("/v3/api-docs").json();

        // then
        description
                .path("paths")
                .forEach(path -> path.forEach(operation ->
                        assertThat(operation.path("summary").asText()).isNotEmpty()));
    }

    private void assertField(Answer answer, int status, String code, String field) {
        assertProblem(answer, status, code);
        assertThat(answer.json().path("field").asText()).isEqualTo(field);
        assertThat(answer.json().path("remedy").asText()).isNotEmpty();
    }

    private void assertProblem(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.json().path("code").asText()).isEqualTo(code);
        assertThat(answer.json().path("type").asText()).startsWith("/problems/");
        assertThat(answer.json().path("detail").asText()).isNotEmpty();
        assertThat(answer.response().body()).doesNotContain("\tat ", "Exception");
    }

    private JsonNode awaitBlocked(String name) {
        return awaitPhase(name, "Stuck");
    }

    private JsonNode awaitPhase(String name, String phase) {
        return await("the cluster " + name + " is " + phase)
                .atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () -> listed(name),
                        cluster -> phase.equals(cluster.path("phase").asText()));
    }

    private JsonNode listed(String name) {
        for (JsonNode cluster : rest.get(CLUSTERS + "?limit=1000").json().path("items")) {
            if (name.equals(cluster.path("name").asText())) {
                return cluster;
            }
        }
        return MissingNode.getInstance();
    }

    /** A dry run of a small template ends Planned; a class that is not there blocks the first phase. */
    private void create(String name, boolean dryRun) {
        String how = dryRun
                ? "\"templateRef\": {\"name\": \"" + name + "\"}, \"dryRun\": true"
                : "\"topology\": {\"class\": \"no-such-class\"}";
        if (dryRun) {
            api.create("/api/v1/namespaces/" + namespace + "/configmaps", template(name));
        }
        assertThat(api.create(
                        "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters",
                        JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                + " \"metadata\": {\"name\": \"" + name + "\"},"
                                + " \"spec\": {\"version\": \"v1.36.3\", " + how + "}}")))
                .isPresent();
    }

    private static JsonNode template(String name) {
        String manifests =
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: "${CLUSTER_NAME}", namespace: "${NAMESPACE}"}
                spec:
                  infrastructureRef: {apiGroup: cluster.x-k8s.io, kind: MachineDeployment, name: any}
                """;
        ObjectNode map = JsonApi.parse(
                "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"" + name + "\"}}");
        map.putObject("data").put("template.yaml", manifests);
        return map;
    }

    private String path(String name) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/" + name;
    }
}
