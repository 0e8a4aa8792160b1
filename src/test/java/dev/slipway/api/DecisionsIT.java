package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.Rest;
import dev.slipway.Rest.Answer;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Deciding about stuck phases by the REST API and in the engine's task list. */
class DecisionsIT extends WholeApplication {

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("decide");
    private Rest rest;

    @BeforeEach
    void signIn(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @Test
    void aBlockedPhaseNamesItsRunItsCauseAndItsChoices() {
        // given
        JsonNode phase = blocked("shown");

        // then
        assertThat(phase.path("run").asText()).startsWith("phase_admit:");
        assertThat(phase.path("cause").path("code").asText()).isEqualTo("ClassUnknown");
        assertThat(phase.path("choices").toString()).isEqualTo("[\"RETRY\",\"WAIT_MORE\",\"PAUSE\",\"ABORT\"]");
    }

    @Test
    void pausesAndResumesAndKeepsWhoAndWhy() {
        // given
        blocked("held");

        // when
        Answer paused = decide("held", "{\"choice\": \"PAUSE\", \"reason\": \"the class comes tomorrow\"}");

        // then
        assertThat(paused.status()).isEqualTo(200);
        assertThat(paused.json().path("state").asText()).isEqualTo("APPLIED");
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            JsonNode status = object("held").path("status");
            assertThat(status.path("phase").asText()).isEqualTo("Paused");
            assertThat(status.path("flow").path("message").asText()).isEqualTo("by admin: the class comes tomorrow");
        });

        // when
        Answer resumed = decide("held", "{\"choice\": \"RESUME\"}");

        // then
        assertThat(resumed.status()).isEqualTo(200);
        JsonNode kept = rest.get(path("held") + "/decisions").json().path("items");
        assertThat(kept.findValuesAsText("choice")).containsExactly("RESUME", "PAUSE");
        assertThat(kept.path(1).path("by").asText()).isEqualTo("admin");
        assertThat(kept.path(1).path("reason").asText()).isEqualTo("the class comes tomorrow");
    }

    @Test
    void refusesWhatThePhaseDoesNotAllowAndNamesWhatItDoes() {
        // given
        blocked("strict");

        // when
        Answer answer = decide("strict", "{\"choice\": \"SKIP\", \"reason\": \"hurry\"}");

        // then
        problem(answer, 422, "ChoiceNotAllowed");
        assertThat(answer.json().path("allowed").toString()).isEqualTo("[\"RETRY\",\"WAIT_MORE\",\"PAUSE\",\"ABORT\"]");
        assertThat(answer.json().path("detail").asText()).contains("Admit of " + namespace + "/strict");
    }

    @Test
    void refusesWrongFieldsByName() {
        // given
        blocked("wrong");

        // then
        field(decide("wrong", "{}"), "choice");
        field(decide("wrong", "{\"choice\": \"FLY\"}"), "choice");
        field(decide("wrong", "{\"choice\": \"WAIT_MORE\", \"duration\": \"soon\"}"), "duration");
        field(decide("wrong", "{\"choice\": \"ABORT\"}"), "reason");
        field(decide("wrong", "{\"choice\": \"RETRY\", \"run\": \"phase_admit:nothing\"}"), "run");
        problem(decide("nobody", "{\"choice\": \"RETRY\"}"), 404, "ClusterNotFound");
    }

    @Test
    void aRunOfAnotherClusterIsNotToBeDecidedAbout() {
        // given
        blocked("mine");
        String foreign = blocked("theirs").path("run").asText();

        // then
        field(decide("mine", "{\"choice\": \"RETRY\", \"run\": \"" + foreign + "\"}"), "run");
    }

    @Test
    void theSecondOfTwoOperatorsIsToldWhoWasQuicker() {
        // given
        String run = blocked("raced").path("run").asText();
        assertThat(decide("raced", "{\"choice\": \"RETRY\", \"run\": \"" + run + "\"}")
                        .status())
                .isEqualTo(200);

        // when
        Answer second = decide("raced", "{\"choice\": \"ABORT\", \"reason\": \"x\", \"run\": \"" + run + "\"}");

        // then
        problem(second, 409, "DecisionConflict");
        assertThat(second.json().path("detail").asText()).contains("admin decided RETRY at ");
    }

    @Test
    void listsWhatIsStuckByCauseAndRetriesAllOfOne() {
        // given
        blocked("one");
        blocked("two");

        // when
        JsonNode groups = rest.get("/api/v1/stuck").json().path("items");

        // then
        JsonNode group = null;
        for (JsonNode candidate : groups) {
            if (candidate.path("reason").asText().equals("ClassUnknown")) {
                group = candidate;
            }
        }
        assertThat(group).isNotNull();
        assertThat(group.path("flow").asText()).isEqualTo("init");
        assertThat(group.path("phase").asText()).isEqualTo("Admit");
        assertThat(group.path("count").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(group.path("clusters").findValuesAsText("name")).contains("one", "two");

        // when
        Answer retried = rest.post(
                "/api/v1/stuck/retry", "{\"phase\": \"Admit\", \"reason\": \"ClassUnknown\", \"why\": \"all again\"}");

        // then
        assertThat(retried.status()).isEqualTo(200);
        assertThat(retried.json().path("items").findValuesAsText("reason")).contains("all again");
        assertThat(retried.json().path("items").size()).isGreaterThanOrEqualTo(2);
        field(rest.post("/api/v1/stuck/retry", "{\"phase\": \"Admit\"}"), 400, "MissingField", "reason");
    }

    @Test
    @Tag("T46")
    void retryStartsAnAbortedInitAgainOnTheSameObjects() {
        // given
        String flow = awaitBlocked("ended").path("flow").path("id").asText();
        String uid = object("ended").path("metadata").path("uid").asText();
        assertThat(decide("ended", "{\"choice\": \"ABORT\", \"reason\": \"too early\"}")
                        .status())
                .isEqualTo(200);
        await().atMost(Duration.ofSeconds(20)).until(() -> rest.get("/api/v1/flows/" + flow)
                .json()
                .path("state")
                .asText()
                .equals("ABORTED"));

        // when
        Answer answer = rest.post(path("ended") + "/retry", "{}");

        // then
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().path("flow").asText()).isNotEmpty().isNotEqualTo(flow);
        awaitBlocked("ended");
        assertThat(object("ended").path("metadata").path("uid").asText()).isEqualTo(uid);
    }

    @Test
    void theTaskListHasAFilterThatShowsWhatIsStuck() {
        // given
        blocked("listed");
        JsonNode filters = rest.get("/engine-rest/filter?name=Stuck%20phases&maxResults=10")
                .json();

        // when
        JsonNode tasks = rest.get(
                        "/engine-rest/filter/" + filters.path(0).path("id").asText() + "/list?maxResults=200")
                .json();

        // then
        assertThat(filters.size()).isEqualTo(1);
        assertThat(tasks.findValuesAsText("name")).contains("Admit of " + namespace + "/listed");
    }

    private Answer decide(String name, String body) {
        return rest.post(path(name) + "/decisions", body);
    }

    private JsonNode blocked(String name) {
        return awaitBlocked(name).path("flow").path("phases").path(0);
    }

    private JsonNode awaitBlocked(String name) {
        if (api.get(object(name, "")).isEmpty()) {
            assertThat(api.create(
                            object("", ""),
                            JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                    + " \"metadata\": {\"name\": \"" + name + "\"}, \"spec\": {\"version\":"
                                    + " \"v1.36.3\", \"topology\": {\"class\": \"no-such-class\"}}}")))
                    .isPresent();
        }
        return await("the cluster " + name + " is stuck")
                .atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () -> rest.get(path(name)).json().path("cluster"),
                        cluster -> cluster.path("stuck").asBoolean()
                                && cluster.path("flow").path("state").asText().equals("RUNNING"));
    }

    private JsonNode object(String name) {
        return api.get(object(name, "")).orElseThrow();
    }

    private String object(String name, String suffix) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters"
                + (name.isEmpty() ? "" : "/" + name) + suffix;
    }

    private String path(String name) {
        return "/api/v1/clusters/" + namespace + "/" + name;
    }

    private static void field(Answer answer, String field) {
        field(answer, 400, "InvalidField", field);
    }

    private static void field(Answer answer, int status, String code, String field) {
        problem(answer, status, code);
        assertThat(answer.json().path("field").asText()).isEqualTo(field);
    }

    private static void problem(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.json().path("code").asText()).isEqualTo(code);
        assertThat(answer.json().path("remedy").asText()).isNotEmpty();
    }
}
