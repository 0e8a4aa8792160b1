package dev.slipway.workitem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.ControlPlane;
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
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

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
                        org.assertj.core.api.Assertions.tuple("Release " + scene.target + "/web", Fate.DELETED),
                        org.assertj.core.api.Assertions.tuple("ConfigMap " + scene.target + "/web", Fate.DELETED));
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
