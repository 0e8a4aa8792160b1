package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.TcpProbe;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.imports.ImportSettings;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.CredentialRanking;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The phases that only look: what they are content with, what they say while they wait, and that they write nothing. */
class ObservingPhasesIT {

    private static final String CAPI = "cluster.x-k8s.io";
    private static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io";
    private static final String TIME = "lastTransitionTime: '2030-01-01T00:00:00Z'";

    private final ClusterLab lab = ClusterLab.open("observe");
    private WorkloadCluster cluster;
    private Map<String, String> before;

    @BeforeEach
    void aClusterThatWasJustMade() {
        cluster = lab.declare("c", "version: v1.36.3\ntopology: {class: small}\nworkers: {minimumReadyPercent: 60}\n");
        lab.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: c}
                spec:
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: c-cp}
                ---
                apiVersion: controlplane.cluster.x-k8s.io/v1beta2
                kind: KubeadmControlPlane
                metadata: {name: c-cp}
                spec:
                  replicas: 3
                  version: v1.36.3
                  machineTemplate:
                    spec:
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachineTemplate, name: c}
                  kubeadmConfigSpec: {clusterConfiguration: {apiServer: {certSANs: [localhost]}}}
                """);
    }

    @AfterEach
    void nothingWasWritten() {
        if (before != null) {
            assertThat(lab.versions()).isEqualTo(before);
        }
    }

    @Test
    void theEndpointComesFromTheInfrastructure() {
        // given
        EnsureEndpoint phase = new EnsureEndpoint(lab.clusters(), new TcpProbe());
        condition("Cluster", "c", "InfrastructureReady", "WaitingForLoadBalancer", "the load balancer has no address");

        // then
        waits(
                phase,
                "WaitingForInfrastructure",
                "Cluster " + lab.namespace() + "/c has no control plane endpoint yet; InfrastructureReady is False,"
                        + " reason WaitingForLoadBalancer: the load balancer has no address");
    }

    @Test
    void theEndpointIsThereWhenSomethingListens() {
        // given
        EnsureEndpoint phase = new EnsureEndpoint(lab.clusters(), new TcpProbe());
        int port = URI.create(ControlPlane.shared().server()).getPort();
        lab.patch(CAPI, "Cluster", "c", "spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: " + port + "}}");

        // then
        assertThat(run(phase))
                .isEqualTo(Outcome.done("the control plane endpoint 127.0.0.1:" + port + " accepts connections"));
    }

    @Test
    void theEndpointIsAwaitedWhileItRefuses() {
        // given
        EnsureEndpoint phase = new EnsureEndpoint(lab.clusters(), new TcpProbe());
        lab.patch(CAPI, "Cluster", "c", "spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: 1}}");

        // then
        waits(
                phase,
                "WaitingForEndpointListener",
                "the control plane endpoint 127.0.0.1:1 (127.0.0.1) refuses connections: nothing listens there yet");
    }

    @Test
    void theControlPlaneIsAwaitedWithTheCauseThatTheClusterGives() {
        // given
        var phase = new EnsureControlPlaneInitialized(lab.clusters(), lab.workloads());
        condition("Cluster", "c", "ControlPlaneInitialized", "NotInitialized", "Control plane not yet initialized");

        // then
        waits(
                phase,
                "WaitingForControlPlaneInitialized",
                "the control plane of Cluster " + lab.namespace() + "/c is not initialized yet;"
                        + " ControlPlaneInitialized is False, reason NotInitialized: Control plane not yet initialized");
    }

    @Test
    void theControlPlaneIsInitializedWhenItsApiAnswers() {
        // given
        var phase = new EnsureControlPlaneInitialized(lab.clusters(), lab.workloads());
        lab.patchStatus(CAPI, "Cluster", "c", "initialization: {controlPlaneInitialized: true}");

        // then
        waits(
                phase,
                "WaitingForKubeconfig",
                "the secret " + lab.namespace() + "/c-kubeconfig with the kubeconfig does not exist");

        // when
        lab.kubeconfig("c");

        // then
        assertThat(run(phase)).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains(ControlPlane.shared().server() + " is ready and runs v1."));
    }

    @Test
    void theControlPlaneIsReadyWhenAllItsMachinesAre() {
        // given
        EnsureControlPlaneReady phase = new EnsureControlPlaneReady(lab.clusters(), lab.api(), imports(true));
        machine("c-cp-a", true, "nodeRef: {name: a}\n" + ready("False", "NodeHealthy", "the node is not ready"));
        lab.patchStatus(CONTROL_PLANE, "KubeadmControlPlane", "c-cp", "readyReplicas: 2\nreplicas: 3\n");

        // then
        waits(
                phase,
                "WaitingForControlPlaneMachines",
                "2 of 3 control plane machines ready; machine c-cp-a: NodeHealthy is False, reason R:"
                        + " the node is not ready");

        // when
        lab.patchStatus(CONTROL_PLANE, "KubeadmControlPlane", "c-cp", "readyReplicas: 3");

        // then
        assertThat(run(phase)).isEqualTo(Outcome.done("3 of 3 control plane machines ready"));
    }

    @Test
    void machinesThatWaitForThePodNetworkOnlyCountWhereTheImportBringsIt() {
        // given
        EnsureControlPlaneReady phase = new EnsureControlPlaneReady(lab.clusters(), lab.api(), imports(true));
        for (String name : List.of("a", "b", "c")) {
            machine("c-cp-" + name, true, "nodeRef: {name: " + name + "}\n" + ready("False", "NodeHealthy", "no CNI"));
        }
        lab.patchStatus(CONTROL_PLANE, "KubeadmControlPlane", "c-cp", "readyReplicas: 0\nreplicas: 3\n");
        assertThat(run(phase)).as("nobody says that it serves").isInstanceOf(Outcome.Waiting.class);

        // when
        lab.patchStatus(
                CONTROL_PLANE,
                "KubeadmControlPlane",
                "c-cp",
                "conditions: [{type: Available, status: 'True', reason: Available, message: '', lastTransitionTime:"
                        + " '2030-01-01T00:00:00Z'}]");

        // then
        assertThat(run(phase))
                .isEqualTo(Outcome.done("0 of 3 control plane machines ready, 3 more wait for the pod network only,"
                        + " which comes with the import"));
        assertThat(run(new EnsureControlPlaneReady(lab.clusters(), lab.api(), imports(false))))
                .isInstanceOf(Outcome.Waiting.class);

        // when
        machine("c-cp-b", true, ready("False", "InfrastructureReady", "the VM is gone"));

        // then
        assertThat(run(phase)).as("one has another problem").isInstanceOf(Outcome.Waiting.class);
    }

    @Test
    void theControlPlaneIsNotReadyByNumbersOfAnOldSpec() {
        // given
        EnsureControlPlaneReady phase = new EnsureControlPlaneReady(lab.clusters(), lab.api(), imports(true));
        lab.patchStatus(
                CONTROL_PLANE, "KubeadmControlPlane", "c-cp", "readyReplicas: 3\nreplicas: 3\nobservedGeneration: 1\n");
        lab.patch(CONTROL_PLANE, "KubeadmControlPlane", "c-cp", "spec: {replicas: 5}");

        // then
        waits(
                phase,
                "WaitingForControlPlaneController",
                "the controller of KubeadmControlPlane " + lab.namespace()
                        + "/c-cp has not seen its latest spec yet; 3 of 5 control plane machines ready");
    }

    @Test
    void aControlPlaneThatCountsNoMachinesIsReadyByItsCondition() {
        // given
        EnsureControlPlaneReady phase = new EnsureControlPlaneReady(lab.clusters(), lab.api(), imports(true));
        lab.patch(
                CAPI,
                "Cluster",
                "c",
                "spec: {controlPlaneRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: c}}");
        lab.apply("apiVersion: infrastructure.cluster.x-k8s.io/v1beta2\nkind: DevCluster\nmetadata: {name: c}\n"
                + "spec: {backend: {inMemory: {}}}\n");
        condition("Cluster", "c", "ControlPlaneAvailable", "NotAvailable", "no API server");

        // then
        waits(
                phase,
                "WaitingForControlPlaneAvailable",
                "the control plane of Cluster " + lab.namespace() + "/c is not available yet;"
                        + " ControlPlaneAvailable is False, reason NotAvailable: no API server");

        // when
        lab.patchStatus(
                CAPI,
                "Cluster",
                "c",
                "conditions: [{type: ControlPlaneAvailable, status: 'True', reason: R, message: '', " + TIME + "}]");

        // then
        assertThat(run(phase)).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void theWorkersHaveJoinedWhenEnoughOfThemHaveANode() {
        // given
        EnsureWorkersJoined phase = new EnsureWorkersJoined(lab.clusters(), lab.api());
        deployment(4);
        machine("c-md-a", false, "nodeRef: {name: wa}\n");
        machine("c-md-b", false, "nodeRef: {name: wb}\n");
        machine("c-md-c", false, ready("False", "InfrastructureReady", "no VM yet"));
        machine("c-cp-a", true, "nodeRef: {name: a}\n");

        // then
        waits(
                phase,
                "WaitingForWorkers",
                "2 of 4 workers joined (3 suffice); machine c-md-c: InfrastructureReady is False, reason R: no VM yet");

        // when
        lab.patchStatus(CAPI, "Machine", "c-md-c", "nodeRef: {name: wc}");

        // then
        assertThat(run(phase)).isEqualTo(Outcome.done("3 of 4 workers joined (3 suffice)"));
    }

    @Test
    void theWorkersHaveNotJoinedBeforeTheTopologyMadeThem() {
        // given
        EnsureWorkersJoined phase = new EnsureWorkersJoined(lab.clusters(), lab.api());
        lab.patch(
                CAPI,
                "Cluster",
                "c",
                """
                spec:
                  topology:
                    classRef: {name: small}
                    version: v1.36.3
                    workers: {machineDeployments: [{class: default-worker, name: md-0, replicas: 1}]}
                """);

        // then
        waits(phase, "WaitingForTopology", "the topology controller has not made the groups of workers [md-0] yet");
    }

    @Test
    void theClusterIsHealthyAfterTwoAnswersWithItsNodesReady() {
        // given
        EnsureHealthy phase = new EnsureHealthy(lab.clusters(), lab.api(), lab.workloads());
        String node = lab.namespace() + "-a";
        String worker = lab.namespace() + "-w";
        lab.kubeconfig("c");
        deployment(1);
        machine("c-cp-a", true, "nodeRef: {name: " + node + "}\n");
        machine("c-md-a", false, "nodeRef: {name: " + worker + "}\n");
        node(node, "True");

        // then
        Outcome first = run(phase);
        assertThat(first).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("WaitingForNodes");
            assertThat(waiting.message())
                    .contains("(1 of 1 control plane, 0 of 1 workers); node " + worker + ": the API does not list it");
        });

        // when
        node(worker, "True");
        Outcome second = run(phase);

        // then
        assertThat(second).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("WaitingForSecondProbe");
            assertThat(waiting.after()).isPresent();
        });

        // when
        Outcome third =
                phase.run(lab.context(cluster.ref(), Map.of(PhaseContext.LAST_REASON, "WaitingForSecondProbe")));

        // then
        assertThat(third).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("(1 of 1 control plane, 1 of 1 workers)")
                .endsWith(" answered twice"));
    }

    @Test
    void aPausedClusterIsNotHealthy() {
        // given
        EnsureHealthy phase = new EnsureHealthy(lab.clusters(), lab.api(), lab.workloads());
        lab.patch(CAPI, "Cluster", "c", "spec: {paused: true}");

        // then
        waits(
                phase,
                "WaitingForUnpause",
                "the Cluster " + lab.namespace() + "/c is paused (spec.paused or annotation), so nothing will move");
    }

    @Test
    void everyObserverNoticesThatTheClusterIsGoneOrAnotherOne() {
        // given
        Phase[] phases = {
            new EnsureEndpoint(lab.clusters(), new TcpProbe()),
            new EnsureControlPlaneInitialized(lab.clusters(), lab.workloads()),
            new EnsureControlPlaneReady(lab.clusters(), lab.api(), imports(true)),
            new EnsureWorkersJoined(lab.clusters(), lab.api()),
            new EnsureHealthy(lab.clusters(), lab.api(), lab.workloads())
        };

        // then
        for (Phase phase : phases) {
            assertThatThrownBy(() -> phase.run(lab.context(cluster.ref(), Map.of("capiClusterUid", "earlier"))))
                    .isInstanceOfSatisfying(
                            Failure.class, failure -> assertThat(failure.code()).isEqualTo("ClusterReplaced"));
        }

        // when
        lab.delete(CAPI, "Cluster", "c");

        // then
        for (Phase phase : phases) {
            assertThatThrownBy(() -> run(phase)).isInstanceOfSatisfying(Failure.class, failure -> {
                assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                assertThat(failure.code()).isEqualTo("ClusterGone");
            });
        }
    }

    private Outcome run(Phase phase) {
        before = lab.versions();
        return phase.run(lab.context(cluster));
    }

    private void waits(Phase phase, String reason, String message) {
        assertThat(run(phase)).isEqualTo(Outcome.waiting(reason, message));
    }

    private void condition(String kind, String name, String type, String reason, String message) {
        lab.patchStatus(
                CAPI,
                kind,
                name,
                "conditions: [{type: " + type + ", status: 'False', reason: " + reason + ", message: " + message + ", "
                        + TIME + "}]");
    }

    private static ImportSettings imports(boolean network) {
        return new ImportSettings(
                true, "", CredentialRanking.Policy.AUTO, Duration.ofMinutes(10), "", network, Duration.ofMinutes(10));
    }

    private static String ready(String status, String type, String message) {
        return "conditions: [{type: " + type + ", status: '" + status + "', reason: R, message: " + message + ", "
                + TIME + "}]\n";
    }

    private void machine(String name, boolean controlPlane, String status) {
        lab.apply("apiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\nmetadata: {name: " + name
                + ", labels: {cluster.x-k8s.io/cluster-name: c"
                + (controlPlane ? ", cluster.x-k8s.io/control-plane: ''" : "") + "}}\n"
                + "spec:\n  clusterName: c\n  bootstrap: {dataSecretName: x}\n  infrastructureRef:"
                + " {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachine, name: x}\n");
        lab.patchStatus(CAPI, "Machine", name, status);
    }

    private void deployment(int replicas) {
        lab.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {name: c-md, labels: {cluster.x-k8s.io/cluster-name: c}}
                spec:
                  clusterName: c
                  replicas: %d
                  selector: {matchLabels: {x: y}}
                  template:
                    metadata: {labels: {x: y}}
                    spec:
                      clusterName: c
                      bootstrap: {dataSecretName: x}
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachine, name: x}
                """
                        .formatted(replicas));
    }

    private void node(String name, String ready) {
        lab.json()
                .apply(
                        "/api/v1/nodes/" + name,
                        dev.slipway.controlplane.JsonApi.parse(
                                "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name + "\"}}"));
        lab.json()
                .merge(
                        "/api/v1/nodes/" + name + "/status",
                        "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"" + ready
                                + "\",\"reason\":\"KubeletReady\",\"message\":\"m\"}]}}");
    }
}
