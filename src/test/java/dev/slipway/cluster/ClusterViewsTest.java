package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kubernetes.KubeObject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Cluster API objects are understood in the shapes of v1beta1 and v1beta2. */
class ClusterViewsTest {

    @Test
    void readsBothShapesOfACluster() throws Exception {
        // given
        CapiCluster old = new CapiCluster(
                yaml(
                        "cluster.x-k8s.io/v1beta1",
                        """
                spec:
                  controlPlaneEndpoint: {host: 10.0.0.1, port: 6443}
                  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DevCluster, name: i}
                  controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: KubeadmControlPlane, name: k}
                status:
                  infrastructureReady: true
                  conditions: [{type: ControlPlaneInitialized, status: "True"}]
                """));
        CapiCluster current = new CapiCluster(
                yaml(
                        "cluster.x-k8s.io/v1beta2",
                        """
                spec:
                  controlPlaneEndpoint: {host: 10.0.0.1, port: 6443}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: i}
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: k}
                status:
                  initialization: {controlPlaneInitialized: true, infrastructureProvisioned: true}
                """));

        // then
        for (CapiCluster cluster : new CapiCluster[] {old, current}) {
            assertThat(cluster.endpoint().orElseThrow().display()).isEqualTo("10.0.0.1:6443");
            assertThat(cluster.infrastructureRef())
                    .contains(new ObjectRef("infrastructure.cluster.x-k8s.io", "DevCluster", "i"));
            assertThat(cluster.controlPlaneRef())
                    .contains(new ObjectRef("controlplane.cluster.x-k8s.io", "KubeadmControlPlane", "k"));
            assertThat(cluster.controlPlaneInitialized()).isTrue();
            assertThat(cluster.infrastructureProvisioned()).isTrue();
        }
    }

    @Test
    void prefersTheNewerConditionsOfAnOldObject() throws Exception {
        // given
        KubeObject cluster = yaml(
                "cluster.x-k8s.io/v1beta1",
                """
                status:
                  conditions:
                  - {type: InfrastructureReady, status: "False", severity: Info, reason: Old, message: old}
                  - {type: Ready, status: "True"}
                  v1beta2:
                    conditions: [{type: InfrastructureReady, status: "False", reason: NotReady, message: new}]
                """);

        // then
        assertThat(Condition.of(cluster, "InfrastructureReady").orElseThrow().sentence())
                .isEqualTo("InfrastructureReady is False, reason NotReady: new");
        assertThat(Condition.isTrue(cluster, "Ready")).isTrue();
        assertThat(Condition.of(cluster, "Available")).isEmpty();
    }

    @Test
    void fallsBackToTheDeprecatedConditions() throws Exception {
        // given
        KubeObject cluster = yaml(
                "cluster.x-k8s.io/v1beta2",
                """
                status:
                  deprecated: {v1beta1: {conditions: [{type: ControlPlaneReady, status: "False", reason: Scaling}]}}
                """);

        // then
        assertThat(Condition.of(cluster, "ControlPlaneReady").orElseThrow().sentence())
                .isEqualTo("ControlPlaneReady is False, reason Scaling");
    }

    @Test
    void putsMessagesWithBulletsOnOneLine() throws Exception {
        // given
        KubeObject cluster = yaml(
                "cluster.x-k8s.io/v1beta2",
                """
                status:
                  conditions:
                  - type: ControlPlaneAvailable
                    status: "False"
                    reason: NotAvailable
                    message: "* Machine a:\\n  * NodeHealthy: no node\\n  * Ready: no\\n* Machine b: deleting"
                """);

        // then
        assertThat(Condition.of(cluster, "ControlPlaneAvailable").orElseThrow().message())
                .isEqualTo("Machine a: NodeHealthy: no node; Ready: no; Machine b: deleting");
    }

    @Test
    void namesACauseThatStopsEverything() throws Exception {
        // given
        CapiCluster cluster = new CapiCluster(
                yaml(
                        "cluster.x-k8s.io/v1beta2",
                        """
                spec: {paused: true}
                status: {conditions: [{type: InfrastructureReady, status: Unknown, reason: R, message: m}]}
                """));

        // then
        assertThat(cluster.cause("InfrastructureReady"))
                .isEqualTo("the Cluster ns/c is paused (spec.paused or annotation), so nothing will move;"
                        + " InfrastructureReady is Unknown, reason R: m");
    }

    @Test
    void neverReadsThePhaseOfACluster() throws Exception {
        // given
        CapiCluster cluster = new CapiCluster(yaml("cluster.x-k8s.io/v1beta2", "status: {phase: Provisioned}\n"));

        // then
        assertThat(cluster.endpoint()).isEmpty();
        assertThat(cluster.controlPlaneInitialized()).isFalse();
        assertThat(cluster.controlPlaneAvailable()).isFalse();
    }

    @Test
    void roundsTheShareOfWorkersUp() {
        assertThat(workers(4).required(60)).isEqualTo(3);
        assertThat(workers(5).required(60)).isEqualTo(3);
        assertThat(workers(100).required(7)).isEqualTo(7);
        assertThat(workers(3).required(0)).isZero();
        assertThat(workers(0).required(100)).isZero();
    }

    private static WorkerCount workers(int desired) {
        return new WorkerCount(desired, Set.of(), List.of(), List.of());
    }

    @Test
    void tellsWhyAMachineIsNotReady() throws Exception {
        assertThat(machine("status: {}").sentence()).isEqualTo("machine c: it has no node yet");
        assertThat(machine("status: {failureMessage: quota}").sentence())
                .isEqualTo("machine c: the provider reports: quota");
        assertThat(machine(
                                """
                status:
                  nodeRef: {name: n}
                  conditions:
                  - {type: Ready, status: "False", reason: NotReady, message: summary}
                  - {type: NodeHealthy, status: "False", reason: NodeConditionsFailed, message: no CNI}
                """)
                        .sentence())
                .isEqualTo("machine c: NodeHealthy is False, reason NodeConditionsFailed: no CNI");
    }

    private static MachineView machine(String yaml) throws Exception {
        return new MachineView(yaml("cluster.x-k8s.io/v1beta2", yaml));
    }

    private static KubeObject yaml(String apiVersion, String rest) throws Manifests.Unreadable {
        return Manifests.read(
                        "apiVersion: " + apiVersion + "\nkind: Cluster\nmetadata: {name: c, namespace: ns}\n" + rest)
                .get(0);
    }
}
