package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Lists over HTTP: how one part leads to the next, and what is not sent twice. */
class PagesIT extends WholeApplication {

    private static final String CLUSTERS = "/api/v1/clusters";

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("pages");
    private Rest rest;

    @BeforeEach
    void signIn(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @Test
    void onePartLeadsToTheNextAndBack() {
        // given
        List.of("a", "b", "c").forEach(this::create);
        String first = CLUSTERS + "?namespace=" + namespace + "&sort=name&limit=2";
        await("all three are listed")
                .until(() -> rest.get(first).json().path("total").asInt() == 3);

        // when
        Answer part = rest.get(first);
        Answer next = rest.get(link(part, "next"));

        // then
        assertThat(part.json().at("/items/0/name").asText()).isEqualTo("a");
        assertThat(part.json().at("/items/1/name").asText()).isEqualTo("b");
        assertThat(part.json().path("items")).hasSize(2);
        assertThat(part.header("Link")).doesNotContain("prev", "first");
        assertThat(next.json().at("/items/0/name").asText()).isEqualTo("c");
        assertThat(next.json().path("items")).hasSize(1);
        assertThat(next.header("Link")).doesNotContain("next");
        assertThat(link(next, "prev"))
                .isEqualTo(link(next, "first"))
                .contains("offset=0", "limit=2", "sort=name", "namespace=" + namespace);
    }

    @Test
    void whatHasNotChangedIsNotSentAgain() {
        // given
        String classes = "/api/v1/cluster-classes?namespace=" + namespace;
        String tag = rest.get(classes).header("ETag");

        // when
        Answer again =
                rest.send(rest.request(classes).header("If-None-Match", tag).GET());
        Answer other = rest.send(
                rest.request(classes).header("If-None-Match", "W/\"another\"").GET());

        // then
        assertThat(tag).startsWith("W/");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.response().body()).isEmpty();
        assertThat(other.status()).isEqualTo(200);
    }

    @Test
    void aPartThatCannotBeIsRefusedByItsField() {
        // when
        Answer tooMany = rest.get(CLUSTERS + "?limit=1001");
        Answer before = rest.get(CLUSTERS + "?offset=-1");

        // then
        assertThat(tooMany.status()).isEqualTo(400);
        assertThat(tooMany.json().path("field").asText()).isEqualTo("limit");
        assertThat(before.status()).isEqualTo(400);
        assertThat(before.json().path("field").asText()).isEqualTo("offset");
    }

    private static String link(Answer answer, String relation) {
        Matcher link = Pattern.compile("<([^>]+)>; rel=\"" + relation + "\"").matcher(answer.header("Link"));
        assertThat(link.find()).as("%s in %s", relation, answer.header("Link")).isTrue();
        return link.group(1);
    }

    private void create(String name) {
        assertThat(api.create(
                        "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters",
                        JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                + " \"metadata\": {\"name\": \"" + name + "\"}, \"spec\": {\"version\": \"v1.36.3\","
                                + " \"paused\": true, \"topology\": {\"class\": \"none\"}}}")))
                .isPresent();
    }
}
