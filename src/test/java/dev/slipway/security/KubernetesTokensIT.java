package dev.slipway.security;

import static dev.slipway.faults.Calls.resource;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Tokens of the management cluster at the REST API. */
class KubernetesTokensIT extends WholeApplication {

    private final ServiceAccounts accounts = new ServiceAccounts(management().json());
    private final String namespace = management().newNamespace("tokens");

    @LocalServerPort
    private int port;

    @AfterEach
    void stopFaults() {
        faults().clear();
    }

    @Test
    void letItsOwnerSeeItsNamespaceAndSaysHowToAskForIt() {
        // given
        Rest viewer = Rest.withToken(port, accounts.viewerOf(namespace));

        // when
        Answer own = viewer.get("/api/v1/clusters?namespace=" + namespace);
        Answer all = viewer.get("/api/v1/clusters");
        Answer session = viewer.get("/api/v1/session?namespace=" + namespace);

        // then
        assertThat(own.status()).isEqualTo(200);
        assertThat(own.header("Set-Cookie")).isEmpty();
        assertThat(all.status()).isEqualTo(403);
        assertThat(all.json().path("code").asText()).isEqualTo("NotAllowed");
        assertThat(all.json().path("remedy").asText()).contains("?namespace=");
        assertThat(viewer.get("/api/v1/clusters?namespace=" + namespace + "&namespace=default")
                        .status())
                .isEqualTo(403);
        assertThat(session.json().path("via").asText()).isEqualTo("kubernetes");
        assertThat(session.json().path("name").asText()).startsWith("system:serviceaccount:" + namespace + ":robot-");
        assertThat(session.json().path("actions").toString()).isEqualTo("[\"READ\"]");
    }

    @Test
    void letWhoMayListEverywhereSeeEverything() {
        // given
        Rest viewer = Rest.withToken(port, accounts.viewerOfAll(namespace));

        // when, then
        assertThat(viewer.get("/api/v1/clusters").status()).isEqualTo(200);
        assertThat(viewer.get("/api/v1/flows/none").status()).isEqualTo(404);
    }

    @Test
    void doWhatTheirOwnerMayAndAreNamedInRecords() {
        // given
        management()
                .json()
                .applyYaml(
                        """
                        apiVersion: slipway.dev/v1alpha1
                        kind: WorkloadCluster
                        metadata: {name: robots}
                        spec:
                          version: v1.36.3
                          topology: {class: no-such-class}
                        """,
                        namespace);
        Rest admin = new Rest(port, "admin", PASSWORD);
        String cluster = "/api/v1/clusters/" + namespace + "/robots";
        await().untilAsserted(() -> assertThat(
                        admin.get(cluster).json().at("/cluster/flow/state").asText())
                .isEqualTo("RUNNING"));
        Rest editor = Rest.withToken(port, accounts.editorOf(namespace));

        // when
        Answer pause = editor.post(cluster + "/decisions", "{\"choice\": \"PAUSE\"}");

        // then
        assertThat(pause.status()).isIn(200, 202);
        assertThat(pause.json().path("by").asText()).startsWith("system:serviceaccount:" + namespace + ":robot-");
        JsonNode audit = admin.get("/api/v1/audit?namespace=" + namespace + "&action=DECIDE")
                .json()
                .path("items")
                .path(0);
        assertThat(audit.path("by").asText()).startsWith("system:serviceaccount:" + namespace + ":robot-");
        assertThat(audit.path("via").asText()).isEqualTo("kubernetes");
        assertThat(Rest.withToken(port, accounts.viewerOf(namespace))
                        .post(cluster + "/decisions", "{\"choice\": \"RESUME\"}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void areRefusedWhenTheManagementClusterDoesNotKnowThem() {
        // when
        Answer answer = Rest.withToken(port, "no-such-token").get("/api/v1/clusters");

        // then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.json().path("code").asText()).isEqualTo("NotSignedIn");
        assertThat(answer.header("WWW-Authenticate")).contains("invalid_token");
    }

    @Test
    void letNobodyInWhileTheManagementClusterDoesNotAnswer() {
        // given
        String token = accounts.viewerOf(namespace);
        faults().on(resource("tokenreviews")).proxyError(502);

        // when
        Answer unknown = Rest.withToken(port, token).get("/api/v1/clusters?namespace=" + namespace);
        faults().clear();
        faults().on(resource("subjectaccessreviews")).proxyError(502);
        Answer unchecked = Rest.withToken(port, token).get("/api/v1/clusters?namespace=" + namespace);
        faults().clear();
        Answer answered = Rest.withToken(port, token).get("/api/v1/clusters?namespace=" + namespace);

        // then
        assertThat(unknown.status()).isEqualTo(503);
        assertThat(unknown.header("Retry-After")).isNotEmpty();
        assertThat(unknown.json().path("detail").asText()).contains("management cluster");
        assertThat(unknown.response().body()).doesNotContain(token);
        assertThat(unchecked.status()).isEqualTo(503);
        assertThat(answered.status()).isEqualTo(200);
    }

    @Test
    void areGoodForNothingButTheRestApi() {
        // given
        Rest editor = Rest.withToken(port, accounts.editorOf(namespace));

        // when, then
        assertThat(editor.get("/actuator/metrics").status()).isEqualTo(403);
        Answer engine = editor.get("/engine-rest/engine");
        assertThat(engine.status()).isEqualTo(401);
        assertThat(engine.json().path("detail").asText()).contains("/api only");
    }
}
