package dev.slipway.status;

import static dev.slipway.kernel.FlowsInMemory.phase;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.ClusterRef;
import dev.slipway.queue.ManualWorkers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events on Clusters without a WorkloadCluster, on a real API server; time and threads are moved by hand. */
class ClusterTellingIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final KubeClient CLIENT = KubeClient.of(CONTROL_PLANE.apiClient());

    private final JsonApi api = CONTROL_PLANE.json();
    private final String namespace = CONTROL_PLANE.newNamespace("telling");
    private final FlowsInMemory flows = new FlowsInMemory();
    private final ManualWorkers workers = new ManualWorkers();
    private StatusProjector projector = projector();

    private ClusterRef cluster;

    @BeforeEach
    void aCluster() {
        String uid = api.create(
                        "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters",
                        JsonApi.parse("{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Cluster\","
                                + " \"metadata\": {\"name\": \"c1\"},"
                                + " \"spec\": {\"controlPlaneEndpoint\": {\"host\": \"h\", \"port\": 1}}}"))
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
        cluster = new ClusterRef(namespace, "c1", uid);
        flows.start("import", cluster, "slipway", null);
    }

    @Test
    void tellsThatTheImportIsStuckHasRecoveredAndHasEnded() {
        // given
        tell();

        // when
        flows.phases("flow-1", phase("EnsureIdentity", PhaseState.BLOCKED, 1, "IdentityTaken", "registered as other"));
        tell();
        flows.phases("flow-1", phase("EnsureSentry", PhaseState.WAITING, 1, "Waiting", "for the account"));
        tell();
        flows.end("flow-1", FlowState.COMPLETED, "Imported");
        tell();

        // then
        assertThat(events())
                .containsExactlyInAnyOrder(
                        "Normal FlowStarted 1",
                        "Warning IdentityTaken 1",
                        "Normal Recovered 1",
                        "Normal Imported 1",
                        "Normal Ready 1");
    }

    @Test
    void aRestartTellsNothingTwice() {
        // given
        flows.phases("flow-1", phase("EnsureIdentity", PhaseState.BLOCKED, 1, "IdentityTaken", "registered as other"));
        tell();
        workers.advance(Duration.ofMinutes(5));

        // when
        projector = projector();
        tell();

        // then
        assertThat(events()).containsExactlyInAnyOrder("Normal FlowStarted 1", "Warning IdentityTaken 1");
    }

    @Test
    void nothingIsToldOfAnotherClusterOfThatName() {
        // given
        ClusterRef old = new ClusterRef(namespace, "c1", "uid-of-the-old-one");
        flows.start("import", old, "slipway", null);

        // when
        projector.changed(old);
        workers.runDue();

        // then
        assertThat(events()).isEmpty();
    }

    private void tell() {
        projector.changed(cluster);
        workers.runDue();
    }

    private StatusProjector projector() {
        return new StatusProjector(() -> flows, CLIENT, CLIENT, workers, workers);
    }

    private List<String> events() {
        return api.list("/api/v1/namespaces/" + namespace + "/events").stream()
                .filter(event -> event.at("/involvedObject/uid").asText().equals(cluster.uid())
                        && event.at("/involvedObject/kind").asText().equals("Cluster"))
                .map(event ->
                        event.at("/type").asText() + " " + event.at("/reason").asText() + " "
                                + event.at("/count").asInt())
                .toList();
    }
}
