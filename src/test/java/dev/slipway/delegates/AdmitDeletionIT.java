package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.deletion.DeletionLab;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionPreview;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformLab;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first four phases of a deletion: whether, how much, and what stands in its way. */
class AdmitDeletionIT {

    @Test
    void aProtectedClusterIsNotTouchedUntilTheProtectionIsTakenOff() {
        try (DeletionLab lab = DeletionLab.declared()) {
            // given
            lab.management().merge(lab.workloadClusterPath(), "{\"spec\": {\"deletion\": {\"protected\": true}}}");

            // then
            assertThat(lab.run("admitDeletion")).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
                assertThat(blocked.code()).isEqualTo("DeletionProtected");
                assertThat(blocked.actions().get(0)).contains("kubectl patch", lab.name(), "\"protected\":false");
            });

            // when
            lab.management().merge(lab.workloadClusterPath(), "{\"spec\": {\"deletion\": {\"protected\": false}}}");

            // then
            assertThat(lab.run("admitDeletion")).isInstanceOf(Outcome.Done.class);
        }
    }

    @Test
    void aClusterThatNobodyDeclaredIsProtectedAndDecidedOnByAnnotations() {
        try (DeletionLab lab = DeletionLab.bare()) {
            // given
            annotate(lab, "deletion-protected", "true");

            // then
            assertThat(lab.run("admitDeletion")).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(
                            blocked.actions().get(0))
                    .contains("slipway.dev/deletion-protected-"));

            // when
            annotate(lab, "deletion-protected", "false");
            annotate(lab, "deletion-policy", "Forget");

            // then
            assertThat(lab.run("admitDeletion")).isInstanceOf(Outcome.Done.class);
            assertThat(lab.fact("deletion.effectiveMode")).contains("Forget");

            // when
            annotate(lab, "deletion-policy", "Destroy");

            // then
            assertThat(lab.run("admitDeletion")).isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(
                            retry.failure().code())
                    .isEqualTo("PolicyInvalid"));
        }
    }

    @Test
    void theModeFitsWhereTheClusterComesFromUnlessSomebodySaysOtherwise() {
        try (DeletionLab built = DeletionLab.bare()) {
            built.run("admitDeletion");
            assertThat(built.fact("deletion.effectiveMode")).contains("Full");
            built.mode(DeletionMode.DETACH).run("admitDeletion");
            assertThat(built.fact("deletion.effectiveMode")).contains("Detach");

            // when: somebody has told Cluster API already, so its machines go
            built.imports().done("ensureImportFinalizer");
            built.management().delete(built.imports().clusterPath());
            annotate(built, "deletion-policy", "Detach");

            // then
            assertThat(built.run("admitDeletion")).isInstanceOf(Outcome.Done.class);
            assertThat(built.fact("deletion.effectiveMode")).contains("Full");
            assertThat(built.preview(DeletionMode.DETACH).warnings())
                    .anyMatch(warning -> warning.contains("whatever the policy says"));
        }
        try (DeletionLab foreign = DeletionLab.bare()) {
            foreign.management()
                    .merge(
                            foreign.imports().clusterPath(),
                            "{\"spec\": {\"controlPlaneRef\": null, \"infrastructureRef\": null}}");
            foreign.run("admitDeletion");
            assertThat(foreign.fact("deletion.effectiveMode")).contains("Detach");
        }
    }

    @Test
    void aDryRunTellsWhatWouldGoAndWritesNothing() {
        try (DeletionLab lab = DeletionLab.declared();
                FaultInjector faults = FaultInjector.before(PlatformLab.plane())) {
            // given
            lab.imported().through(KubeClient.of(faults.apiClient()));
            lab.descendant("Machine", "m-1");
            lab.descendant("Machine", "m-2");
            Recording writes = faults.record(Calls.writes());

            // when
            lab.fact("deletion.dryRun", "true");
            Outcome outcome = lab.run("admitDeletion");

            // then
            assertThat(outcome).isInstanceOf(Outcome.Done.class);
            assertThat(lab.fact("dryRun")).contains("true");
            assertThat(lab.fact("plan").orElseThrow())
                    .contains("delete 2 Machine (m-1, m-2) by Cluster API", "delete 1 ClusterCredential");
            assertThat(lab.preview(DeletionMode.DETACH).items())
                    .filteredOn(item -> item.kind().equals("Machine"))
                    .extracting(DeletionPreview.Item::action, DeletionPreview.Item::names)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple("keep", List.of("m-1", "m-2")));
            assertThat(writes.calls()).isEmpty();
        }
    }

    @Test
    void anObjectThatAsksForADryRunWaitsVisibly() {
        try (DeletionLab lab = DeletionLab.declared()) {
            // given
            lab.management().merge(lab.workloadClusterPath(), "{\"spec\": {\"dryRun\": true}}");

            // then
            assertThat(lab.run("admitDeletion")).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
                assertThat(waiting.reason()).isEqualTo("DryRun");
                assertThat(waiting.message()).contains("delete 1 WorkloadCluster");
            });
        }
    }

    @Test
    @Tag("T07")
    void aDeletionByRestMarksTheObjectOnceWhateverItsStatusSays() {
        try (DeletionLab lab = DeletionLab.declared();
                FaultInjector faults = FaultInjector.before(PlatformLab.plane())) {
            // given: a status that says something else, and a finalizer that init never came to
            lab.management().merge(lab.workloadClusterPath(), "{\"metadata\": {\"finalizers\": null}}");
            lab.management().merge(lab.workloadClusterPath() + "/status", "{\"status\": {\"phase\": \"Ready\"}}");
            lab.through(KubeClient.of(faults.apiClient()));
            Recording deletes = faults.record(Calls.verb("delete"));

            // when: twice, as after a crash
            lab.done("admitDeletion", "markDeleting", "markDeleting");

            // then
            assertThat(deletes.calls()).hasSize(1);
            assertThat(lab.workloadCluster()
                            .orElseThrow()
                            .at("/metadata/deletionTimestamp")
                            .isMissingNode())
                    .isFalse();
            assertThat(lab.workloadCluster()
                            .orElseThrow()
                            .at("/metadata/finalizers")
                            .toString())
                    .contains("slipway.dev/workload-cluster");
            assertThat(lab.receipts().find("flow").orElseThrow().head().mode()).isEqualTo("Full");
        }
    }

    @Test
    void nothingGoesOnWhileAnotherFlowBuilds() {
        try (DeletionLab lab = DeletionLab.bare()) {
            // given
            lab.building().add("import");

            // then
            assertThat(lab.run("ensureOtherFlowsEnded"))
                    .isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.message())
                            .contains("import"));

            // when
            lab.building().clear();

            // then
            assertThat(lab.run("ensureOtherFlowsEnded")).isInstanceOf(Outcome.Done.class);
        }
    }

    @Test
    @Tag("T61")
    void aPausedClusterIsUnpausedAndTheReceiptSaysWhatPausedIt() {
        try (DeletionLab lab = DeletionLab.declared()) {
            // given
            pause(lab);

            // when
            lab.done("admitDeletion", "markDeleting", "ensureUnpaused");

            // then
            assertThat(lab.cluster().orElseThrow().at("/spec/paused").asBoolean())
                    .isFalse();
            assertThat(lab.cluster().orElseThrow().at("/metadata/annotations").has("cluster.x-k8s.io/paused"))
                    .isFalse();
            assertThat(lab.fact("deletion.wasPaused").orElseThrow()).contains("spec.paused", "cluster.x-k8s.io/paused");
            assertThat(lab.entry("Pause of Cluster " + lab.ref().display())).isPresent();
        }
    }

    @Test
    @Tag("T61")
    void whoWantsToBeAskedIsAskedBeforeAPauseEnds() {
        try (DeletionLab lab = DeletionLab.declared()) {
            // given
            lab.management().merge(lab.workloadClusterPath(), "{\"spec\": {\"deletion\": {\"paused\": \"ask\"}}}");
            pause(lab);
            lab.done("admitDeletion", "markDeleting");

            // then
            assertThat(lab.run("ensureUnpaused")).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
                assertThat(waiting.reason()).isEqualTo("Paused");
                assertThat(waiting.message()).contains("UNPAUSE", "ABORT");
            });
            assertThat(lab.cluster().orElseThrow().at("/spec/paused").asBoolean())
                    .isTrue();

            // when
            lab.fact("directive.UNPAUSE", "decision-1").done("ensureUnpaused");

            // then
            assertThat(lab.cluster().orElseThrow().at("/spec/paused").asBoolean())
                    .isFalse();
        }
    }

    @Test
    void aClusterThatIsDetachedKeepsItsPause() {
        try (DeletionLab lab = DeletionLab.declared()) {
            // given
            pause(lab);

            // when
            lab.mode(DeletionMode.DETACH).done("admitDeletion", "markDeleting", "ensureUnpaused");

            // then
            assertThat(lab.cluster().orElseThrow().at("/spec/paused").asBoolean())
                    .isTrue();
        }
    }

    private static void pause(DeletionLab lab) {
        lab.management()
                .merge(
                        lab.imports().clusterPath(),
                        "{\"spec\": {\"paused\": true}, \"metadata\": {\"annotations\":"
                                + " {\"cluster.x-k8s.io/paused\": \"\"}}}");
    }

    private static void annotate(DeletionLab lab, String annotation, String value) {
        lab.management()
                .merge(
                        lab.imports().clusterPath(),
                        "{\"metadata\": {\"annotations\": {\"slipway.dev/" + annotation + "\": \"" + value + "\"}}}");
    }
}
