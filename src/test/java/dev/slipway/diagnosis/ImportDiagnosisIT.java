package dev.slipway.diagnosis;

import static dev.slipway.diagnosis.DiagnosisScene.CAPI;
import static dev.slipway.diagnosis.DiagnosisScene.INFRASTRUCTURE;
import static dev.slipway.diagnosis.DiagnosisScene.conditions;
import static dev.slipway.diagnosis.DiagnosisScene.only;
import static dev.slipway.diagnosis.DiagnosisScene.signature;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.FakeKubelet;
import dev.slipway.platform.PlatformLab;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a diagnosis says of an import, in real objects of a platform. */
@ExtendWith(OutputCaptureExtension.class)
class ImportDiagnosisIT {

    private static final String PLATFORM = "/apis/platform.tkestack.io/v1/";
    private static final String NO_CNI = "container runtime network not ready: NetworkReady=false"
            + " reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";

    private final JsonApi platform = PlatformLab.plane().json();
    private final DiagnosisScene scene = DiagnosisScene.healthyOnPlatform();
    private final List<String> secrets = new ArrayList<>();

    @BeforeEach
    void createTheNamespaceOfTheSentry() {
        DiagnosisScene.workload()
                .json()
                .create("/api/v1/namespaces", JsonApi.parse("{\"metadata\":{\"name\":\"cpaas-system\"}}"));
    }

    @AfterEach
    void close() {
        platform.delete(PLATFORM + "clusters/c1");
        for (ObjectNode credential : platform.list(PLATFORM + "clustercredentials")) {
            platform.delete(PLATFORM + "clustercredentials/"
                    + credential.at("/metadata/name").asText());
        }
        scene.close();
    }

    @Test
    void thePatternOfAFailedImportIsToldWithEveryInvariantAndEveryCredential(CapturedOutput output) throws Exception {
        // given
        failedImport();
        Map<String, String> credentials = new TreeMap<>();
        for (int i = 0; i < 8; i++) {
            ObjectNode credential = credential("cc-orphan" + i, token());
            credentials.put(
                    credential.at("/metadata/name").asText(),
                    credential.at("/metadata/creationTimestamp").asText());
        }

        // when
        Diagnosis diagnosis = scene.diagnose();

        // then
        assertThat(signature(diagnosis)).isEqualTo("Import failed");
        assertThat(only(diagnosis, "clusters.platform.tkestack.io/c1"))
                .returns("PlatformClusterAbsent", Finding::code)
                .returns("invariant 1 does not hold: the platform Cluster c1 does not exist", Finding::sentence);
        assertThat(only(diagnosis, "label/capi.cpaas.io/imported").sentence()).startsWith("invariant 2 does not hold");
        assertThat(in(diagnosis, 8, "clustercredentials"))
                .returns("CredentialsTooMany", Finding::code)
                .returns(Verdict.PROBLEM, Finding::verdict);
        assertThat(only(diagnosis, "serviceaccount/sentry"))
                .returns("SentryAbsent", Finding::code)
                .returns(List.of("the import repairs it in its phase EnsureSentry"), Finding::details);
        assertThat(in(diagnosis, 7, "devcluster/c1").sentence()).contains("ServiceAccount \"sentry\" not found");
        assertThat(only(diagnosis, "kubeadmcontrolplane/c1-cp").code()).isNotEqualTo("ControlPlaneBelowQuorum");
        String shown = everythingShown(diagnosis, output);
        credentials.forEach((name, created) -> assertThat(shown).contains(name, "created " + created));
        assertThat(secrets).hasSizeGreaterThan(8).allSatisfy(secret -> assertThat(shown)
                .doesNotContain(secret));
    }

    @Test
    @Tag("T32")
    void anImportedClusterHoldsAllInvariantsAndItsCredentialIsAccepted() {
        // given
        sentry();
        credential("cc-c1", token());
        platformCluster("Running");
        scene.lab.patch(CAPI, "Cluster", "c1", "metadata: {labels: {capi.cpaas.io/imported: ''}}");
        scene.lab.patch(
                CAPI,
                "Cluster",
                "c1",
                "metadata: {annotations: {slipway.dev/collected-credentials: 'cc-old 2030-01-01T00:00:00Z'}}");

        // when
        Diagnosis diagnosis = scene.diagnose();

        // then
        assertThat(diagnosis.findings())
                .as(Page.text(diagnosis))
                .filteredOn(finding -> finding.step() >= 7)
                .hasSizeGreaterThan(6)
                .allMatch(finding -> finding.verdict() == Verdict.OK);
        assertThat(only(diagnosis, "label/capi.cpaas.io/imported").sentence())
                .isEqualTo("invariant 2 holds: present (value \"\")");
        assertThat(only(diagnosis, "collected clustercredentials").details())
                .containsExactly("cc-old 2030-01-01T00:00:00Z");
        assertThat(Page.text(diagnosis))
                .contains("cc-c1 (created ", "used by the platform Cluster, accepted by the workload cluster");
    }

    @Test
    void theKubeconfigThatAClusterNamesIsUsedInsteadOfTheConvention() {
        // given
        scene.lab.patch(
                CAPI, "Cluster", "c1", "metadata: {annotations: {slipway.dev/kubeconfig-secret: supplied-kubeconfig}}");

        // then
        assertThat(only(scene.diagnose(), "nodes").code()).isEqualTo("NoKubeconfig");

        // when
        scene.secret(
                "supplied-kubeconfig",
                "value: "
                        + scene.lab
                                .get("", "Secret", "c1-kubeconfig")
                                .text("data", "value")
                                .orElseThrow());
        scene.lab.delete("", "Secret", "c1-kubeconfig");

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(only(diagnosis, "nodes").verdict()).as(Page.text(diagnosis)).isEqualTo(Verdict.OK);
        assertThat(only(diagnosis, "serviceaccount/sentry").code()).isEqualTo("SentryAbsent");
    }

    @Test
    void aPlatformThatCannotWorkWithTheClusterIsTold() {
        // given
        sentry();
        credential("cc-c1", token());
        platformCluster("Failed");
        scene.lab.patch(CAPI, "Cluster", "c1", "metadata: {labels: {capi.cpaas.io/imported: ''}}");

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(signature(diagnosis)).isEqualTo("Platform Cluster failed");
    }

    @Test
    void aTokenThatTheWorkloadClusterRefusesIsAProblemOnceThePlatformUsesIt() {
        // given
        sentry();
        credential("cc-c1", "no-token-of-this-cluster");
        scene.lab.patch(CAPI, "Cluster", "c1", "metadata: {labels: {capi.cpaas.io/imported: ''}}");

        // then
        assertThat(only(scene.diagnose(), "clustercredential/cc-c1"))
                .returns("CredentialRefused", Finding::code)
                .returns(Verdict.WARNING, Finding::verdict);

        // when
        platformCluster("Running");

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(signature(diagnosis)).isEqualTo("Platform credential refused");
        assertThat(only(diagnosis, "clustercredential/cc-c1").sentence())
                .contains("used by the platform Cluster, refused by the workload cluster");
    }

    @Test
    void aClusterThatHasOnlyJustComeUpIsNotBlamedForWaiting() {
        // given
        scene.lab.patchStatus(
                CAPI,
                "Cluster",
                "c1",
                "initialization: {controlPlaneInitialized: true}\n"
                        + conditions("{type: ControlPlaneInitialized, status: 'True', reason: Initialized, message: '',"
                                + " lastTransitionTime: '" + java.time.Instant.now() + "'}"));

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(diagnosis.signature()).as(Page.text(diagnosis)).isNull();
        assertThat(only(diagnosis, "serviceaccount/sentry").verdict()).isEqualTo(Verdict.WARNING);
    }

    @Test
    void theProvidersLogIsSearchedWhereItIsSetWhichPodsAreThose(CapturedOutput output) throws Exception {
        // given
        String pod = "provider-" + scene.namespace();
        platform.create("/api/v1/namespaces", JsonApi.parse("{\"metadata\":{\"name\":\"cpaas-system\"}}"));
        scene.providerSelector = "app=" + pod;
        try (FakeKubelet kubelet = FakeKubelet.start(PlatformLab.plane())) {
            kubelet.run(
                    "cpaas-system",
                    pod,
                    "manager",
                    List.of(
                            "I starting",
                            "E failed to reconcile DevCluster c1: ServiceAccount \"sentry\" not found, Bearer PLANTED-0123"));

            // when
            Diagnosis diagnosis = scene.diagnose();

            // then
            assertThat(only(diagnosis, "pod/" + pod))
                    .returns("SentryNotFound", Finding::code)
                    .returns(
                            List.of("E failed to reconcile DevCluster c1: ServiceAccount \"sentry\" not found, Bearer"
                                    + " [blanked]"),
                            Finding::details);
            assertThat(everythingShown(diagnosis, output)).doesNotContain("PLANTED");
        }
    }

    /** Cluster API is content, but no node has a network, and the provider says why. */
    private void failedImport() {
        scene.lab.delete("slipway.dev", "WorkloadCluster", "c1");
        scene.lab.patchStatus(
                INFRASTRUCTURE,
                "DevCluster",
                "c1",
                conditions(scene.condition(
                        "NetworkReady",
                        "False",
                        "ReconcileFailed",
                        "failed to reconcile AppRelease cni: ServiceAccount \"sentry\" not found")));
        scene.lab.patchStatus(
                "controlplane.cluster.x-k8s.io",
                "KubeadmControlPlane",
                "c1-cp",
                "replicas: 1\nreadyReplicas: 0\n"
                        + conditions(
                                scene.condition("Available", "True", "Available", ""),
                                scene.condition("EtcdClusterHealthy", "True", "Healthy", "")));
        scene.lab.patchStatus(
                CAPI,
                "Machine",
                "c1-cp-0",
                conditions(scene.condition("NodeHealthy", "False", "NodeConditionsFailed", NO_CNI)));
        scene.node("c1-node-0", "False", NO_CNI);
    }

    private ObjectNode credential(String name, String token) {
        secrets.add(token);
        String authority = Base64.getEncoder()
                .encodeToString(DiagnosisScene.workload().caPem().getBytes(StandardCharsets.UTF_8));
        return platform.create(
                        PLATFORM + "clustercredentials",
                        JsonApi.parse("{\"apiVersion\":\"platform.tkestack.io/v1\",\"kind\":\"ClusterCredential\","
                                + "\"metadata\":{\"name\":\"" + name
                                + "\",\"labels\":{\"cluster.x-k8s.io/cluster-name\":\"c1\"}},"
                                + "\"clusterName\":\"c1\",\"caCert\":\"" + authority + "\",\"token\":\"" + token
                                + "\"}"))
                .orElseThrow();
    }

    private void platformCluster(String phase) {
        platform.create(
                PLATFORM + "clusters",
                JsonApi.parse("{\"apiVersion\":\"platform.tkestack.io/v1\",\"kind\":\"Cluster\",\"metadata\":{\"name\":"
                        + "\"c1\"},\"spec\":{\"type\":\"Imported\",\"clusterCredentialRef\":{\"name\":\"cc-c1\"}}}"));
        platform.merge(PLATFORM + "clusters/c1/status", "{\"status\":{\"phase\":\"" + phase + "\"}}");
    }

    private void sentry() {
        DiagnosisScene.workload()
                .json()
                .create(
                        "/api/v1/namespaces/cpaas-system/serviceaccounts",
                        JsonApi.parse("{\"metadata\":{\"name\":\"sentry\"}}"));
    }

    /** A real one that may do everything, of another account where the sentry is not there. */
    private String token() {
        JsonApi workload = DiagnosisScene.workload().json();
        String accounts = "/api/v1/namespaces/cpaas-system/serviceaccounts";
        String name = workload.get(accounts + "/sentry").isPresent() ? "sentry" : "earlier";
        workload.create(accounts, JsonApi.parse("{\"metadata\":{\"name\":\"" + name + "\"}}"));
        workload.create(
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                JsonApi.parse("{\"metadata\":{\"name\":\"" + name + "\"},\"roleRef\":{\"apiGroup\":"
                        + "\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"cluster-admin\"},"
                        + "\"subjects\":[{\"kind\":\"ServiceAccount\",\"namespace\":\"cpaas-system\",\"name\":\""
                        + name + "\"}]}"));
        String token = workload.create(accounts + "/" + name + "/token", JsonApi.parse("{\"spec\":{}}"))
                .orElseThrow()
                .at("/status/token")
                .asText();
        secrets.add(token.substring(token.lastIndexOf('.') + 1));
        return token;
    }

    /** The finding of a step about an object. */
    private static Finding in(Diagnosis diagnosis, int step, String object) {
        return assertThat(diagnosis.findings().stream()
                        .filter(finding ->
                                finding.step() == step && finding.object().equals(object))
                        .toList())
                .as(Page.text(diagnosis))
                .singleElement()
                .actual();
    }

    private static String everythingShown(Diagnosis diagnosis, CapturedOutput output) throws Exception {
        String json =
                JsonMapper.builder().addModule(new JavaTimeModule()).build().writeValueAsString(diagnosis);
        return String.join(
                "\n",
                json,
                Page.text(diagnosis),
                Page.markdown(diagnosis),
                Page.brief(diagnosis, 3000),
                output.toString());
    }
}
