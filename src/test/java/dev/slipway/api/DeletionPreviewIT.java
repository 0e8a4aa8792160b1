package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Previews of deletions in the REST API of the running application. */
class DeletionPreviewIT extends WholeApplication {

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("preview");
    private final String cluster = "/api/v1/clusters/" + namespace + "/c1/deletion";
    private Rest rest;

    @BeforeEach
    void aClusterWithASecret(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
        api.create(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters",
                JsonApi.parse("{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Cluster\","
                        + " \"metadata\": {\"name\": \"c1\"},"
                        + " \"spec\": {\"controlPlaneEndpoint\": {\"host\": \"h\", \"port\": 1}}}"));
    }

    @Test
    void saysWhatBecomesOfEachObjectAndWritesNothing() {
        // when
        JsonNode byPolicy = rest.get(cluster).json();
        JsonNode full = rest.get(cluster + "?mode=Full").json();

        // then
        assertThat(byPolicy.path("mode").asText()).isEqualTo("Detach");
        assertThat(action(byPolicy)).isEqualTo("keep");
        assertThat(full.path("mode").asText()).isEqualTo("Full");
        assertThat(action(full)).isEqualTo("delete");
        assertThat(full.path("text").asText()).contains("Cluster");
        assertThat(api.get("/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters/c1"))
                .isPresent();
    }

    @Test
    void isRefusedWithAClearAnswer() {
        assertProblem(rest.get(cluster + "?mode=all"), 400, "InvalidField");
        assertProblem(rest.get(cluster.replace("/c1/", "/nobody/")), 404, "ClusterNotFound");
    }

    private static String action(JsonNode preview) {
        for (JsonNode item : preview.path("items")) {
            if (item.path("kind").asText().equals("Cluster")) {
                assertThat(item.path("count").asInt()).isEqualTo(1);
                assertThat(item.path("names").path(0).asText()).isEqualTo("c1");
                return item.path("action").asText();
            }
        }
        return "";
    }

    private static void assertProblem(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.json().path("code").asText()).isEqualTo(code);
        assertThat(answer.json().path("remedy").asText()).isNotEmpty();
    }
}
