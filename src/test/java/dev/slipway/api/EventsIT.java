package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.Rest;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Live changes of the running application. */
class EventsIT extends WholeApplication {

    private static final String EVENTS = "/api/v1/events";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("events");

    @Autowired
    private EventStreams streams;

    private Rest rest;

    @BeforeEach
    void signIn(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @Test
    void tellWhatChangesInTheFleetAndWhatIsGone() {
        // given
        try (Listening all = Listening.to(rest, EVENTS);
                Listening elsewhere = Listening.to(rest, EVENTS + "?namespace=elsewhere")) {
            await().atMost(PATIENCE).until(() -> all.events("hello").size() == 1);
            assertThat(all.response().headers().firstValue("Content-Type").orElse(""))
                    .startsWith("text/event-stream");

            // when
            create("c1");

            // then
            await().atMost(PATIENCE).until(() -> all.events("clusters").stream().anyMatch(event -> event.json()
                    .path("changed")
                    .findValuesAsText("name")
                    .contains("c1")));
            await().atMost(PATIENCE).until(() -> all.events("clusters").stream()
                    .anyMatch(event -> event.json()
                                    .path("changed")
                                    .findValuesAsText("phase")
                                    .contains("Stuck")
                            && event.json().path("counts").path("Stuck").asInt() > 0));

            // when
            rest.post(
                    "/api/v1/clusters/" + namespace + "/c1/flows",
                    "{\"flow\": \"delete\", \"confirm\": \"c1\", \"mode\": \"Forget\"}");

            // then
            await().atMost(PATIENCE).until(() -> all.events("clusters").stream()
                    .anyMatch(event -> event.json().path("gone").toString().contains(namespace + "/c1")));
            assertThat(elsewhere.events("clusters")).isEmpty();
            assertThat(all.events()).allSatisfy(event -> assertThat(event.id()).isNotEmpty());
        }
    }

    @Test
    void ofOneClusterSayOnlyThatItsDetailsAreToBeReadAgain() {
        // given
        try (Listening one = Listening.to(rest, EVENTS + "?cluster=" + namespace + "/mine")) {
            await().atMost(PATIENCE).until(() -> one.events("hello").size() == 1);

            // when
            create("other");
            create("mine");

            // then
            await().atMost(PATIENCE).until(() -> !one.events("cluster").isEmpty());
            assertThat(one.events("cluster")).allSatisfy(event -> assertThat(event.data())
                    .contains("\"name\":\"mine\"", "\"namespace\":\"" + namespace + "\""));
            assertThat(one.events("clusters")).isEmpty();
        }
    }

    @Test
    void tellAReaderThatComesBackWhatItMissed() {
        // given
        String last;
        try (Listening first = Listening.to(rest, EVENTS + "?namespace=" + namespace)) {
            await().atMost(PATIENCE).until(() -> first.events("hello").size() == 1);
            last = first.events("hello").get(0).id();
        }

        // when
        create("missed");
        try (Listening meanwhile = Listening.to(rest, EVENTS + "?namespace=" + namespace)) {
            await().atMost(PATIENCE).until(() -> !meanwhile.events("clusters").isEmpty());
        }

        // then
        try (Listening again = Listening.to(rest, EVENTS + "?namespace=" + namespace, "Last-Event-ID", last);
                Listening stranger = Listening.to(rest, EVENTS, "Last-Event-ID", "another-node-7")) {
            await().atMost(PATIENCE)
                    .until(() -> again.events("clusters").stream().anyMatch(event -> event.json()
                            .path("changed")
                            .findValuesAsText("name")
                            .contains("missed")));
            assertThat(again.events("reset")).isEmpty();
            await().atMost(PATIENCE).until(() -> stranger.events("reset").size() == 1);
        }
    }

    @Test
    void areLimitedForEachUser() {
        // given
        int open = streams.open();
        List<Listening> mine = new ArrayList<>();
        try {
            for (int i = open; i < 20; i++) {
                mine.add(Listening.to(rest, EVENTS));
            }

            // when
            Listening oneMore = Listening.to(rest, EVENTS);

            // then
            assertThat(oneMore.status()).isEqualTo(429);
            assertThat(oneMore.body()).contains("TooManyStreams", "remedy");
            assertThat(oneMore.response().headers().firstValue("Retry-After")).isPresent();
        } finally {
            mine.forEach(Listening::close);
        }
        await().atMost(PATIENCE).until(() -> streams.open() <= open);
    }

    @Test
    void areRefusedToStrangersAndForWhatIsNoCluster() {
        assertThat(rest.getAnonymously(EVENTS).status()).isEqualTo(401);
        assertThat(rest.get(EVENTS + "?cluster=nonsense").status()).isEqualTo(400);
        assertThat(rest.get(EVENTS + "?cluster=nonsense").json().path("field").asText())
                .isEqualTo("cluster");
    }

    private void create(String name) {
        api.create(
                "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters",
                JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                        + " \"metadata\": {\"name\": \"" + name + "\"},"
                        + " \"spec\": {\"version\": \"v1.36.3\", \"topology\": {\"class\": \"no-such-class\"}}}"));
    }
}
