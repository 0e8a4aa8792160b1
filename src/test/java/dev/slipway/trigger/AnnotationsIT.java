package dev.slipway.trigger;

import static dev.slipway.faults.Calls.name;
import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.subresource;
import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.Rest;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.faults.Rule;
import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** What people ask for with {@code kubectl annotate}, from the annotation to the Event that answers. */
class AnnotationsIT extends WholeApplication {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String RETRY = "slipway.dev/retry";
    private static final String PAUSED = "slipway.dev/paused";

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("annotate");
    private final Flows flows;
    private final Decisions decisions;
    private Rest rest;

    @Autowired
    AnnotationsIT(Flows flows, Decisions decisions) {
        this.flows = flows;
        this.decisions = decisions;
    }

    @BeforeEach
    void signIn(@LocalServerPort int port) {
        rest = new Rest(port, "admin", PASSWORD);
    }

    @AfterEach
    void clearFaults() {
        faults().clear();
    }

    @Test
    void aRetryStartsThePhaseAnewIsTakenOffAndAnswered() {
        // given
        String uid = blocked("again");
        String run = current(uid).run();

        // when
        annotate("again", RETRY, "\"the class is there now\"");

        // then
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(event("again", "Retried")).get().satisfies(event -> assertThat(
                                event.path("message").asText())
                        .startsWith("kubernetes (")
                        .endsWith(") asked for a retry: Admit starts anew")));
        await().atMost(PATIENCE).until(() -> annotation("again", RETRY).isEmpty());
        assertThat(current(uid).run()).isNotEqualTo(run);
        assertThat(decisions.ofCluster(uid)).singleElement().satisfies(decision -> {
            assertThat(decision.wish().choice()).isEqualTo(Choice.RETRY);
            assertThat(decision.wish().reason()).contains(RETRY, "the class is there now");
            assertThat(decision.by()).startsWith("kubernetes (");
        });
        assertThat(rest.get("/api/v1/audit?action=DECIDE&namespace=" + namespace + "&cluster=again")
                        .json()
                        .path("items"))
                .singleElement()
                .satisfies(deed -> assertThat(deed.path("via").asText()).isEqualTo("annotation"));
    }

    @Test
    void aRetryThatCannotBeTakenOffForAWhileIsStillDecidedOnce() {
        // given
        String uid = blocked("once");
        Rule refusals = faults().on(
                        verb("patch"),
                        resource("workloadclusters"),
                        name("once"),
                        namespace(namespace),
                        subresource(""))
                .times(2)
                .serverError(500);

        // when
        annotate("once", RETRY, "\"x\"");

        // then
        await().atMost(PATIENCE).until(() -> annotation("once", RETRY).isEmpty());
        assertThat(refusals.injected()).isEqualTo(2);
        assertThat(decisions.ofCluster(uid)).hasSize(1);
        assertThat(event("once", "Retried").orElseThrow().path("count").asInt()).isEqualTo(1);
    }

    @Test
    void aRetryStartsAnAbortedFlowAgain() {
        // given
        String uid = blocked("ended");
        String flow = flows.active(uid).get(0).id();
        decisions.decide(String.valueOf(current(uid).run()), Decision.Wish.of(Choice.ABORT, "too early"), "ada");
        await().atMost(PATIENCE).until(() -> flows.active(uid).isEmpty());

        // when
        annotate("ended", RETRY, "\"now\"");

        // then
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(flows.active(uid)).singleElement().satisfies(started -> {
                            assertThat(started.id()).isNotEqualTo(flow);
                            assertThat(started.startedBy()).startsWith("kubernetes (");
                        }));
        await().atMost(PATIENCE).until(() -> annotation("ended", RETRY).isEmpty());
    }

    @Test
    void whereNothingCanBeRetriedTheAnswerSaysWhy() {
        // given
        String uid = blocked("held");
        annotate("held", PAUSED, "\"true\"");
        awaitState(uid, PhaseState.PAUSED);

        // when
        annotate("held", RETRY, "\"x\"");

        // then
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(event("held", "RetryRefused")).get().satisfies(event -> {
                            assertThat(event.path("type").asText()).isEqualTo("Warning");
                            assertThat(event.path("message").asText()).contains(PAUSED, "Take that one off");
                        }));
        assertThat(current(uid).state()).isEqualTo(PhaseState.PAUSED);
    }

    @Test
    void aPauseHoldsWhileItStandsAndEndsWhenItIsTakenOff() {
        // given
        String uid = blocked("night");

        // when
        annotate("night", PAUSED, "\"true\"");

        // then
        awaitState(uid, PhaseState.PAUSED);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                        object("night").at("/status/flow/message").asText())
                .startsWith("by kubernetes (")
                .endsWith("the annotation slipway.dev/paused stands"));

        // when
        annotate("night", PAUSED, "null");

        // then
        awaitState(uid, PhaseState.BLOCKED);
        assertThat(decisions.ofCluster(uid))
                .extracting(decision -> decision.wish().choice())
                .containsExactly(Choice.RESUME, Choice.PAUSE);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(event("night", "Resumed"))
                .get()
                .satisfies(event -> assertThat(event.path("message").asText()).endsWith("is gone: Admit starts anew")));
    }

    @Test
    void whoResumesByOtherMeansTakesThePauseBack() {
        // given
        String uid = blocked("taken");
        annotate("taken", PAUSED, "\"true\"");
        awaitState(uid, PhaseState.PAUSED);

        // when
        decisions.decide(String.valueOf(current(uid).run()), Decision.Wish.of(Choice.RESUME, "morning"), "ada");

        // then
        await().atMost(PATIENCE).until(() -> annotation("taken", PAUSED).isEmpty());
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(event("taken", "PauseOver"))
                .get()
                .satisfies(event -> assertThat(event.path("message").asText()).startsWith("ada decided RESUME at ")));
        awaitState(uid, PhaseState.BLOCKED);
    }

    @Test
    void whatAPersonPausedStaysPausedWhenTheAnnotationGoes() {
        // given
        String uid = blocked("person");
        decisions.decide(String.valueOf(current(uid).run()), Decision.Wish.of(Choice.PAUSE, "mine"), "ada");
        annotate("person", PAUSED, "\"true\"");
        annotate("person", RETRY, "\"so that the pause has been looked at\"");
        await().atMost(PATIENCE).until(() -> event("person", "RetryRefused").isPresent());

        // when
        annotate("person", PAUSED, "null");
        annotate("person", PAUSED, "\"banana\"");

        // then: the looks come one after the other, so the first is over when the second is answered
        await().atMost(PATIENCE)
                .until(() -> event("person", "AnnotationInvalid").isPresent());
        assertThat(current(uid).state()).isEqualTo(PhaseState.PAUSED);
        assertThat(decisions.ofCluster(uid)).hasSize(1);
    }

    @Test
    void aValueThatIsNoneIsAnsweredWithThoseThatAre() {
        // given
        String uid = blocked("odd");

        // when
        annotate("odd", PAUSED, "\"banana\"");

        // then
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(event("odd", "AnnotationInvalid"))
                .get()
                .satisfies(event -> assertThat(event.path("message").asText())
                        .contains("slipway.dev/paused: \"banana\"", "\"true\"", "\"false\"")));
        assertThat(current(uid).state()).isEqualTo(PhaseState.BLOCKED);
        assertThat(decisions.ofCluster(uid)).isEmpty();
    }

    @Test
    void aWorkItemListensToo() {
        // given
        String uid = api.create(
                        items(""),
                        JsonApi.parse(
                                "{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkItem\","
                                        + " \"metadata\": {\"name\": \"web\"}, \"spec\": {\"clusterRef\": {\"name\": \"nowhere\"},"
                                        + " \"manifests\": {\"inline\": \"apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: x}\"}}}"))
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
        await().atMost(PATIENCE).until(() -> !phases(uid).isEmpty());

        // when
        api.merge(items("/web"), annotations(PAUSED, "\"true\""));

        // then
        awaitState(uid, PhaseState.PAUSED);

        // when
        api.merge(items("/web"), annotations(PAUSED, "null"));

        // then
        await().atMost(PATIENCE).until(() -> current(uid).state() != PhaseState.PAUSED);
    }

    private String blocked(String cluster) {
        String uid = api.create(
                        clusters(""),
                        JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                + " \"metadata\": {\"name\": \"" + cluster + "\"}, \"spec\": {\"version\": \"v1.36.3\","
                                + " \"topology\": {\"class\": \"no-such-class\"}}}"))
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
        awaitState(uid, PhaseState.BLOCKED);
        return uid;
    }

    private void awaitState(String uid, PhaseState state) {
        await("the phase is " + state).atMost(PATIENCE).until(() -> phases(uid).stream()
                .anyMatch(phase -> phase.state() == state));
    }

    /** Where the flow stands. */
    private PhaseView current(String uid) {
        return phases(uid).get(0);
    }

    private List<PhaseView> phases(String uid) {
        return flows.active(uid).stream()
                .filter(flow -> flow.state() == FlowState.RUNNING)
                .map(FlowView::phases)
                .flatMap(List::stream)
                .filter(phase -> !phase.choices().isEmpty())
                .toList();
    }

    private void annotate(String cluster, String annotation, String json) {
        api.merge(clusters("/" + cluster), annotations(annotation, json));
    }

    private static String annotations(String annotation, String json) {
        return "{\"metadata\": {\"annotations\": {\"" + annotation + "\": " + json + "}}}";
    }

    private Optional<String> annotation(String cluster, String annotation) {
        JsonNode value = object(cluster).path("metadata").path("annotations").path(annotation);
        return value.isMissingNode() ? Optional.empty() : Optional.of(value.asText());
    }

    private Optional<JsonNode> event(String cluster, String reason) {
        return api.list("/api/v1/namespaces/" + namespace + "/events").stream()
                .filter(event -> event.at("/involvedObject/name").asText().equals(cluster)
                        && event.path("reason").asText().equals(reason))
                .map(JsonNode.class::cast)
                .findFirst();
    }

    private JsonNode object(String cluster) {
        return api.get(clusters("/" + cluster)).orElseThrow();
    }

    private String clusters(String suffix) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters" + suffix;
    }

    private String items(String suffix) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workitems" + suffix;
    }
}
