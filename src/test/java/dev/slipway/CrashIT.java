package dev.slipway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.Postgres;
import dev.slipway.sandbox.SimulatedProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slipway killed by force in the middle of init, and started again. */
class CrashIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String PHASE = "EnsureControlPlaneInitialized";

    private static ControlPlane management;
    private static SimulatedProvider provider;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startTheManagementCluster() {
        management = ControlPlane.builder()
                .etcd(ControlPlane.shared().etcd())
                .prefix("/crash")
                .start();
        management.installCrds();
        provider = SimulatedProvider.start(
                management,
                new SimulatedProvider.Options(
                        Duration.ZERO,
                        namespace -> true,
                        2,
                        line -> System.err.println("[simulated provider] " + line)));
    }

    @AfterAll
    static void stopIt() {
        provider.close();
        management.close();
    }

    @Test
    void goesOnWithH2() throws Exception {
        goesOn(List.of());
    }

    @Test
    void goesOnWithPostgres() throws Exception {
        goesOn(List.of(
                "spring.datasource.url=" + Postgres.url(),
                "spring.datasource.username=postgres",
                "spring.datasource.password="));
    }

    private void goesOn(List<String> settings) throws Exception {
        // given
        String namespace = management.newNamespace("crash");
        JsonApi api = management.json();
        Path kubeconfig = management.writeKubeconfig(folder.resolve("kubeconfig"));
        api.applyYaml(SandboxYaml.resource("sandbox/cluster-class.yaml"), namespace);
        api.applyYaml(SandboxYaml.cluster("c", "sandbox.slipway.dev/fail-at: control-plane"), namespace);
        SlipwayProcess first = SlipwayProcess.start(folder, kubeconfig, settings);
        JsonNode before = awaitPhase(first, namespace, 2);
        Map<String, String> objectsBefore = uids(api, namespace);

        // when
        first.kill();
        try (SlipwayProcess second = SlipwayProcess.start(folder, kubeconfig, settings)) {
            // then
            JsonNode after =
                    awaitPhase(second, namespace, before.path("attempt").asInt() + 1);
            assertThat(after.path("since").asText())
                    .isEqualTo(before.path("since").asText());
            assertThat(after.path("attempt").asInt())
                    .isBetween(
                            before.path("attempt").asInt(),
                            before.path("attempt").asInt() + 10);
            // The simulated provider may have made more of its own meanwhile.
            assertThat(uids(api, namespace)).containsAllEntriesOf(objectsBefore);

            // when
            String path = "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/c";
            api.merge(path, "{\"metadata\":{\"annotations\":{\"sandbox.slipway.dev/fail-at\":null}}}");

            // then
            await("Ready").atMost(PATIENCE).until(() -> "Ready"
                    .equals(api.get(path)
                            .orElseThrow()
                            .path("status")
                            .path("phase")
                            .asText()));
            assertThat(second.get("/api/v1/clusters/" + namespace + "/c")
                            .orElseThrow()
                            .path("flows"))
                    .filteredOn(flow -> flow.path("kind").asText().equals("init"))
                    .hasSize(1);
        }
    }

    private static JsonNode awaitPhase(SlipwayProcess slipway, String namespace, int attempts) {
        await(PHASE + " runs " + attempts + " times").atMost(PATIENCE).until(() -> {
            JsonNode phase = phase(slipway, namespace);
            return phase.path("state").asText().equals("WAITING")
                    && phase.path("attempt").asInt() >= attempts;
        });
        return phase(slipway, namespace);
    }

    private static JsonNode phase(SlipwayProcess slipway, String namespace) {
        for (JsonNode phase : slipway.get("/api/v1/clusters/" + namespace + "/c")
                .map(details -> details.path("flows").path(0).path("phases"))
                .orElse(MissingNode.getInstance())) {
            if (phase.path("name").asText().equals(PHASE)) {
                return phase;
            }
        }
        return MissingNode.getInstance();
    }

    /** What exists, by name and UID: nothing may be made twice or anew. */
    private static Map<String, String> uids(JsonApi api, String namespace) {
        Map<String, String> uids = new TreeMap<>();
        for (String kind : List.of(
                "/api/v1/namespaces/" + namespace + "/secrets",
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters",
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/machines")) {
            for (ObjectNode object : api.list(kind)) {
                JsonNode metadata = object.path("metadata");
                uids.put(
                        kind + "/" + metadata.path("name").asText(),
                        metadata.path("uid").asText());
            }
        }
        return uids;
    }
}
