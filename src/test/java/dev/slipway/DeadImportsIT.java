package dev.slipway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.controlplane.Kubeconfig;
import dev.slipway.controlplane.Pki;
import dev.slipway.faults.TlsFronts;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Imports of which some never get an answer: the others do not notice. */
class DeadImportsIT extends ImportCase {

    private static final int LIVING = 20;
    private static final int DEAD = 10;
    private static final Duration DELAY = Duration.ofMillis(50);
    private static final String CALL_PHASE = "EnsureControlPlaneReachable";

    private final Pki.Pem authority = Pki.authority("fleet");
    private final Pki.Pem admin = Pki.client(authority, "admin", "");

    @Test
    @Tag("T36")
    @Tag("T35")
    void allThatLiveAreImportedWhileTheDeadOnesStillWaitAndSayForWhat() throws IOException {
        // given
        try (ControlPlane workload = ControlPlane.builder()
                        .etcd(management().etcd())
                        .controllers(true)
                        .start();
                TlsFronts fronts = TlsFronts.before(workload);
                ServerSocket silent = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress())) {
            readyNode(workload.json());
            List<String> living = new ArrayList<>();
            List<String> dead = new ArrayList<>();

            // when: one dead one after two living ones
            for (int i = 0; i < LIVING + DEAD; i++) {
                if (i % 3 == 0) {
                    dead.add(cluster("dead-" + i, silent.getLocalPort()));
                } else {
                    String identity = UUID.randomUUID().toString();
                    living.add(cluster(
                            "alive-" + i,
                            fronts.open(authority, identity, DELAY).port()));
                }
            }

            // then
            await("all that live are imported").atMost(PATIENCE).until(() -> living.stream()
                    .allMatch(uid -> latestImport(uid)
                            .filter(flow -> flow.state() == FlowState.COMPLETED)
                            .isPresent()));
            assertThat(living)
                    .extracting(uid -> latestImport(uid).orElseThrow().result())
                    .containsOnly("Imported");
            await("all that are dead say so").atMost(PATIENCE).untilAsserted(() -> assertThat(dead)
                    .allSatisfy(uid -> assertWaits(uid, silent.getLocalPort())));
        }
    }

    private void assertWaits(String uid, int port) {
        FlowView flow = latestImport(uid).orElseThrow();
        assertThat(flow.state()).isEqualTo(FlowState.RUNNING);
        PhaseView phase = flow.phases().stream()
                .filter(view -> view.name().equals(CALL_PHASE))
                .findFirst()
                .orElseThrow();
        assertThat(phase.reason()).isEqualTo("ApiTimeout");
        assertThat(phase.message()).contains("127.0.0.1:" + port);
        assertThat(phase.nextCheck()).isNotNull();
    }

    /** A Cluster that somebody else built, with its kubeconfig; its UID. */
    private String cluster(String name, int port) {
        secret(name + "-kubeconfig", Kubeconfig.of(name, "https://127.0.0.1:" + port, authority.certificate(), admin));
        JsonNode made = api.applyYaml(
                        """
                        apiVersion: cluster.x-k8s.io/v1beta2
                        kind: Cluster
                        metadata: {name: %s}
                        spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: %d}}
                        """
                                .formatted(name, port),
                        namespace)
                .get(0);
        return uid(made);
    }

    /** All of them have the same nodes: this one. */
    private static void readyNode(JsonApi workload) {
        workload.create("/api/v1/nodes", JsonApi.parse("{\"metadata\": {\"name\": \"node-1\"}}"));
        workload.merge(
                "/api/v1/nodes/node-1/status",
                "{\"status\": {\"conditions\": [{\"type\": \"Ready\", \"status\": \"True\"}]}}");
    }
}
