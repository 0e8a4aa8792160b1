package dev.slipway.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.controlplane.Pki;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

/** The simulated provider against a real API server, with certificates made by hand. */
class SimulatedProviderIT {

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
        namespace = management.newNamespace("provider");
        api.applyYaml(resource("sandbox/cluster-class.yaml"), namespace);
        provider = SimulatedProvider.start(management, SimulatedProvider.Options.forTests(namespace));
    }

    @AfterEach
    void stopTheProvider() {
        for (ObjectNode cluster : api.list(clusters())) {
            api.delete(clusters() + "/" + cluster.path("metadata").path("name").asText());
        }
        await().until(() -> api.list(clusters()).isEmpty());
        provider.close();
    }

    @Test
    void bringsATopologyClusterToAvailableAndDeletesItWithAllItsParts() throws Exception {
        // given
        certificates("topo", true);

        // when
        topology("topo", "");

        // then
        awaitCondition("topo", "Available", "True");
        ObjectNode cluster = cluster("topo");
        assertThat(cluster.path("status").path("phase").asText()).isEqualTo("Provisioned");
        assertThat(cluster.path("status").path("workers").path("readyReplicas").asInt())
                .isEqualTo(2);
        assertThat(nodes("topo")).hasSize(3).allMatch(SimulatedProviderIT::ready);
        assertThat(api.list(core("machines")))
                .hasSize(3)
                .allMatch(machine -> machine.path("status").has("nodeRef"))
                .allMatch(machine ->
                        "Running".equals(machine.path("status").path("phase").asText()));
        assertThat(owners("topo-ca")).containsExactly("KubeadmControlPlane");

        // when
        api.delete(clusters() + "/topo");

        // then
        await().until(() -> api.list(clusters()).isEmpty());
        assertThat(api.list(core("machines"))).isEmpty();
        assertThat(api.list(core("machinedeployments"))).isEmpty();
        assertThat(api.get(Capi.secrets(namespace) + "/topo-ca")).isEmpty();
    }

    @Test
    void bringsAPlainClusterToAvailableAndScalesIt() throws Exception {
        // given
        certificates("plain", true);

        // when
        api.applyYaml(resource("sandbox/plain-cluster.yaml"), namespace);

        // then
        awaitCondition("plain", "Available", "True");
        assertThat(nodes("plain")).hasSize(2);

        // when
        api.merge(core("machinedeployments") + "/plain-md-0", "{\"spec\":{\"replicas\":3}}");

        // then
        await().until(() -> nodes("plain").size() == 4);
        api.merge(core("machinedeployments") + "/plain-md-0", "{\"spec\":{\"replicas\":0}}");
        await().until(() -> nodes("plain").size() == 1);
    }

    @Test
    void waitsForACertificateWithoutTheClustersLabelAndNeverSaysWhy() {
        // given
        certificates("hidden", false);

        // when
        topology("hidden", "");

        // then
        await().untilAsserted(() -> assertThat(condition(controlPlane("hidden"), "CertificatesAvailable"))
                .isEqualTo("Unknown InternalError"));

        // when
        for (String purpose : List.of("ca", "etcd", "proxy", "sa")) {
            api.merge(
                    Capi.secrets(namespace) + "/hidden-" + purpose,
                    "{\"metadata\":{\"labels\":{\"cluster.x-k8s.io/cluster-name\":\"hidden\"}}}");
        }

        // then
        awaitCondition("hidden", "Available", "True");
    }

    @Test
    void neverInitializesAControlPlaneThatShallFailUntilTheAnnotationIsGone() {
        // given
        certificates("stuck", true);

        // when
        topology("stuck", "control-plane");

        // then
        await().until(() -> api.list(core("machines")).stream().anyMatch(m -> "Provisioned"
                .equals(m.path("status").path("phase").asText())));
        await().untilAsserted(() -> assertThat(condition(cluster("stuck"), "ControlPlaneInitialized"))
                .isEqualTo("False NotInitialized"));
        assertThat(connects("stuck")).isTrue();

        // when
        heal("stuck");

        // then
        awaitCondition("stuck", "Available", "True");
    }

    @Test
    void keepsWorkersThatShallNotGoUntilTheAnnotationIsGone() {
        // given
        certificates("kept", true);
        topology("kept", "deletion");
        awaitCondition("kept", "Available", "True");

        // when
        api.delete(clusters() + "/kept");

        // then
        await().until(() ->
                api.list(core("machines")).stream().filter(Capi::deleting).count() == 2);
        await().untilAsserted(() ->
                assertThat(condition(cluster("kept"), "Deleting")).isEqualTo("True WaitingForWorkersDeletion"));

        // when
        api.merge(clusters() + "/kept", "{\"metadata\":{\"annotations\":{\"sandbox.slipway.dev/fail-at\":null}}}");

        // then
        await().until(() -> api.list(clusters()).isEmpty());
        assertThat(api.list(core("machines"))).isEmpty();
    }

    @Test
    void neverProvisionsInfrastructureThatShallFail() {
        // when
        topology("nowhere", "infrastructure");

        // then
        await().untilAsserted(() ->
                assertThat(condition(cluster("nowhere"), "InfrastructureReady")).isEqualTo("False NotReady"));
        assertThat(cluster("nowhere").path("spec").has("controlPlaneEndpoint")).isFalse();

        // when
        heal("nowhere");

        // then
        awaitCondition("nowhere", "InfrastructureReady", "True");
    }

    @Test
    void letsNoWorkerJoinWhenWorkersShallFail() {
        // given
        certificates("lonely", true);

        // when
        topology("lonely", "workers");

        // then
        awaitCondition("lonely", "ControlPlaneAvailable", "True");
        await().until(() -> api.list(core("machines")).stream()
                        .filter(m -> "Provisioned"
                                .equals(m.path("status").path("phase").asText()))
                        .count()
                == 2);
        assertThat(condition(cluster("lonely"), "WorkersAvailable")).isEqualTo("False NotAvailable");

        // when
        heal("lonely");

        // then
        awaitCondition("lonely", "Available", "True");
    }

    @Test
    void reportsABlackHoleAsInitializedWhileItsEndpointNeverAnswers() throws Exception {
        // given
        certificates("hole", true);

        // when
        topology("hole", "black-hole");

        // then
        awaitCondition("hole", "ControlPlaneInitialized", "True");
        await().untilAsserted(() ->
                assertThat(condition(cluster("hole"), "RemoteConnectionProbe")).isEqualTo("False ProbeFailed"));
        assertThat(connects("hole")).isTrue();

        // when
        heal("hole");

        // then
        awaitCondition("hole", "Available", "True");
        assertThat(nodes("hole")).hasSize(3);
    }

    @Test
    void carriesOnWithWhatItFindsAfterARestart() throws Exception {
        // given
        certificates("again", true);
        topology("again", "");
        awaitCondition("again", "Available", "True");
        List<ObjectNode> machines = api.list(core("machines"));

        // when
        provider.close();
        provider = SimulatedProvider.start(management, SimulatedProvider.Options.forTests(namespace));

        // then
        await().ignoreExceptions().until(() -> nodes("again").size() == 3);
        assertThat(api.list(core("machines"))).hasSameSizeAs(machines);
    }

    private void topology(String name, String failAt) {
        String annotations = failAt.isEmpty() ? "{}" : "{sandbox.slipway.dev/fail-at: " + failAt + "}";
        api.applyYaml(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: %s, annotations: %s}
                spec:
                  clusterNetwork: {services: {cidrBlocks: [10.128.0.0/12]}, pods: {cidrBlocks: [192.168.0.0/16]}}
                  topology:
                    classRef: {name: sandbox}
                    version: v1.36.3
                    controlPlane: {replicas: 1}
                    workers: {machineDeployments: [{class: default-worker, name: md-0, replicas: 2}]}
                """
                        .formatted(name, annotations),
                namespace);
    }

    private void certificates(String cluster, boolean labelled) {
        for (String purpose : List.of("ca", "etcd", "proxy", "sa")) {
            Pki.Pem pem = "sa".equals(purpose) ? Pki.keyPair() : Pki.authority(cluster + "-" + purpose);
            ObjectNode secret = Capi.object("v1", "Secret", namespace, cluster + "-" + purpose);
            secret.put("type", "cluster.x-k8s.io/secret");
            secret.putObject("stringData").put("tls.crt", pem.certificate()).put("tls.key", pem.key());
            if (labelled) {
                Capi.label(secret, Capi.CLUSTER_NAME, cluster);
            }
            api.create(Capi.secrets(namespace), secret);
        }
    }

    private void heal(String cluster) {
        api.merge(
                clusters() + "/" + cluster, "{\"metadata\":{\"annotations\":{\"sandbox.slipway.dev/fail-at\":null}}}");
    }

    private void awaitCondition(String cluster, String type, String status) {
        await().untilAsserted(
                        () -> assertThat(condition(cluster(cluster), type)).startsWith(status + " "));
    }

    private static String condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (type.equals(condition.path("type").asText())) {
                return condition.path("status").asText() + " "
                        + condition.path("reason").asText();
            }
        }
        return "absent";
    }

    private ObjectNode cluster(String name) {
        return api.get(clusters() + "/" + name).orElseThrow();
    }

    private ObjectNode controlPlane(String cluster) {
        return new Capi(api)
                .resolve(namespace, cluster(cluster).path("spec").path("controlPlaneRef"))
                .orElseThrow(() -> new AssertionError("No control plane yet"));
    }

    private List<V1Node> nodes(String cluster) throws Exception {
        ObjectNode secret =
                api.get(Capi.secrets(namespace) + "/" + cluster + "-kubeconfig").orElseThrow();
        String kubeconfig = new String(
                Base64.getDecoder().decode(secret.path("data").path("value").asText()), StandardCharsets.UTF_8);
        var client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig)))
                .build();
        return new CoreV1Api(client).listNode().execute().getItems();
    }

    private static boolean ready(V1Node node) {
        return node.getStatus().getConditions().stream()
                .anyMatch(condition -> "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    private boolean connects(String cluster) {
        JsonNode endpoint = cluster(cluster).path("spec").path("controlPlaneEndpoint");
        try (Socket socket =
                new Socket(endpoint.path("host").asText(), endpoint.path("port").asInt())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private List<String> owners(String secret) {
        return api.get(Capi.secrets(namespace) + "/" + secret)
                .orElseThrow()
                .path("metadata")
                .path("ownerReferences")
                .findValuesAsText("kind");
    }

    private String core(String plural) {
        return Capi.core(namespace, plural);
    }

    private String clusters() {
        return core("clusters");
    }

    private static String resource(String path) {
        try {
            return new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
