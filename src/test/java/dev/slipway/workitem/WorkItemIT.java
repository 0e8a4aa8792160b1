package dev.slipway.workitem;

import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.subresource;
import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.Rest;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.faults.Rule;
import dev.slipway.helm.ChartRepository;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.phase.ClusterRef;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import dev.slipway.receipt.ReceiptBook;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Charts and manifests on a workload cluster, from the resource to the receipt. */
class WorkItemIT extends WholeApplication {

    private static final Map<String, String> CHART = Map.of(
            "values.yaml",
            "greeting: hello\n",
            "templates/config.yaml",
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: {{ .Release.Name }}
            data:
              greeting: {{ .Values.greeting | quote }}
            """);

    private static ChartRepository repository;

    private final ItemScene scene = ItemScene.open(
            management(), ControlPlane.shared(), ControlPlane.shared().adminKubeconfig());

    private final Flows flows;
    private final ReceiptBook receipts;

    @Autowired
    WorkItemIT(Flows flows, ReceiptBook receipts) {
        this.flows = flows;
        this.receipts = receipts;
    }

    @BeforeAll
    static void openTheRepository() throws Exception {
        repository = ChartRepository.open().with("web", "1.0.0", CHART).with("web", "1.1.0", CHART);
    }

    @AfterAll
    static void closeTheRepository() {
        repository.close();
    }

    @AfterEach
    void clearFaults() {
        faults().clear();
    }

    @Test
    void aChartFromAnHttpsRepositoryIsInstalledUpgradedAndRemovedWithoutATrace() {
        // given
        ObjectNode item = scene.chartItem("web", repository, "1.0.0", ", \"values\": {\"greeting\": \"servus\"}");

        // when
        awaitEnd(item, Flows.ITEM_INSTALL, 1);

        // then
        assertThat(greeting("web")).isEqualTo("servus");

        // when
        scene.patch("web", "{\"spec\": {\"chart\": {\"version\": \"1.1.0\"}, \"values\": {\"greeting\": \"moin\"}}}");
        awaitEnd(item, Flows.ITEM_INSTALL, 2);

        // then
        assertThat(greeting("web")).isEqualTo("moin");

        // when
        scene.delete("web");
        scene.awaitGone("web");

        // then
        assertThat(scene.installed("web")).isEmpty();
        assertThat(scene.releaseRecord("web")).isEmpty();
        FlowView flow = awaitEnd(item, Flows.ITEM_DELETE, 1);
        assertThat(flow.result()).isEqualTo("Deleted");
        assertThat(receipts.entries(flow.id()))
                .extracting(Entry::what, Entry::fate)
                .containsExactlyInAnyOrder(
                        tuple("Release " + scene.target + "/web", Fate.DELETED),
                        tuple("ConfigMap " + scene.target + "/web", Fate.DELETED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Failed", "Zombie", ""})
    @Tag("T07")
    @Tag("T08")
    void aRemovalEndsWhateverPhaseIsReadBackFromTheStatus(String lie) {
        // given
        ObjectNode item = scene.manifestItem("lied", "");
        awaitEnd(item, Flows.ITEM_INSTALL, 1);
        Rule reads = faults().on(verb("get"), resource("workitems"), namespace(scene.namespace))
                .rewrite(object -> lying(object, lie));
        Rule writes = faults().on(verb("patch"), subresource("status"), namespace(scene.namespace))
                .rewrite(object -> lying(object, lie));

        // when
        scene.delete("lied");
        scene.awaitGone("lied");

        // then
        assertThat(scene.installed("lied")).isEmpty();
        assertThat(awaitEnd(item, Flows.ITEM_DELETE, 1).result()).isEqualTo("Deleted");
        assertThat(reads.injected()).isPositive();
        assertThat(writes.injected()).isPositive();
    }

    @Test
    void aWorkItemWaitsForWhatItDependsOnAndIsRemovedBeforeIt() {
        // given
        ObjectNode second = scene.manifestItem("second", ", \"dependsOn\": [\"first\"]");
        ObjectNode waiting = scene.awaitItem(
                "second", item -> item.at("/status/flow/reason").asText().equals("WaitingForDependency"));
        assertThat(waiting.at("/status/flow/message").asText()).contains("first of cluster prod does not exist");

        // when
        ObjectNode first = scene.manifestItem("first", "");
        awaitEnd(second, Flows.ITEM_INSTALL, 1);

        // then
        assertThat(scene.installed("first")).isPresent();
        assertThat(scene.awaitPhase("second", "Installed").at("/status/ready").asBoolean())
                .isTrue();

        // when
        scene.delete("first");
        scene.delete("second");
        scene.awaitGone("first");

        // then
        assertThat(scene.item("second")).isEmpty();
        assertThat(awaitEnd(second, Flows.ITEM_DELETE, 1).endedAt())
                .isBeforeOrEqualTo(awaitEnd(first, Flows.ITEM_DELETE, 1).endedAt());
    }

    @Test
    void whatSomebodyTakesAwayIsInstalledAgain() {
        // given
        ObjectNode item = scene.manifestItem("drifting", "");
        awaitEnd(item, Flows.ITEM_INSTALL, 1);

        // when
        scene.remove("drifting");

        // then
        await().atMost(Duration.ofSeconds(40))
                .until(() -> scene.installed("drifting").isPresent());
        await().until(() -> scene.events("drifting").contains("Drifted"));
    }

    @Test
    void aRemovalFromAClusterThatDoesNotAnswerWaitsUntilItMaySkipIt() {
        // given
        ObjectNode item = scene.manifestItem("far", "");
        awaitEnd(item, Flows.ITEM_INSTALL, 1);
        scene.replaceKubeconfig(ItemScene.nowhere());

        // when
        scene.delete("far");
        scene.awaitItem("far", stuck -> stuck.at("/status/flow/reason").asText().equals("ApiUnreachable"));
        scene.patch("far", "{\"metadata\": {\"annotations\": {\"slipway.dev/skip-remote\": \"the site burnt down\"}}}");
        scene.awaitGone("far");

        // then
        FlowView flow = awaitEnd(item, Flows.ITEM_DELETE, 1);
        assertThat(receipts.entries(flow.id())).singleElement().satisfies(entry -> {
            assertThat(entry.fate()).isEqualTo(Fate.SKIPPED);
            assertThat(entry.why()).contains("the site burnt down");
        });
        assertThat(scene.installed("far")).isPresent();
    }

    @Test
    void aRemovalEndsWhenTheClusterIsGone() {
        // given
        ObjectNode item = scene.manifestItem("orphan", "");
        awaitEnd(item, Flows.ITEM_INSTALL, 1);

        // when
        scene.deleteCluster();
        scene.delete("orphan");
        scene.awaitGone("orphan");

        // then
        FlowView flow = awaitEnd(item, Flows.ITEM_DELETE, 1);
        assertThat(receipts.entries(flow.id())).extracting(Entry::fate).containsExactly(Fate.GONE);
    }

    @Test
    void aDryRunShowsThePlanAndMakesNothingUntilItIsTurnedOff() {
        // given
        ObjectNode item = scene.manifestItem("planned", ", \"dryRun\": true");

        // when
        ObjectNode planned = scene.awaitPhase("planned", "Planned");

        // then
        assertThat(ItemScene.condition(planned, "Planned").path("message").asText())
                .contains("add ConfigMap " + scene.target + "/planned");
        assertThat(scene.installed("planned")).isEmpty();

        // when
        scene.patch("planned", "{\"spec\": {\"dryRun\": false}}");
        awaitEnd(item, Flows.ITEM_INSTALL, 2);

        // then
        assertThat(scene.installed("planned")).isPresent();
    }

    @Test
    void whatOperatorsDecideAboutAWorkItemIsDecidedByRest(@LocalServerPort int port) {
        // given
        Rest rest = new Rest(port, "admin", PASSWORD);
        scene.manifestItem("stopped", ", \"paused\": true");
        scene.awaitPhase("stopped", "Paused");
        String path = "/api/v1/work-items/" + scene.namespace + "/stopped";

        // then
        assertThat(rest.get("/api/v1/work-items?namespace=" + scene.namespace + "&cluster=prod")
                        .json()
                        .at("/items/0/flows/0/phases/0/reason")
                        .asText())
                .isEqualTo("Paused");

        // when
        Rest.Answer aborted = rest.post(path + "/decisions", "{\"choice\": \"ABORT\", \"reason\": \"not today\"}");
        scene.awaitPhase("stopped", "Failed");

        // then
        assertThat(aborted.status()).isEqualTo(200);
        JsonNode decided = rest.get(path + "/decisions").json().at("/items/0");
        assertThat(decided.path("choice").asText()).isEqualTo("ABORT");
        assertThat(decided.path("by").asText()).isEqualTo("admin");
        assertThat(rest.post(path + "/flows", "{\"flow\": \"work-item-delete\"}")
                        .status())
                .isEqualTo(400);

        // when
        Rest.Answer started = rest.post(path + "/flows", "{\"flow\": \"work-item-install\"}");

        // then
        assertThat(started.status()).isEqualTo(201);
        assertThat(rest.get(path).json().at("/flows/0/startedBy").asText()).isEqualTo("admin");
        assertThat(rest.get(path + "x").status()).isEqualTo(404);
    }

    private static ObjectNode lying(ObjectNode object, String lie) {
        if (object.path("kind").asText().equals("WorkItem")) {
            if (lie.isEmpty()) {
                object.remove("status");
            } else {
                object.withObject("/status").put("phase", lie);
            }
        }
        return object;
    }

    private String greeting(String name) {
        return scene.installed(name).orElseThrow().at("/data/greeting").asText();
    }

    /** The latest flow of that kind, once it has ended; for an installation, that of this generation. */
    private FlowView awaitEnd(ObjectNode item, String kind, long generation) {
        ClusterRef ref = ref(item);
        return await(kind)
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> flows.latest(ref.uid()).stream()
                                .filter(flow -> flow.kind().equals(kind))
                                .findFirst(),
                        flow -> flow.filter(found -> found.endedAt() != null).isPresent()
                                && (!kind.equals(Flows.ITEM_INSTALL)
                                        || flows.hasFired(ref.uid() + "/install/" + generation)))
                .orElseThrow();
    }

    private static ClusterRef ref(ObjectNode item) {
        return new ClusterRef(
                item.at("/metadata/namespace").asText(),
                item.at("/metadata/name").asText(),
                item.at("/metadata/uid").asText());
    }
}
