package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.imports.ImportedCluster;
import dev.slipway.phase.Outcome;
import org.junit.jupiter.api.Test;

/** What stands before the first write outside of a Cluster: no pause, and the finalizer. */
class ImportEntranceIT {

    private static final String FINALIZER = "capi.cpaas.io/imported";

    private final ImportedCluster cluster = ImportedCluster.create("entrance", ImportedCluster.BUILT);

    @Test
    void aClusterThatNobodyPausesIsPassed() {
        assertThat(pause()).isEqualTo(Outcome.done(cluster.display() + " is not paused"));
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    void aPauseSaysWhatItIsWhoSetItAndHowToEndIt() {
        // given
        cluster.patch("spec: {paused: true}");

        // then
        assertThat(pause()).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("Paused");
            assertThat(waiting.message())
                    .contains("spec.paused is true (set by ")
                    .contains("kubectl patch cluster.cluster.x-k8s.io entrance -n " + cluster.namespace()
                            + " --type merge -p '{\"spec\":{\"paused\":false}}'")
                    .doesNotContain("annotation");
        });

        // when
        cluster.patch("{spec: {paused: false}, metadata: {annotations: {cluster.x-k8s.io/paused: ''}}}");

        // then
        assertThat(pause()).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.message())
                .contains("it has the annotation cluster.x-k8s.io/paused (set by ")
                .contains("-n " + cluster.namespace() + " cluster.x-k8s.io/paused-")
                .doesNotContain("spec.paused"));
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    void noPauseHoldsUpAFlowThatHasNothingToDo() {
        // given
        cluster.patch("spec: {paused: true}").fact("importMode", "off");

        // then
        assertThat(pause()).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void theFinalizerIsAddedOnceToWhatIsThere() {
        // given
        cluster.patch("metadata: {finalizers: [cluster.cluster.x-k8s.io]}");

        // then
        assertThat(finalizer()).isEqualTo(Outcome.done("the finalizer " + FINALIZER + " was set"));
        assertThat(cluster.object().finalizers()).containsExactly("cluster.cluster.x-k8s.io", FINALIZER);
        int written = cluster.writes().size();
        assertThat(finalizer()).isEqualTo(Outcome.done("the finalizer " + FINALIZER + " is set"));
        assertThat(cluster.writes()).hasSize(written);
    }

    @Test
    void aClusterThatIsBeingDeletedGetsNoFinalizer() {
        // given
        cluster.patch("metadata: {finalizers: [test.slipway.dev/hold]}");
        cluster.delete();

        // then
        assertThat(finalizer()).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.reason())
                .isEqualTo("WaitingForDeletion"));
        assertThat(cluster.writes()).isEmpty();
    }

    private Outcome pause() {
        return new EnsureClusterNotPaused(cluster.targets()).run(cluster.context());
    }

    private Outcome finalizer() {
        return new EnsureImportFinalizer(cluster.client(), cluster.client(), cluster.targets()).run(cluster.context());
    }
}
