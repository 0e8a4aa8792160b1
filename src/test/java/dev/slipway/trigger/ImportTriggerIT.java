package dev.slipway.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.JsonApi;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.LabelSelector;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.platform.PlatformSettings.Api;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.health.Status;

/** What starts imports, against a real API server with a platform. */
class ImportTriggerIT {

    private final ImportScene scene = ImportScene.withPlatform();
    private final String name = ImportScene.name();

    // What is imported

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"status\": {\"initialization\": {\"infrastructureProvisioned\": true}}}",
                "{\"status\": {\"conditions\": [{\"type\": \"InfrastructureReady\", \"status\": \"True\","
                        + " \"reason\": \"Ready\", \"message\": \"\", \"lastTransitionTime\": \"2026-01-01T00:00:00Z\"}]}}"
            })
    void startsTheImportOfAProvisionedCluster(String status) {
        // given
        scene.create(name);
        KubeObject cluster = scene.status(name, status);

        // when
        sweep();

        // then
        assertThat(scene.flows.active(cluster.uid())).singleElement().satisfies(flow -> {
            assertThat(flow.kind()).isEqualTo("import");
            assertThat(flow.startedBy()).isEqualTo("slipway");
            assertThat(flow.cluster()).isEqualTo(new ClusterRef(scene.namespace, name, cluster.uid()));
        });
    }

    @Test
    void thePhaseOfAClusterDecidesNothing() {
        // given
        scene.create(name);
        scene.status(name, "{\"status\": {\"phase\": \"Provisioned\"}}");

        // when
        sweep();

        // then
        assertThat(scene.flows.latestOfAll()).isEmpty();
    }

    @Test
    void aClusterThatNamesOnlyItsEndpointIsProvisioned() {
        // given
        scene.json.create(
                scene.path(name).replace("/" + name, ""),
                JsonApi.parse(
                        """
                        {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": {"name": "%s"},
                         "spec": {"controlPlaneEndpoint": {"host": "10.0.0.1", "port": 6443}}}"""
                                .formatted(name)));

        // when
        sweep();

        // then
        assertThat(scene.flows.active(scene.read(name).uid())).hasSize(1);
    }

    @Test
    void aPausedClusterIsStartedTooItsFlowSaysSo() {
        // given
        KubeObject cluster = scene.provisioned(name);
        scene.patch(name, "{\"spec\": {\"paused\": true}}");

        // when
        sweep();

        // then
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    @Test
    void whatIsImportedByItsLabelsKeyIsOnlyWatched() {
        // given
        scene.provisioned(name);
        KubeObject cluster = scene.patch(name, "{\"metadata\": {\"labels\": {\"capi.cpaas.io/imported\": \"\"}}}");

        // when
        sweep();

        // then
        assertThat(scene.flows.latestOfAll()).isEmpty();
        assertThat(scene.imported).containsExactly(ImportScene.ref(cluster));
    }

    @Test
    void whoOptsOutIsLeftAloneUntilItOptsIn() {
        // given
        scene.provisioned(name);
        KubeObject cluster = scene.annotate(name, "slipway.dev/import", "false");
        ImportTrigger trigger = sweep();
        assertThat(scene.flows.latestOfAll()).isEmpty();

        // when
        trigger.clusterSeen(scene.annotate(name, "slipway.dev/import", "true"));
        scene.workers.runDue();

        // then
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    @Test
    void onlySelectedClustersAreImported() {
        // given
        KubeObject cluster = scene.provisioned(name);
        ImportTrigger trigger = scene.trigger(true, "tier in (gold),!test", Api.AUTO);
        trigger.start();
        scene.workers.runDue();
        assertThat(scene.flows.latestOfAll()).isEmpty();

        // when
        trigger.clusterSeen(scene.patch(name, "{\"metadata\": {\"labels\": {\"tier\": \"gold\"}}}"));
        scene.workers.runDue();

        // then
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    @Test
    void nothingIsStartedWhereTheWatchIsSwitchedOff() {
        // given
        scene.provisioned(name);

        // when
        scene.trigger(false, "", Api.AUTO).start();
        scene.workers.runDue();

        // then
        assertThat(scene.flows.latestOfAll()).isEmpty();
    }

    // Whether there is a platform

    @Test
    void whereNoPlatformIsServedNothingIsStarted() {
        // given
        ImportScene without = ImportScene.withoutPlatform();
        without.provisioned(name);
        PlatformPresence presence = without.presence(Api.AUTO);

        // when
        without.trigger(policy(presence)).start();
        without.workers.advance(Duration.ofMinutes(11));

        // then
        assertThat(without.flows.latestOfAll()).isEmpty();
        assertThat(presence.health().getStatus()).isEqualTo(Status.UP);
        assertThat(presence.health().getDetails()).containsEntry("platform", "absent");
    }

    @Test
    void aPlatformThatIsRequiredAndAbsentIsAClearErrorAndNoCrash() {
        // given
        ImportScene without = ImportScene.withoutPlatform();
        without.provisioned(name);
        PlatformPresence presence = without.presence(Api.REQUIRED);

        // when
        without.trigger(policy(presence)).start();
        without.workers.runDue();

        // then
        assertThat(without.flows.latestOfAll()).isEmpty();
        assertThat(presence.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(presence.health().getDetails().get("problem").toString())
                .contains("does not serve Cluster and ClusterCredential", "slipway.platform.api");
    }

    // When it is started

    @Test
    void anEventIsEnough() {
        // given
        ImportTrigger trigger = sweep();
        KubeObject cluster = scene.provisioned(name);

        // when
        trigger.clusterSeen(cluster);
        scene.workers.runDue();

        // then
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    @Test
    @Tag("T31")
    void whatNoEventToldIsFoundByTheNextSweep() {
        // given
        sweep();
        KubeObject cluster = scene.provisioned(name);

        // when
        scene.workers.advance(Duration.ofMinutes(5));

        // then
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    @Test
    @Tag("T33")
    void severalNodesAndRestartsStartItOnce() {
        // given
        KubeObject cluster = scene.provisioned(name);
        ImportTrigger otherNode = scene.trigger();

        // when
        otherNode.start();
        sweep().clusterSeen(cluster);
        otherNode.clusterSeen(cluster);
        scene.workers.runDue();
        scene.trigger().start();
        scene.workers.runDue();

        // then
        assertThat(scene.flows.latestOfAll()).extracting(FlowView::id).containsExactly("flow-1");
    }

    @Test
    void nothingIsLostWhileTheDatabaseIsDown() {
        // given
        KubeObject cluster = scene.provisioned(name);
        scene.flows.fail(new IllegalStateException("The database is down"));
        scene.trigger().start();
        scene.workers.advance(Duration.ofMinutes(7));

        // when
        scene.flows.fail(null);
        scene.workers.advance(Duration.ofMinutes(2));

        // then
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    @Test
    void theImportOfAWorkloadClusterWaitsForItsInit() {
        // given
        scene.create(name, "workload-uid");
        scene.status(name, "{\"status\": {\"initialization\": {\"infrastructureProvisioned\": true}}}");
        sweep();
        assertThat(scene.flows.latestOfAll()).as("no init yet").isEmpty();
        scene.flows.start("init", new ClusterRef(scene.namespace, name, "workload-uid"), "slipway", null);
        sweep();
        assertThat(scene.flows.latestOfAll()).as("init runs").hasSize(1);

        // when
        scene.flows.end("flow-1", FlowState.COMPLETED, "Ready");
        sweep();

        // then
        assertThat(scene.flows.active("workload-uid"))
                .extracting(FlowView::kind)
                .containsExactly("import");
    }

    // When it is started again

    @Test
    void anAbortHoldsUntilSomebodyChangesTheCluster() {
        // given
        KubeObject cluster = scene.provisioned(name);
        ImportTrigger trigger = sweep();
        scene.flows.end("flow-1", FlowState.ABORTED, "Aborted");

        // when
        scene.annotate(name, "somebody.else/heartbeat", "1");
        scene.workers.advance(Duration.ofHours(5));

        // then
        assertThat(scene.flows.active(cluster.uid())).isEmpty();

        // when
        trigger.clusterSeen(scene.annotate(name, ImportAccess.KUBECONFIG_SECRET, "other"));
        scene.workers.runDue();

        // then
        assertThat(scene.flows.active(cluster.uid())).extracting(FlowView::id).containsExactly("flow-2");
    }

    @Test
    @Tag("T31")
    void anImportThatEndedWithoutTheMarkIsStartedAgainEverSlower() {
        // given
        KubeObject cluster = scene.provisioned(name);
        ImportTrigger trigger = sweep();
        Duration[] quiet = {Duration.ZERO, Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15)};

        for (int i = 0; i < quiet.length; i++) {
            // when
            scene.flows.end("flow-" + (i + 1), FlowState.COMPLETED, "Imported", scene.workers.instant());
            trigger.clusterSeen(cluster);
            scene.workers.advance(quiet[i].minusSeconds(quiet[i].isZero() ? 0 : 1));

            // then
            assertThat(scene.flows.active(cluster.uid())).hasSize(quiet[i].isZero() ? 1 : 0);

            // when
            scene.workers.advance(Duration.ofSeconds(1));
            trigger.clusterSeen(cluster);
            scene.workers.runDue();

            // then
            assertThat(scene.flows.active(cluster.uid()))
                    .extracting(FlowView::id)
                    .containsExactly("flow-" + (i + 2));
        }
    }

    // Clusters that go

    @Test
    void endsTheImportOfAClusterThatVanishedAfterASecondLook() {
        // given
        KubeObject cluster = scene.provisioned(name);
        sweep();
        scene.delete(name);

        // when
        scene.trigger().start();
        scene.workers.runDue();
        assertThat(scene.flows.active(cluster.uid())).as("after one look").hasSize(1);
        scene.workers.advance(Duration.ofSeconds(6));

        // then
        assertThat(scene.flows.latest(cluster.uid()))
                .extracting(FlowView::state)
                .containsExactly(FlowState.INTERRUPTED);
    }

    @Test
    void endsTheImportOfAClusterThatIsBeingDeletedWatchedOrNot() {
        // given
        scene.provisioned(name);
        KubeObject cluster = scene.patch(name, "{\"metadata\": {\"finalizers\": [\"test/keep\"]}}");
        sweep();
        scene.delete(name);

        // when
        scene.trigger(false, "", Api.AUTO).start();
        scene.workers.runDue();

        // then
        assertThat(scene.flows.active(cluster.uid())).isEmpty();
        scene.json.merge(scene.path(name), "{\"metadata\": {\"finalizers\": null}}");
    }

    @Test
    void theInitOfAWorkloadClusterIsNotEndedWithItsCluster() {
        // given
        scene.flows.start("init", new ClusterRef(scene.namespace, name, "workload-uid"), "slipway", null);
        scene.flows.start("import", new ClusterRef(scene.namespace, name, "workload-uid"), "slipway", null);

        // when
        scene.trigger().start();
        scene.workers.advance(Duration.ofMinutes(6));

        // then
        assertThat(scene.flows.active("workload-uid")).hasSize(2);
    }

    @Test
    void initsTriggerLeavesImportsOfOtherClustersAlone() {
        // given
        KubeObject cluster = scene.provisioned(name);
        sweep();

        // when
        DeletionStarts deletions = DeletionTriggers.of(scene.flows, scene.client, scene.workers);
        new InitTrigger(scene.flows, scene.client, deletions, List.of(scene.namespace), scene.workers, scene.workers)
                .start();
        scene.workers.advance(Duration.ofMinutes(1));

        // then
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    /** A node that has just started, and has looked once. */
    private ImportTrigger sweep() {
        ImportTrigger trigger = scene.trigger();
        trigger.start();
        scene.workers.runDue();
        return trigger;
    }

    private static ImportTrigger.Policy policy(PlatformPresence presence) {
        return new ImportTrigger.Policy(true, LabelSelector.parse(""), presence);
    }
}
