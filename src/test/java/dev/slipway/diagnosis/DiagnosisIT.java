package dev.slipway.diagnosis;

import static dev.slipway.diagnosis.DiagnosisScene.CAPI;
import static dev.slipway.diagnosis.DiagnosisScene.CONTROL_PLANE;
import static dev.slipway.diagnosis.DiagnosisScene.conditions;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.Pki;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.phase.ClusterRef;
import dev.slipway.pki.CertificateAuthority;
import dev.slipway.pki.KeyAlgorithm;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Diagnoses of real objects on real API servers. */
class DiagnosisIT {

    private DiagnosisScene scene;

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void aHealthyClusterIsOkThroughout() {
        // given
        scene = DiagnosisScene.healthy();
        classOfThatName();

        // when
        Diagnosis diagnosis = scene.diagnose();

        // then
        assertThat(diagnosis.findings()).as(Page.text(diagnosis)).allMatch(f -> f.verdict() == Verdict.OK);
        assertThat(diagnosis.signature()).isNull();
        assertThat(diagnosis.findings())
                .extracting(Finding::object)
                .contains(
                        "workloadcluster/c1",
                        "cluster/c1",
                        "clusterclass/small",
                        "devcluster/c1",
                        "kubeadmcontrolplane/c1-cp",
                        "machines",
                        "nodes",
                        "secret/c1-ca",
                        "secret/c1-etcd",
                        "secret/c1-proxy",
                        "secret/c1-sa",
                        "secret/c1-kubeconfig",
                        "events",
                        "flow/init");
        assertThat(only(diagnosis, "secret/c1-ca"))
                .satisfies(ca -> assertThat(ca.sentence()).startsWith("certificate and key match, valid until 20"))
                .satisfies(ca -> assertThat(ca.details().get(0)).isEqualTo("type: cluster.x-k8s.io/secret"))
                .satisfies(ca -> assertThat(ca.details().get(1)).matches("SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}"));
        assertThat(only(diagnosis, "machines").details())
                .hasSize(1)
                .first()
                .asString()
                .contains("Running");
        String server = DiagnosisScene.workload().server();
        assertThat(only(diagnosis, server + "/version").sentence()).startsWith("v1.");
    }

    @Test
    void kindsThatAreNotInstalledAreToldAndTheRestIsLookedAt() {
        // given
        scene = DiagnosisScene.empty();

        // when
        Diagnosis diagnosis = scene.diagnose(
                KubeClient.of(DiagnosisScene.workload().apiClient()),
                RealWorkloads.clusters(),
                Diagnoses.Limits.STANDARD);

        // then
        assertThat(signature(diagnosis)).isEqualTo("Cluster API not installed");
        assertThat(only(diagnosis, "workloadcluster/c1"))
                .returns(Verdict.PROBLEM, Finding::verdict)
                .returns("KindAbsent", Finding::code);
        assertThat(diagnosis.nothingThere()).isFalse();
        assertThat(only(diagnosis, "secret/c1-ca").code()).isEqualTo("SecretAbsent");
        assertThat(only(diagnosis, "events").verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void aNamespaceThatIsNotThereIsTold() {
        // given
        scene = DiagnosisScene.empty();
        String absent = "no-such-namespace";

        // when
        Diagnosis diagnosis = scene.diagnose(new ClusterRef(absent, "c1", ""));

        // then
        assertThat(only(diagnosis, "namespace/" + absent).sentence()).isEqualTo("there is no such namespace");
        assertThat(diagnosis.nothingThere()).isTrue();
    }

    @Test
    void aClusterThatWasNotDeclaredToSlipwayIsLookedAtAsWell() {
        // given
        scene = DiagnosisScene.healthy();
        classOfThatName();
        scene.lab.delete("slipway.dev", "WorkloadCluster", "c1");

        // when
        Diagnosis diagnosis = scene.diagnose();

        // then
        assertThat(diagnosis.verdict()).as(Page.text(diagnosis)).isEqualTo(Verdict.OK);
        assertThat(only(diagnosis, "workloadcluster/c1").sentence()).contains("was not declared to Slipway");
    }

    @Test
    void aManagementClusterThatIsAwayMakesEverythingUnknown() {
        // given
        scene = DiagnosisScene.empty();
        scene.flows.start("init", new ClusterRef(scene.namespace(), "c1", "u1"), "slipway", null);
        scene.flows.phases("flow-1", FlowsInMemory.phase("EnsureEndpoint", PhaseState.WAITING, 3, "WaitingForX", "x"));
        ApiClient nobody = new ApiClient();
        nobody.setBasePath("http://127.0.0.1:1");

        // when
        Diagnosis diagnosis =
                scene.diagnose(KubeClient.of(nobody), RealWorkloads.clusters(), Diagnoses.Limits.STANDARD);

        // then
        assertThat(signature(diagnosis)).isEqualTo("Management API unreachable");
        assertThat(diagnosis.findings())
                .filteredOn(finding -> finding.step() <= 5)
                .hasSize(5)
                .allMatch(finding -> finding.verdict() == Verdict.UNKNOWN && "ApiUnreachable".equals(finding.code()));
        assertThat(only(diagnosis, "flow/init").sentence()).isEqualTo("EnsureEndpoint is WAITING, WaitingForX: x");
    }

    @Test
    @Timeout(60)
    void aWorkloadApiThatSwallowsEverythingIsUnreachableInBoundedTime() throws IOException {
        // given
        scene = DiagnosisScene.healthy();
        try (ServerSocket hole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            endpoint(hole.getLocalPort());

            // when
            Diagnosis diagnosis = scene.diagnose(
                    scene.lab.client(), RealWorkloads.clusters(), new Diagnoses.Limits(Duration.ofSeconds(3), 1));

            // then
            String server = "https://127.0.0.1:" + hole.getLocalPort();
            assertThat(signature(diagnosis)).isEqualTo("API unreachable");
            assertThat(only(diagnosis, "tcp/127.0.0.1:" + hole.getLocalPort()).verdict())
                    .isEqualTo(Verdict.OK);
            assertThat(only(diagnosis, server + "/readyz"))
                    .returns(Verdict.PROBLEM, Finding::verdict)
                    .returns("accepts connections and does not answer (no answer within 3000 ms)", Finding::sentence);
            assertThat(only(diagnosis, "nodes"))
                    .returns(Verdict.UNKNOWN, Finding::verdict)
                    .returns("Overdue", Finding::code);
            assertThat(only(diagnosis, "machines").verdict()).isEqualTo(Verdict.OK);
        }
    }

    @Test
    void aWorkloadApiWhereNothingListensIsUnreachable() {
        // given
        scene = DiagnosisScene.healthy();
        endpoint(1);

        // when
        Diagnosis diagnosis = scene.diagnose();

        // then
        assertThat(signature(diagnosis)).isEqualTo("API unreachable");
        assertThat(only(diagnosis, "tcp/127.0.0.1:1").sentence()).contains("refuses connections");
        assertThat(only(diagnosis, "nodes").code()).isEqualTo("ApiUnreachable");
    }

    @Test
    void aServerOfAnotherAuthorityIsToldWithItsCertificate() {
        // given
        scene = DiagnosisScene.healthy();
        endpoint(URI.create(ControlPlane.shared().server()).getPort());

        // when
        Finding readyz = only(scene.diagnose(), ControlPlane.shared().server() + "/readyz");

        // then
        assertThat(readyz.code()).isEqualTo("CaUnknown");
        assertThat(readyz.verdict()).isEqualTo(Verdict.PROBLEM);
        assertThat(readyz.sentence())
                .contains("subject CN=kube-apiserver", "SANs [127.0.0.1", "notAfter 20", "SHA-256 ");
    }

    @Test
    void secretsThatMayNotBeReadAreUnknownAndTheRestIsLookedAt() throws IOException {
        // given
        scene = DiagnosisScene.healthy();
        String user = "reader-of-" + scene.namespace();
        scene.lab.apply(
                """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: %1$s}
                rules:
                  - {apiGroups: ["slipway.dev", "*.x-k8s.io", "cluster.x-k8s.io", "controlplane.cluster.x-k8s.io", "infrastructure.cluster.x-k8s.io"], resources: ["*"], verbs: [get, list]}
                  - {apiGroups: [""], resources: [events], verbs: [get, list]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: %1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %1$s}]
                """
                        .formatted(user));
        String kubeconfig = ControlPlane.shared().kubeconfigFor(user, "");
        ApiClient api = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig)))
                .build();

        // when
        Diagnosis diagnosis = scene.diagnose(KubeClient.of(api), RealWorkloads.clusters(), Diagnoses.Limits.STANDARD);

        // then
        assertThat(diagnosis.findings())
                .filteredOn(finding -> finding.verdict() == Verdict.UNKNOWN)
                .extracting(Finding::object)
                .containsExactly("nodes", "secrets", "secret/c1-kubeconfig", "kubeconfig");
        assertThat(only(diagnosis, "secrets"))
                .returns("Forbidden", Finding::code)
                .satisfies(finding -> assertThat(finding.sentence()).contains("cannot get resource \"secrets\""));
        assertThat(only(diagnosis, "cluster/c1").verdict()).isEqualTo(Verdict.OK);
        assertThat(only(diagnosis, "machines").verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void aPausedClusterIsPausedWhateverElse() {
        // given
        scene = DiagnosisScene.healthy();
        scene.lab.patch(CAPI, "Cluster", "c1", "spec: {paused: true}");
        endpoint(1);

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(signature(diagnosis)).isEqualTo("Paused");
        assertThat(only(diagnosis, "cluster/c1").sentence()).contains("it is paused (spec.paused)");
    }

    @Test
    void aClassThatIsNotThereIsMissing() {
        // given
        scene = DiagnosisScene.empty();
        scene.lab.declare("c1", "version: v1.36.3\ntopology: {class: no-such-class}\n");

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(signature(diagnosis)).isEqualTo("ClusterClass missing");
        assertThat(only(diagnosis, "clusterclass/no-such-class").verdict()).isEqualTo(Verdict.PROBLEM);
        assertThat(only(diagnosis, "cluster/c1").code()).isEqualTo("ClusterAbsent");
    }

    @Test
    void tooFewControlPlaneMachinesAreBelowQuorum() {
        // given
        scene = DiagnosisScene.healthy();
        scene.lab.patch(CONTROL_PLANE, "KubeadmControlPlane", "c1-cp", "spec: {replicas: 3}");
        scene.lab.patchStatus(CONTROL_PLANE, "KubeadmControlPlane", "c1-cp", "replicas: 3\nreadyReplicas: 1\n");

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(signature(diagnosis)).isEqualTo("Control plane below quorum");
        assertThat(only(diagnosis, "kubeadmcontrolplane/c1-cp").sentence())
                .contains("1 of 3 control plane machines are ready, etcd needs 2");

        // when
        scene.lab.patchStatus(CONTROL_PLANE, "KubeadmControlPlane", "c1-cp", "readyReplicas: 2");

        // then
        assertThat(scene.diagnose().signature()).isNull();
    }

    @Test
    void aControlPlaneThatGrowsIsNotBelowQuorumUnlessItSaysSo() {
        // given
        scene = DiagnosisScene.healthy();
        scene.lab.patch(CONTROL_PLANE, "KubeadmControlPlane", "c1-cp", "spec: {replicas: 3}");
        scene.lab.patchStatus(CONTROL_PLANE, "KubeadmControlPlane", "c1-cp", "replicas: 2\nreadyReplicas: 1\n");

        // then
        assertThat(only(scene.diagnose(), "kubeadmcontrolplane/c1-cp").code()).isEqualTo("ReplicasMissing");

        // when
        scene.lab.patchStatus(
                CONTROL_PLANE,
                "KubeadmControlPlane",
                "c1-cp",
                conditions(scene.condition("EtcdClusterHealthy", "False", "NoQuorum", "no leader")));

        // then
        assertThat(only(scene.diagnose(), "kubeadmcontrolplane/c1-cp").code()).isEqualTo("ControlPlaneBelowQuorum");
    }

    @Test
    void machinesWithoutInfrastructureAreNamed() {
        // given
        scene = DiagnosisScene.healthy();
        scene.machine("c1-cp-1");
        scene.lab.patchStatus(
                CAPI,
                "Machine",
                "c1-cp-1",
                "phase: Provisioning\n"
                        + conditions(scene.condition("InfrastructureReady", "False", "QuotaExceeded", "no more VMs")));

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(signature(diagnosis)).isEqualTo("Machines have no infrastructure");
        assertThat(only(diagnosis, "machine/c1-cp-1"))
                .returns(Verdict.PROBLEM, Finding::verdict)
                .satisfies(machine -> assertThat(machine.sentence())
                        .startsWith("Provisioning: its infrastructure is not there (InfrastructureReady is False,"
                                + " reason QuotaExceeded: no more VMs"));
    }

    @Test
    void nodesWithoutANetworkAreToldFromOthers() {
        // given
        scene = DiagnosisScene.healthy();
        scene.node(
                "c1-node-0",
                "False",
                "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady"
                        + " message:Network plugin returns error: cni plugin not initialized");

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(signature(diagnosis)).isEqualTo("Nodes NotReady: no CNI");
        assertThat(only(diagnosis, "node/c1-node-0").verdict()).isEqualTo(Verdict.PROBLEM);

        // when
        scene.node("c1-node-0", "Unknown", "Kubelet stopped posting node status.");

        // then
        assertThat(only(scene.diagnose(), "node/c1-node-0").code()).isEqualTo("NodeNotReady");
    }

    @Test
    void aNodeThatAMachineClaimsAndTheApiDoesNotHaveIsMissing() {
        // given
        scene = DiagnosisScene.healthy();
        scene.lab.patchStatus(CAPI, "Machine", "c1-cp-0", "nodeRef: {name: ghost}");

        // then
        assertThat(only(scene.diagnose(), "node/ghost").code()).isEqualTo("NodeMissing");
    }

    @Test
    void anExpiredAuthorityIsNamed() {
        // given
        scene = DiagnosisScene.healthy();
        CertificateAuthority expired = CertificateAuthority.generate(
                "old",
                KeyAlgorithm.ECDSA_P256,
                Duration.ofDays(40),
                Instant.now().minus(Duration.ofDays(100)));
        scene.keyPair(
                "ca", new Pki.Pem(expired.pem().certificate(), expired.pem().privateKey()));

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(signature(diagnosis)).isEqualTo("Certificate expired");
        assertThat(only(diagnosis, "secret/c1-ca"))
                .returns("CaExpired", Finding::code)
                .satisfies(ca -> assertThat(ca.sentence()).contains("expired on "));
        assertThat(only(diagnosis, "secret/c1-kubeconfig").code()).isEqualTo("NotCompared");
    }

    @Test
    void aSecretThatTheClusterUsesAndIsGoneIsLost() {
        // given
        scene = DiagnosisScene.healthy();
        scene.lab.delete("", "Secret", "c1-ca");

        // then
        Diagnosis diagnosis = scene.diagnose();
        assertThat(signature(diagnosis)).isEqualTo("Cluster CA lost");
        assertThat(only(diagnosis, "secret/c1-ca").code()).isEqualTo("CaLost");
        assertThat(only(diagnosis, "secret/c1-etcd").verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void aKubeconfigThatPointsElsewhereOrCannotBeReadIsAProblem() {
        // given
        scene = DiagnosisScene.healthy();
        scene.kubeconfig("https://127.0.0.1:2");

        // then
        assertThat(only(scene.diagnose(), "secret/c1-kubeconfig").code()).isEqualTo("KubeconfigEndpointDiffers");

        // when
        scene.kubeconfigText("users: [");

        // then
        assertThat(only(scene.diagnose(), "secret/c1-kubeconfig"))
                .returns(Verdict.PROBLEM, Finding::verdict)
                .returns("KubeconfigInvalid", Finding::code);
    }

    @Test
    void warningsOfThisClustersObjectsAreCountedNewestFirst() {
        // given
        scene = DiagnosisScene.healthy();
        scene.event("Machine", "c1-cp-0", "FailedDrain", "cannot drain", 30, 12);
        scene.event("DevMachine", "c1-cp-0-infra", "FailedCreate", "no quota", 5, 1);
        scene.event("Cluster", "c1", "Odd", "odd", 60, 1);
        // of a cluster whose name begins alike
        scene.event("Machine", "c1-b-cp-0", "NotOurs", "other", 1, 1);

        // when
        Finding events = only(scene.diagnose(), "events");

        // then
        assertThat(events.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(events.sentence()).startsWith("3 Warnings, the newest: ").endsWith("FailedCreate: no quota");
        assertThat(events.details())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .contains("devmachine/c1-cp-0-infra FailedCreate")
                                .doesNotContain("times"),
                        second -> assertThat(second).contains("12 times machine/c1-cp-0 FailedDrain: cannot drain"),
                        third -> assertThat(third).contains("cluster/c1 Odd"));
    }

    @Test
    void atMostTwentyWarningsAreShown() {
        // given
        scene = DiagnosisScene.healthy();
        for (int i = 0; i < 23; i++) {
            scene.event("Cluster", "c1", "Reason" + i, "m", i, 1);
        }

        // when
        Finding events = only(scene.diagnose(), "events");

        // then
        assertThat(events.sentence()).startsWith("23 Warnings");
        assertThat(events.details()).hasSize(21).endsWith("… and 3 older ones");
    }

    @Test
    void flowsAreToldWithWhereTheyStandAndWhatCanBeDone() {
        // given
        scene = DiagnosisScene.empty();
        ClusterRef ref = new ClusterRef(scene.namespace(), "c1", "u1");
        scene.flows.start("init", ref, "slipway", null);
        scene.flows.phases("flow-1", FlowsInMemory.phase("Admit", PhaseState.BLOCKED, 2, "ClassUnknown", "no class"));

        // when
        Finding flow = only(scene.diagnose(), "flow/init");

        // then
        assertThat(flow)
                .returns(Verdict.PROBLEM, Finding::verdict)
                .returns("ClassUnknown", Finding::code)
                .returns("Admit is BLOCKED and stuck, ClassUnknown: no class", Finding::sentence);
        assertThat(flow.details())
                .contains(
                        "last observation: ClassUnknown: no class",
                        "open decision: an operator's task waits in Tasklist",
                        "action 1: Repair it",
                        "action 2: Retry the phase")
                .anyMatch(line -> line.startsWith("Admit: since 2026-01-01T00:00:00Z, 2 attempts"));

        // when
        scene.flows.end("flow-1", FlowState.ABORTED, "Aborted");

        // then
        assertThat(only(scene.diagnose(), "flow/init").verdict()).isEqualTo(Verdict.WARNING);
    }

    @Test
    void aDatabaseThatIsAwayLeavesTheRest() {
        // given
        scene = DiagnosisScene.healthy();
        scene.flows.fail(new IllegalStateException("connection refused"));

        // when
        Diagnosis diagnosis = scene.diagnose();

        // then
        assertThat(only(diagnosis, "Slipway").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(only(diagnosis, "cluster/c1").verdict()).isEqualTo(Verdict.OK);
    }

    private void endpoint(int port) {
        scene.lab.patch(CAPI, "Cluster", "c1", "spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: " + port + "}}");
        scene.kubeconfig("https://127.0.0.1:" + port);
    }

    /** The WorkloadCluster names a class; with a Cluster that has none, only that is looked for. */
    private void classOfThatName() {
        scene.lab.patch(CAPI, "Cluster", "c1", "spec: {topology: {classRef: {name: small}, version: v1.36.3}}");
        scene.lab.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: ClusterClass
                metadata: {name: small}
                spec:
                  infrastructure:
                    templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DevClusterTemplate, name: small}
                  controlPlane:
                    templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlaneTemplate, name: small}
                """);
    }

    private static String signature(Diagnosis diagnosis) {
        assertThat(diagnosis.signature()).as(Page.text(diagnosis)).isNotNull();
        return diagnosis.signature().name();
    }

    private static Finding only(Diagnosis diagnosis, String object) {
        return assertThat(diagnosis.findings().stream()
                        .filter(finding -> finding.object().equals(object))
                        .toList())
                .as(Page.text(diagnosis))
                .singleElement()
                .actual();
    }
}
