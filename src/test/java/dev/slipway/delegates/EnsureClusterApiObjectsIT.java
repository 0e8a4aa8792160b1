package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The objects of Cluster API, made on a real API server with the real resource definitions. */
class EnsureClusterApiObjectsIT {

    private static final Path FILES = Path.of("src/test/resources/cluster");
    private static final String CAPI = "cluster.x-k8s.io";
    private static final String TOPOLOGY =
            "version: v1.36.3\ntopology: {class: small, variables: [{name: flavour, value: big}]}\n";
    private static final String TEMPLATE =
            "version: v1.36.3\ntemplateRef: {name: t, variables: {CONTROL_PLANE_MACHINE_COUNT: '1'}}\n";
    private static final String REFERENCES =
            """
            spec:
              infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: c}
              controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: c-cp}
            """;

    private final ClusterLab lab = ClusterLab.open("objects");
    private final EnsureClusterApiObjects phase = new EnsureClusterApiObjects(lab.clusters(), lab.api(), lab.objects());

    @Test
    void makesTheClusterOfATopologyAndWaitsForTheTopologyController() throws IOException {
        // given
        lab.apply(Files.readString(FILES.resolve("class.yaml")));
        WorkloadCluster cluster = lab.declare("c", "{cpaas.io/network-type: calico, example.test/other: x}", TOPOLOGY);

        // when
        Outcome outcome = phase.run(lab.context(cluster));

        // then
        assertThat(outcome)
                .isEqualTo(Outcome.waiting(
                        "WaitingForTopology",
                        "the topology controller has not made infrastructure and control plane of Cluster "
                                + lab.namespace() + "/c yet"));
        KubeObject made = lab.get(CAPI, "Cluster", "c");
        assertThat(made.at("metadata", "ownerReferences").get(0))
                .isEqualTo(cluster.object().ownerReference(true));
        assertThat(made.labels())
                .containsEntry("cluster.x-k8s.io/cluster-name", "c")
                .containsEntry("app.kubernetes.io/managed-by", "slipway");
        assertThat(made.annotations()).containsExactly(Map.entry("cpaas.io/network-type", "calico"));
    }

    @Test
    void takesBackAnAnnotationThatIsTakenBack() throws IOException {
        // given
        lab.apply(Files.readString(FILES.resolve("class.yaml")));
        WorkloadCluster cluster = lab.declare("c", "{cpaas.io/network-type: calico}", TOPOLOGY);
        phase.run(lab.context(cluster));

        // when
        lab.patch("slipway.dev", "WorkloadCluster", "c", "metadata: {annotations: {cpaas.io/network-type: null}}");
        phase.run(lab.context(cluster));

        // then
        assertThat(lab.get(CAPI, "Cluster", "c").annotations()).isEmpty();
    }

    @Test
    void showsWhyTheTopologyControllerDoesNotGoOn() throws IOException {
        // given
        lab.apply(Files.readString(FILES.resolve("class.yaml")));
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY);
        phase.run(lab.context(cluster));
        lab.patchStatus(
                CAPI,
                "Cluster",
                "c",
                "conditions: [{type: TopologyReconciled, status: 'False', reason: TopologyReconcileFailed,"
                        + " message: no such template, lastTransitionTime: '2030-01-01T00:00:00Z'}]");
        Map<String, String> before = lab.versions();

        // when
        Outcome outcome = phase.run(lab.context(cluster));

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.message())
                .endsWith("yet; TopologyReconciled is False, reason TopologyReconcileFailed: no such template"));
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    void isDoneOnceWhatTheTopologyRefersToExists() throws IOException {
        // given
        lab.apply(Files.readString(FILES.resolve("class.yaml")));
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY);
        phase.run(lab.context(cluster));
        lab.patch(CAPI, "Cluster", "c", REFERENCES);

        // when
        Outcome dangling = phase.run(lab.context(cluster));

        // then
        assertThat(dangling)
                .isEqualTo(Outcome.waiting(
                        "WaitingForReferences",
                        "Cluster " + lab.namespace() + "/c refers to DevCluster c, which does not exist yet"));

        // when
        lab.apply(Files.readString(FILES.resolve("template.yaml"))
                .replaceAll("(?s)^.*?---\n", "")
                .replace("${CLUSTER_NAME}", "c")
                .replace("${CONTROL_PLANE_MACHINE_COUNT}", "1")
                .replace("${KUBERNETES_VERSION}", "v1.36.3"));
        Map<String, String> before = lab.versions();
        Outcome done = phase.run(lab.context(cluster));

        // then
        assertThat(done)
                .isEqualTo(Outcome.done("Cluster " + lab.namespace()
                                + "/c is there with DevCluster c and KubeadmControlPlane c-cp")
                        .with("capiClusterUid", lab.get(CAPI, "Cluster", "c").uid()));
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    void makesAllObjectsOfATemplateAndTheSecondRunChangesNothing() throws IOException {
        // given
        lab.template("t", Files.readString(FILES.resolve("template.yaml")));
        WorkloadCluster cluster = lab.declare("c", TEMPLATE + "controlPlaneEndpoint: {host: 127.0.0.1, port: 7443}\n");

        // when
        Outcome first = phase.run(lab.context(cluster));

        // then
        assertThat(first).isInstanceOf(Outcome.Done.class);
        KubeObject made = lab.get(CAPI, "Cluster", "c");
        assertThat(made.at("spec", "controlPlaneEndpoint", "port").asInt()).isEqualTo(7443);
        assertThat(made.at("spec", "clusterNetwork", "pods", "cidrBlocks")
                        .get(0)
                        .asText())
                .isEqualTo("192.168.0.0/16");
        assertThat(lab.get("infrastructure.cluster.x-k8s.io", "DevCluster", "c").at("metadata", "ownerReferences"))
                .singleElement()
                .isEqualTo(cluster.object().ownerReference(false));
        assertThat(lab.get("", "Secret", "c-note").at("data", "text").asText())
                .isEqualTo(java.util.Base64.getEncoder()
                        .encodeToString(
                                "a shell's $PID and ${LATER} stay".getBytes(java.nio.charset.StandardCharsets.UTF_8)));

        // when
        Map<String, String> before = lab.versions();
        Outcome second = phase.run(lab.context(cluster));

        // then
        assertThat(second).isEqualTo(first);
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    void makesNothingWhenTheServerRefusesOneOfTheObjects() throws IOException {
        // given
        lab.template(
                "t",
                Files.readString(FILES.resolve("template.yaml"))
                        .replace("replicas: ${CONTROL_PLANE_MACHINE_COUNT}", "replicas: many"));
        WorkloadCluster cluster = lab.declare("c", TEMPLATE);
        Map<String, String> before = lab.versions();

        // then
        assertThatThrownBy(() -> phase.run(lab.context(cluster))).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(failure.message()).contains("c-cp").contains("replicas");
        });
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    void neverTakesOverAClusterOfSomebodyElse() {
        // given
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY);
        lab.apply("apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: c}\n" + REFERENCES);
        Map<String, String> before = lab.versions();

        // then
        assertThatThrownBy(() -> phase.run(lab.context(cluster))).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(failure.code()).isEqualTo("ClusterNotOurs");
            assertThat(failure.message())
                    .contains("Cluster " + lab.namespace() + "/c")
                    .contains("was not made for " + cluster.display())
                    .endsWith("it has no owner");
            assertThat(failure.actions()).hasSize(2);
        });
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    void neverOverwritesAnObjectOfSomebodyElse() throws IOException {
        // given
        lab.template("t", Files.readString(FILES.resolve("template.yaml")));
        lab.apply("apiVersion: v1\nkind: Secret\nmetadata: {name: c-note}\nstringData: {text: mine}\n");
        WorkloadCluster cluster = lab.declare("c", TEMPLATE);
        Map<String, String> before = lab.versions();

        // then
        assertThatThrownBy(() -> phase.run(lab.context(cluster)))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.code()).isEqualTo("ObjectNotOurs"));
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    void refusesAClusterThatWasReplacedBehindItsBack() throws IOException {
        // given
        lab.apply(Files.readString(FILES.resolve("class.yaml")));
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY);
        phase.run(lab.context(cluster));

        // then
        assertThatThrownBy(() -> phase.run(lab.context(cluster.ref(), Map.of("capiClusterUid", "an-earlier-uid"))))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                    assertThat(failure.code()).isEqualTo("ClusterReplaced");
                });
    }

    @Test
    void waitsUntilAnEarlierClusterOfTheNameIsGone() {
        // given
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY);
        lab.apply(
                "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: c, finalizers: [example.test/x]}\n"
                        + REFERENCES);
        lab.delete(CAPI, "Cluster", "c");

        // when
        Outcome outcome = phase.run(lab.context(cluster));

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("WaitingForClusterDeletion");
            assertThat(waiting.message()).endsWith("is being deleted: its finalizers are [example.test/x]");
        });
    }

    @Test
    void staysAwayFromAWorkloadClusterThatIsBeingDeleted() {
        // given
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY);
        lab.patch("slipway.dev", "WorkloadCluster", "c", "metadata: {finalizers: [example.test/x]}");
        lab.delete("slipway.dev", "WorkloadCluster", "c");

        // when
        Outcome outcome = phase.run(lab.context(cluster));

        // then
        assertThat(outcome).isInstanceOf(Outcome.Waiting.class);
        assertThat(lab.api().cluster(lab.namespace(), "c")).isEmpty();
    }
}
