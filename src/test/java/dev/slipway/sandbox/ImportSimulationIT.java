package dev.slipway.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

/** What the simulated provider plays of the world that an import meets. */
class ImportSimulationIT {

    private static final String SENTRY =
            """
            apiVersion: v1
            kind: Namespace
            metadata: {name: cpaas-system}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: sentry, namespace: cpaas-system}
            """;

    private final ControlPlane management = ControlPlane.shared();
    private final JsonApi api = management.json();
    private String namespace;
    private SimulatedProvider provider;

    @BeforeAll
    static void waitLongEnoughForABusyMachine() {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(3));
    }

    @BeforeEach
    void startTheProvider() {
        namespace = management.newNamespace("import-world");
        provider = SimulatedProvider.start(management, SimulatedProvider.Options.forTests(namespace));
    }

    @AfterEach
    void stopTheProvider() {
        api.delete(Capi.core(namespace, "clusters") + "/plain");
        await().until(() -> api.list(Capi.core(namespace, "clusters")).isEmpty());
        provider.close();
    }

    @Test
    void nodesAreNotReadyUntilTheSentryExistsWhereTheNetworkComesWithTheImport() {
        // when
        plainCluster("annotations: {sandbox.slipway.dev/network: import}");

        // then
        await().untilAsserted(() -> {
            assertThat(machines()).hasSize(2).allSatisfy(machine -> {
                assertThat(machine.at("/status/phase").asText()).isEqualTo("Running");
                assertThat(condition(machine, "NodeHealthy")).startsWith("False NodeConditionsFailed");
            });
            assertThat(condition(read("machinedeployments/plain-md-0"), "Available"))
                    .startsWith("False");
            assertThat(condition(cluster(), "ControlPlaneInitialized")).startsWith("True");
            assertThat(condition(cluster(), "ControlPlaneAvailable")).startsWith("True");
        });
        assertThat(cluster().at("/status/phase").asText()).isEqualTo("Provisioned");
        assertThat(controlPlane().at("/status/readyReplicas").asInt()).isZero();
        assertThat(condition(infrastructure(), "Ready")).startsWith("True");
        assertThat(condition(infrastructure(), "NetworkReady")).contains("ServiceAccount \"sentry\" not found");
        assertThat(nodes()).hasSize(2).allMatch(node -> node.contains("NetworkPluginNotReady"));

        // when
        workload()
                .writer()
                .apply(ResourceType.NAMESPACES, object(JsonApi.parseYaml(SENTRY).get(0)));
        workload()
                .writer()
                .apply(
                        ResourceType.SERVICE_ACCOUNTS,
                        object(JsonApi.parseYaml(SENTRY).get(1)));

        // then
        await().untilAsserted(() -> {
            assertThat(condition(cluster(), "Available")).startsWith("True");
            assertThat(controlPlane().at("/status/readyReplicas").asInt()).isEqualTo(1);
        });
        assertThat(nodes()).allMatch(node -> node.startsWith("True"));
        assertThat(condition(infrastructure(), "NetworkReady")).startsWith("True");
    }

    @Test
    void aClusterThatNobodyDeclaredGetsItsSecretsFromTheControlPlaneProvider() {
        // when
        plainCluster("");

        // then
        await().untilAsserted(() -> assertThat(secrets()).contains("plain-kubeconfig"));
        for (String purpose : List.of("ca", "etcd", "proxy", "sa", "kubeconfig")) {
            assertThat(secret("plain-" + purpose)
                            .at("/metadata/ownerReferences")
                            .findValuesAsText("kind"))
                    .containsExactly("KubeadmControlPlane");
        }
        assertThat(workload().version()).isNotEmpty();
    }

    @Test
    void theCertificatesOfADeclaredClusterAreLeftToSlipway() {
        // when
        plainCluster(
                "ownerReferences: [{apiVersion: slipway.dev/v1alpha1, kind: WorkloadCluster, name: plain, uid: 1-2}]");

        // then
        await().untilAsserted(() ->
                assertThat(condition(controlPlane(), "CertificatesAvailable")).startsWith("False NotAvailable"));
        assertThat(secrets()).doesNotContain("plain-ca");
    }

    @Test
    void aSecretThatAsksForATokenGetsOneThatTheWorkloadClusterAccepts() {
        // given
        plainCluster("");
        await().untilAsserted(() -> assertThat(secrets()).contains("plain-kubeconfig"));
        Workload workload = workload();
        JsonApi.parseYaml(SENTRY).forEach(object -> workload.writer()
                .apply(
                        object.path("kind").asText().equals("Namespace")
                                ? ResourceType.NAMESPACES
                                : ResourceType.SERVICE_ACCOUNTS,
                        object(object)));
        KubeObject secret = KubeObject.named(ResourceType.SECRETS, "cpaas-system", "sentry-token");
        secret.json()
                .put("type", "kubernetes.io/service-account-token")
                .withObject("/metadata/annotations")
                .put("kubernetes.io/service-account.name", "sentry");

        // when
        workload.writer().create(ResourceType.SECRETS, secret);

        // then
        String token = await().until(
                        () -> workload.reader()
                                .get(ResourceType.SECRETS, "cpaas-system", "sentry-token")
                                .flatMap(stored -> stored.text("data", "token"))
                                .orElse(""),
                        text -> !text.isEmpty());
        assertThat(workload.review(new Token(decoded(token)), List.of())
                        .orElseThrow()
                        .user())
                .isEqualTo("system:serviceaccount:cpaas-system:sentry");
    }

    private void plainCluster(String metadata) {
        String yaml = resource("sandbox/plain-cluster.yaml")
                .replaceFirst("kind: Cluster\nmetadata:\n", "kind: Cluster\nmetadata:\n  " + metadata + "\n");
        api.applyYaml(yaml, namespace);
    }

    private Workload workload() {
        return RealWorkloads.clusters().open("uid", new KubeObject(secret("plain-kubeconfig")));
    }

    private List<String> nodes() {
        return workload().reader().list(ResourceType.NODES, "", Map.of()).stream()
                .map(node -> condition(node.json(), "Ready"))
                .toList();
    }

    private List<ObjectNode> machines() {
        return api.list(Capi.core(namespace, "machines"));
    }

    private ObjectNode cluster() {
        return read("clusters/plain");
    }

    private ObjectNode read(String path) {
        return api.get(Capi.core(namespace, path)).orElseThrow();
    }

    private ObjectNode controlPlane() {
        return resolved("controlPlaneRef");
    }

    private ObjectNode infrastructure() {
        return resolved("infrastructureRef");
    }

    private ObjectNode resolved(String reference) {
        return new Capi(api)
                .resolve(namespace, cluster().path("spec").path(reference))
                .orElseThrow();
    }

    private List<String> secrets() {
        return api.list(Capi.secrets(namespace)).stream().map(Capi::name).toList();
    }

    private ObjectNode secret(String name) {
        return api.get(Capi.secrets(namespace) + "/" + name).orElseThrow();
    }

    /** Status, reason and message. */
    private static String condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (type.equals(condition.path("type").asText())) {
                return condition.path("status").asText() + " "
                        + condition.path("reason").asText() + " "
                        + condition.path("message").asText();
            }
        }
        return "absent";
    }

    private static KubeObject object(ObjectNode json) {
        return new KubeObject(json);
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private static String resource(String path) {
        try {
            return new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
