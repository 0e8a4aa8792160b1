package dev.slipway.diagnosis;

import static dev.slipway.diagnosis.DiagnosisScene.CAPI;
import static dev.slipway.diagnosis.DiagnosisScene.CONTROL_PLANE;
import static dev.slipway.diagnosis.DiagnosisScene.conditions;
import static dev.slipway.diagnosis.DiagnosisScene.only;
import static dev.slipway.diagnosis.DiagnosisScene.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.Pki;
import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kernel.PhaseState;
import dev.slipway.phase.ClusterRef;
import dev.slipway.pki.CertificateAuthority;
import dev.slipway.pki.KeyAlgorithm;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each step finds in real objects, and which pattern that shows. */
class DiagnosisFindingsIT {

    private DiagnosisScene scene;

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void aServerOfAnotherAuthorityIsToldWithItsCertificate() {
        // given
        scene = DiagnosisScene.healthy();
        scene.endpoint(URI.create(ControlPlane.shared().server()).getPort());

        // when
        Finding readyz = only(scene.diagnose(), ControlPlane.shared().server() + "/readyz");

        // then
        assertThat(readyz.code()).isEqualTo("CaUnknown");
        assertThat(readyz.verdict()).isEqualTo(Verdict.PROBLEM);
        assertThat(readyz.sentence())
                .contains("subject CN=kube-apiserver", "SANs [127.0.0.1", "notAfter 20", "SHA-256 ");
    }

    @Test
    void aPausedClusterIsPausedWhateverElse() {
        // given
        scene = DiagnosisScene.healthy();
        scene.lab.patch(CAPI, "Cluster", "c1", "spec: {paused: true}");
        scene.endpoint(1);

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
        FlowView view = scene.flows.find("flow-1").orElseThrow();
        scene.decisions.made(view, "Admit", Choice.RETRY, Decision.State.OPEN, null);
        scene.decisions.made(view, "Admit", Choice.SKIP, Decision.State.REFUSED, "not now");

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
                        "an operator's task is open; allowed: RETRY, ABORT",
                        "ann decided RETRY at 2026-01-01T00:01:00Z about Admit: recorded, not applied yet",
                        "ann decided SKIP at 2026-01-01T00:01:00Z about Admit: REFUSED, not now",
                        "action 1: Repair it",
                        "action 2: Retry the phase")
                .anyMatch(line -> line.startsWith("Admit: since 2026-01-01T00:00:00Z, 2 attempts"));

        // when
        scene.flows.end("flow-1", FlowState.ABORTED, "Aborted");

        // then
        assertThat(only(scene.diagnose(), "flow/init").verdict()).isEqualTo(Verdict.WARNING);
    }
}
