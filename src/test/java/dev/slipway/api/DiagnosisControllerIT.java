package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.DiagnosisSource;
import dev.slipway.phase.ClusterRef;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.camunda.bpm.engine.IdentityService;
import org.camunda.bpm.engine.identity.User;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The diagnosis of the running application. */
class DiagnosisControllerIT extends WholeApplication {

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("diagnosis");
    private Rest rest;

    @Autowired
    private DiagnosisSource source;

    @Autowired
    private IdentityService identity;

    @BeforeEach
    void signIn(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @Test
    void givesTheDiagnosisAsJson() {
        // given
        paused("c1");

        // when
        Answer answer = rest.get(path("c1"));

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        JsonNode json = answer.json();
        assertThat(json.path("namespace").asText()).isEqualTo(namespace);
        assertThat(json.path("name").asText()).isEqualTo("c1");
        assertThat(json.path("takenAt").asText()).endsWith("Z");
        assertThat(json.at("/signature/name").asText()).isEqualTo("Paused");
        assertThat(json.at("/signature/advice").asText()).isNotEmpty();
        assertThat(json.path("findings").findValuesAsText("title"))
                .contains(
                        "Cluster API",
                        "Machines and nodes",
                        "Certificates and kubeconfig",
                        "Workload API",
                        "Events",
                        "Slipway");
        JsonNode first = json.at("/findings/0");
        assertThat(first.path("step").asInt()).isEqualTo(1);
        assertThat(first.path("object").asText()).isEqualTo("workloadcluster/c1");
        assertThat(first.path("verdict").asText()).isEqualTo("WARNING");
        assertThat(first.path("code").asText()).isEqualTo("Paused");
        assertThat(first.path("sentence").asText()).contains("spec.paused");
        assertThat(first.path("details").isArray()).isTrue();
    }

    @Test
    void givesAPageAndAFile() {
        // given
        paused("c1");

        // when
        Answer text = rest.send(rest.request(path("c1") + "?download=true").header("Accept", "text/plain"));
        Answer markdown = rest.send(rest.request(path("c1")).header("Accept", "text/markdown"));
        Answer json = rest.get(path("c1") + "?download=true");

        // then
        assertThat(text.header("Content-Type")).isEqualTo("text/plain;charset=UTF-8");
        assertThat(text.response().body())
                .startsWith("Diagnosis of " + namespace + "/c1, taken ")
                .contains("Known pattern: Paused", "\n6. Slipway\n");
        assertThat(text.header("Content-Disposition"))
                .matches("attachment; filename=\"diagnosis-" + namespace + "-c1-\\d{8}T\\d{6}Z\\.txt\"");
        assertThat(markdown.header("Content-Type")).isEqualTo("text/markdown;charset=UTF-8");
        assertThat(markdown.response().body()).startsWith("# Diagnosis").contains("## 1. Cluster API");
        assertThat(markdown.header("Content-Disposition")).isEmpty();
        assertThat(json.header("Content-Disposition")).endsWith("Z.json\"");
    }

    @Test
    void mayBeReadByAViewerAndByNobodyUnknown() {
        // given
        paused("c1");
        User viewer = identity.newUser("diagnosisViewer");
        viewer.setPassword("some password");
        identity.saveUser(viewer);
        identity.createMembership(viewer.getId(), "viewers");

        // then
        assertThat(rest.as("diagnosisViewer", "some password").get(path("c1")).status())
                .isEqualTo(200);
        assertThat(rest.getAnonymously(path("c1")).status()).isEqualTo(401);
    }

    @Test
    void answers404ForWhatIsNotThereAnd400ForWhatCannotBe() {
        assertProblem(rest.get(path("nobody")), 404, "ClusterNotFound");
        assertProblem(rest.get("/api/v1/clusters/no-such-namespace/nobody/diagnosis"), 404, "ClusterNotFound");
        assertProblem(rest.send(rest.request(path("nobody")).header("Accept", "text/plain")), 404, "ClusterNotFound");
        assertProblem(rest.get(path("No_Name")), 400, "InvalidField");
        assertThat(rest.send(rest.request(path("nobody")).header("Accept", "image/png"))
                        .status())
                .isEqualTo(406);
    }

    @Test
    void givesTheDiagnosisOfAClusterThatNobodyDeclared() {
        // given
        api.applyYaml(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: undeclared}
                spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: 1}, paused: true,
                       infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: none}}
                """,
                namespace);

        // when
        Answer answer = rest.get(path("undeclared"));

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(answer.json().path("findings").findValuesAsText("object"))
                .contains("cluster/undeclared", "platform.tkestack.io", "clustercredentials");
    }

    @Test
    void refusesMoreThanFourAtATime() throws IOException {
        // given
        try (ServerSocket hole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            paused("c1");
            kubeconfig("c1", "https://127.0.0.1:" + hole.getLocalPort());
            List<CompletableFuture<Answer>> answers = new ArrayList<>();

            // when
            for (int i = 0; i < 5; i++) {
                answers.add(CompletableFuture.supplyAsync(
                        () -> rest.send(rest.request(path("c1")).header("Accept", "text/plain")),
                        task -> new Thread(task).start()));
            }
            List<Answer> all = answers.stream().map(CompletableFuture::join).toList();

            // then
            assertThat(all).extracting(Answer::status).containsExactlyInAnyOrder(200, 200, 200, 200, 429);
            Answer refused = all.stream()
                    .filter(answer -> answer.status() == 429)
                    .findFirst()
                    .orElseThrow();
            assertProblem(refused, 429, "TooManyDiagnoses");
            assertThat(refused.header("Retry-After")).isEqualTo("5");
            assertThat(all.stream().filter(answer -> answer.status() == 200))
                    .allMatch(answer -> answer.response().body().contains("accepts connections and does not answer"));
        }
        // Calls that hang a moment longer than their step still take a place.
        await().atMost(Duration.ofSeconds(30)).until(() -> rest.get(path("c1")).status() == 200);
    }

    @Test
    void givesTheOperatorsTaskAShortText() {
        // given
        paused("c1");
        String uid = api.get(workloadClusters() + "/c1")
                .orElseThrow()
                .at("/metadata/uid")
                .asText();

        // when
        String text = source.diagnose(new ClusterRef(namespace, "c1", uid));

        // then
        assertThat(text)
                .startsWith("Diagnosis of " + namespace + "/c1")
                .contains("Known pattern: Paused.", "WARNING 1 workloadcluster/c1", path("c1"))
                .hasSizeLessThanOrEqualTo(3000);
    }

    private void assertProblem(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.json().path("code").asText()).isEqualTo(code);
        assertThat(answer.json().path("remedy").asText()).isNotEmpty();
    }

    private void paused(String name) {
        assertThat(api.create(
                        workloadClusters(),
                        JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                + " \"metadata\": {\"name\": \"" + name + "\"},"
                                + " \"spec\": {\"version\": \"v1.36.3\", \"paused\": true,"
                                + " \"templateRef\": {\"name\": \"t\"}}}")))
                .isPresent();
    }

    private void kubeconfig(String name, String server) {
        String text = management().adminKubeconfig().replaceAll("server: .*", "server: " + server);
        api.applyYaml(
                "apiVersion: v1\nkind: Secret\nmetadata: {name: " + name + "-kubeconfig}\ndata: {value: "
                        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + "}\n",
                namespace);
    }

    private String workloadClusters() {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters";
    }

    private String path(String name) {
        return "/api/v1/clusters/" + namespace + "/" + name + "/diagnosis";
    }
}
