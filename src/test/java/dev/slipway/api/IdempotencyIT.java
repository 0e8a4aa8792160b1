package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The same request twice, with a key. */
class IdempotencyIT extends WholeApplication {

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("again");
    private final String key = UUID.randomUUID().toString();
    private final String imports = "/api/v1/clusters/" + namespace + "/c1/flows";

    @Autowired
    private JdbcClient jdbc;

    private Rest rest;

    @BeforeEach
    void aClusterToImport(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
        api.create(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters",
                JsonApi.parse("{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Cluster\", \"metadata\":"
                        + " {\"name\": \"c1\"}, \"spec\": {\"paused\": true,"
                        + " \"controlPlaneEndpoint\": {\"host\": \"192.0.2.1\", \"port\": 6443}}}"));
    }

    @Test
    void aRepeatedStartGetsTheFirstAnswerAgain() {
        // when
        Answer first = start(key, "{\"flow\": \"import\"}");
        Answer again = start(key, "{\"flow\": \"import\"}");

        // then
        assertThat(first.status()).as(first.response().body()).isEqualTo(202);
        assertThat(first.header("Idempotent-Replayed")).isEmpty();
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(again.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(again.json()).isEqualTo(first.json());
        assertThat(start(UUID.randomUUID().toString(), "{\"flow\": \"import\"}").header("Idempotent-Replayed"))
                .isEmpty();
    }

    @Test
    void ofManyAtOnceOneIsCarriedOut() {
        // when
        List<Answer> answers = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> start(key, "{\"flow\": \"import\"}")))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        // then
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(202, 409));
        assertThat(answers).filteredOn(answer -> answer.status() == 409).allSatisfy(answer -> assertThat(
                        answer.json().path("code").asText())
                .isEqualTo("IdempotencyKeyInUse"));
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 202
                        && answer.header("Idempotent-Replayed").isEmpty())
                .hasSize(1);
    }

    @Test
    void aKeyIsForOneRequestOnly() {
        // given
        start(key, "{\"flow\": \"import\"}");

        // when
        Answer other = start(key, "{\"flow\": \"import\", \"reset\": true}");

        // then
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.json().path("code").asText()).isEqualTo("IdempotencyKeyReused");
        assertThat(start("a b", "{\"flow\": \"import\"}").json().path("field").asText())
                .isEqualTo("Idempotency-Key");
    }

    @Test
    void whatCameToNothingMayBeTriedAgain() {
        // given
        Answer refused = start(key, "{\"flow\": \"no-such-flow\"}");

        // when
        Answer again = start(key, "{\"flow\": \"no-such-flow\"}");

        // then
        assertThat(refused.status()).isEqualTo(422);
        assertThat(again.status()).isEqualTo(422);
        assertThat(again.header("Idempotent-Replayed")).isEmpty();
        assertThat(start(key, "{\"flow\": \"import\"}").status()).isEqualTo(202);
    }

    @Test
    void whoDiedInTheMiddleDoesNotBlockTheKeyForGood() {
        // given
        start(key, "{\"flow\": \"import\"}");
        jdbc.sql("update slipway_idempotency set done_at = null, claim = 'dead', created_at = :old")
                .param("old", OffsetDateTime.now().minus(Duration.ofMinutes(3)))
                .update();

        // then
        Answer again = start(key, "{\"flow\": \"import\"}");
        assertThat(again.json().path("code").asText()).isNotEqualTo("IdempotencyKeyInUse");
        assertThat(again.header("Idempotent-Replayed")).isEmpty();
    }

    private Answer start(String withKey, String body) {
        return rest.send(rest.request(imports)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", withKey)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }
}
