package dev.slipway.diagnosis;

import static dev.slipway.diagnosis.DiagnosisScene.CAPI;
import static dev.slipway.diagnosis.DiagnosisScene.only;
import static dev.slipway.diagnosis.DiagnosisScene.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.phase.ClusterRef;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
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
            scene.endpoint(hole.getLocalPort());

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
        scene.endpoint(1);

        // when
        Diagnosis diagnosis = scene.diagnose();

        // then
        assertThat(signature(diagnosis)).isEqualTo("API unreachable");
        assertThat(only(diagnosis, "tcp/127.0.0.1:1").sentence()).contains("refuses connections");
        assertThat(only(diagnosis, "nodes").code()).isEqualTo("ApiUnreachable");
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
}
