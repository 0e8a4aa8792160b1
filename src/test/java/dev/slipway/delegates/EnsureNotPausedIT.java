package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pausing and dry runs on a real API server. */
class EnsureNotPausedIT {

    private static final Path FILES = Path.of("src/test/resources/cluster");
    private static final String TOPOLOGY =
            "version: v1.36.3\ntopology: {class: small, variables: [{name: flavour, value: big}]}\n";
    private static final String TEMPLATE =
            "version: v1.36.3\ntemplateRef: {name: t, variables: {CONTROL_PLANE_MACHINE_COUNT: '1'}}\n";

    private final ClusterLab lab = ClusterLab.open("paused");
    private final EnsureNotPaused phase = new EnsureNotPaused(lab.clusters(), lab.objects());

    @Test
    void waitsWhilePausedAndGoesOnAfterwards() {
        // given
        WorkloadCluster cluster = lab.declare("c", TOPOLOGY + "paused: true\n");
        Map<String, String> before = lab.versions();

        // when
        Outcome paused = phase.run(lab.context(cluster));

        // then
        assertThat(paused)
                .isEqualTo(Outcome.waiting(
                        "Paused", cluster.display() + " is paused; set spec.paused to false to let it go on"));
        assertThat(lab.versions()).isEqualTo(before);

        // when
        lab.patch("slipway.dev", "WorkloadCluster", "c", "spec: {paused: false}");

        // then
        assertThat(phase.run(lab.context(cluster)))
                .isEqualTo(Outcome.done(cluster.display() + " is not paused").with("dryRun", "false"));
    }

    @Test
    void plansATemplateWithoutMakingAnything() throws IOException {
        // given
        lab.template("t", Files.readString(FILES.resolve("template.yaml")));
        WorkloadCluster cluster = lab.declare("c", TEMPLATE + "dryRun: true\n");
        Map<String, String> before = lab.versions();

        // when
        Outcome outcome = phase.run(lab.context(cluster));

        // then
        String plan =
                """
                create Secret c-note
                create DevMachineTemplate.infrastructure.cluster.x-k8s.io c
                create DevCluster.infrastructure.cluster.x-k8s.io c
                create KubeadmControlPlane.controlplane.cluster.x-k8s.io c-cp
                create Cluster.cluster.x-k8s.io c""";
        assertThat(outcome)
                .isEqualTo(Outcome.done("Dry run of 5 objects, nothing was made:\n" + plan)
                        .with("dryRun", "true")
                        .with("plan", plan));
        assertThat(lab.versions()).isEqualTo(before);
        assertThat(phase.run(lab.context(cluster))).isEqualTo(outcome);
    }

    @Test
    void tellsWhatWouldChangeAndWhatWouldStay() throws IOException {
        // given
        lab.template("t", Files.readString(FILES.resolve("template.yaml")));
        WorkloadCluster cluster = lab.declare("c", TEMPLATE + "dryRun: true\n");
        lab.objects().apply(cluster);
        lab.patch(
                "slipway.dev",
                "WorkloadCluster",
                "c",
                "spec: {templateRef: {variables: {CONTROL_PLANE_MACHINE_COUNT: '3'}}}");
        Map<String, String> before = lab.versions();

        // when
        Outcome outcome = phase.run(lab.context(cluster));

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(
                        done.facts().get("plan"))
                .contains("change KubeadmControlPlane.controlplane.cluster.x-k8s.io c-cp")
                .contains("keep Cluster.cluster.x-k8s.io c")
                .contains("keep Secret c-note"));
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    void tellsWhatTheServerWouldRefuse() throws IOException {
        // given
        lab.template(
                "t",
                Files.readString(FILES.resolve("template.yaml")).replace("backend: {inMemory", "backendd: {inMemory"));
        WorkloadCluster cluster = lab.declare("c", TEMPLATE + "dryRun: true\n");

        // then
        assertThatThrownBy(() -> phase.run(lab.context(cluster))).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(failure.message()).contains("backendd");
        });
    }
}
