package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.phase.Outcome;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The finalizer of a WorkloadCluster on a real API server. */
class EnsureFinalizerIT {

    private static final String SPEC = "version: v1.36.3\ntopology: {class: small}\n";

    private final ClusterLab lab = ClusterLab.open("finalizer");
    private final EnsureFinalizer phase = new EnsureFinalizer(lab.clusters(), lab.client());

    @Test
    void setsTheFinalizerBesideThoseOfOthers() {
        // given
        WorkloadCluster cluster = lab.declare("c", SPEC);
        lab.patch("slipway.dev", "WorkloadCluster", "c", "metadata: {finalizers: [example.test/other]}");

        // when
        Outcome outcome = phase.run(lab.context(cluster));

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(lab.get("slipway.dev", "WorkloadCluster", "c").finalizers())
                .containsExactlyInAnyOrder("example.test/other", "slipway.dev/workload-cluster");
    }

    @Test
    void changesNothingWhenItIsSet() {
        // given
        WorkloadCluster cluster = lab.declare("c", SPEC);
        phase.run(lab.context(cluster));
        Map<String, String> before = lab.versions();

        // when
        Outcome outcome = phase.run(lab.context(cluster));

        // then
        assertThat(outcome).isEqualTo(Outcome.done("the finalizer slipway.dev/workload-cluster is set"));
        assertThat(lab.versions()).isEqualTo(before);
    }

    @Test
    @Tag("T60")
    void addsNoneToAnObjectThatIsBeingDeleted() {
        // given
        WorkloadCluster cluster = lab.declare("c", SPEC);
        lab.patch("slipway.dev", "WorkloadCluster", "c", "metadata: {finalizers: [example.test/other]}");
        lab.delete("slipway.dev", "WorkloadCluster", "c");
        Map<String, String> before = lab.versions();

        // when
        Outcome outcome = phase.run(lab.context(cluster));

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.reason())
                .isEqualTo("WaitingForDeletion"));
        assertThat(lab.versions()).isEqualTo(before);
    }
}
