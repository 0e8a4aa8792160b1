package dev.slipway.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.ClusterRef;
import dev.slipway.queue.ManualWorkers;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import dev.slipway.receipt.Head;
import dev.slipway.receipt.Receipt;
import dev.slipway.receipt.ReceiptEvents.Subject;
import dev.slipway.receipt.ReceiptsInMemory;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events that tell of receipts, against a real API server. */
class ReceiptTellingIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final KubeClient CLIENT = KubeClient.of(CONTROL_PLANE.apiClient());
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    private final JsonApi api = CONTROL_PLANE.json();
    private final String namespace = CONTROL_PLANE.newNamespace("receipts");
    private final ReceiptsInMemory receipts = new ReceiptsInMemory();
    private final ReceiptTelling telling =
            new ReceiptTelling(CLIENT, new ClusterApi(CLIENT), new ClusterEvents(CLIENT, CLIENT, new ManualWorkers()));

    @Test
    void tellOnceWhatWasDeletedAndWhatStaysBehind() {
        // given
        ClusterRef cluster = create("/apis/slipway.dev/v1alpha1", "WorkloadCluster", "workloadclusters");
        note("f1", cluster, "Full", Fate.DELETED, Fate.LEFT);

        // when
        telling.announce(receipt("f1"), Subject.WORKLOAD_CLUSTER);
        telling.announce(receipt("f1"), Subject.WORKLOAD_CLUSTER);

        // then
        assertThat(events())
                .containsExactly(
                        "Warning Deleted 1: 1 deleted, 1 left behind: Secret LEFT. Receipt: GET /api/v1/receipts/f1");
    }

    @Test
    void tellOfAClusterThatIsLetGoEachTime() {
        // given
        ClusterRef cluster = create("/apis/cluster.x-k8s.io/v1beta2", "Cluster", "clusters");
        note("f1", cluster, "Detach", Fate.RELEASED);
        note("f2", cluster, "Detach", Fate.RELEASED);

        // when
        telling.announce(receipt("f1"), Subject.CLUSTER);
        telling.announce(receipt("f2"), Subject.CLUSTER);

        // then
        assertThat(events()).containsExactly("Normal Detached 2: 1 released. Receipt: GET /api/v1/receipts/f2");
    }

    @ParameterizedTest
    @EnumSource(Subject.class)
    void tellOfAnObjectThatIsGoneAndNotOfTheOneThatHasItsNameNow(Subject subject) {
        // given
        create("/apis/slipway.dev/v1alpha1", "WorkloadCluster", "workloadclusters");
        note("f1", new ClusterRef(namespace, "c1", "of-the-one-before"), "Full", Fate.DELETED);

        // when
        telling.announce(receipt("f1"), subject);

        // then
        assertThat(events()).containsExactly("Normal Deleted 1: 1 deleted. Receipt: GET /api/v1/receipts/f1");
        assertThat(api.list("/api/v1/namespaces/" + namespace + "/events"))
                .extracting(event -> event.at("/involvedObject/uid").asText())
                .containsExactly("of-the-one-before");
    }

    @Test
    void neverFail() {
        // given
        note("f1", new ClusterRef("no-such-namespace", "c1", "u1"), "Full", Fate.DELETED);

        // then
        assertThatCode(() -> telling.announce(receipt("f1"), Subject.WORKLOAD_CLUSTER))
                .doesNotThrowAnyException();
    }

    private ClusterRef create(String version, String kind, String plural) {
        String spec = kind.equals("Cluster")
                ? "{\"controlPlaneEndpoint\": {\"host\": \"10.0.0.1\", \"port\": 6443}}"
                : "{\"version\": \"v1.36.3\", \"topology\": {\"class\": \"any\"}}";
        String uid = api.create(
                        version + "/namespaces/" + namespace + "/" + plural,
                        JsonApi.parse("{\"apiVersion\": \"" + version.replace("/apis/", "") + "\", \"kind\": \"" + kind
                                + "\", \"metadata\": {\"name\": \"c1\"}, \"spec\": " + spec + "}"))
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
        return new ClusterRef(namespace, "c1", uid);
    }

    private void note(String flow, ClusterRef cluster, String mode, Fate... fates) {
        receipts.open(new Head(flow, "delete", cluster, mode, "alice", NOW));
        for (Fate fate : fates) {
            receipts.note(flow, new Entry("Secret " + fate, fate, "EnsureGone", null, NOW));
        }
    }

    private Receipt receipt(String flow) {
        return receipts.find(flow).orElseThrow();
    }

    private List<String> events() {
        return api.list("/api/v1/namespaces/" + namespace + "/events").stream()
                .map(event -> text(event, "type") + " " + text(event, "reason") + " " + text(event, "count") + ": "
                        + text(event, "message"))
                .toList();
    }

    private static String text(JsonNode event, String field) {
        return event.path(field).asText();
    }
}
