package dev.slipway.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What starts deletions, against a real API server; time and threads are moved by hand. */
class DeletionTriggerIT {

    private static final String IMPORTED = "capi.cpaas.io/imported";
    private static final String OURS = "slipway.dev/workload-cluster";

    private final ImportScene scene = ImportScene.withPlatform();
    private final JsonApi json = scene.json;
    private final String name = ImportScene.name();

    @AfterEach
    void release() {
        for (String path : List.of(scene.path(name), workload())) {
            json.get(path).ifPresent(object -> {
                json.merge(path, "{\"metadata\": {\"finalizers\": null}}");
                json.delete(path);
            });
        }
    }

    // WorkloadClusters

    @Test
    @Tag("T63")
    void aDeletedWorkloadClusterStartsItsDeletionOnceInPlaceOfItsInit() {
        // given
        KubeObject cluster = workloadCluster(OURS);
        InitTrigger trigger = initTrigger();
        trigger.seen(cluster);
        scene.workers.runDue();

        // when
        json.delete(workload());
        trigger.seen(read());
        initTrigger().start();
        scene.workers.runDue();
        scene.workers.advance(Duration.ofMinutes(11));

        // then
        assertThat(scene.flows.latest(cluster.uid()))
                .extracting(FlowView::kind, FlowView::state)
                .containsExactlyInAnyOrder(tuple("init", FlowState.INTERRUPTED), tuple("delete", FlowState.RUNNING));
        FlowView deletion = deletion(cluster.uid());
        assertThat(deletion.cluster()).isEqualTo(new ClusterRef(scene.namespace, name, cluster.uid()));
        assertThat(deletion.startedBy()).isEqualTo("slipway");
        assertThat(scene.flows.facts(deletion.id()))
                .containsOnly(Map.entry("deletion.by", "kubernetes"), Map.entry("deletion.subject", "WorkloadCluster"));
    }

    @Test
    void anAbortedDeletionIsNotStartedAgainByItself() {
        // given
        KubeObject cluster = workloadCluster(OURS);
        json.delete(workload());
        sweepInits();
        scene.flows.end(deletion(cluster.uid()).id(), FlowState.ABORTED, "Aborted");

        // when
        sweepInits();
        scene.workers.advance(Duration.ofHours(2));

        // then
        assertThat(scene.flows.active(cluster.uid())).isEmpty();
    }

    @Test
    void whatADeletionOfAPersonEndedStartsAgainIfThatIsAborted() {
        // given
        KubeObject cluster = workloadCluster(OURS);
        InitTrigger trigger = initTrigger();
        trigger.start();
        scene.workers.runDue();
        FlowView deletion = scene.flows.start(Flows.DELETE, ref(cluster), "alice", null);
        trigger = initTrigger();
        trigger.start();
        scene.workers.runDue();
        assertThat(scene.flows.active(cluster.uid())).extracting(FlowView::kind).containsExactly("delete");

        // when
        scene.flows.end(deletion.id(), FlowState.ABORTED, "Aborted");
        scene.workers.advance(Duration.ofMinutes(6));

        // then
        assertThat(scene.flows.active(cluster.uid())).extracting(FlowView::kind).containsExactly("init");
    }

    @Test
    void aDeletionByKubernetesAfterAnAbortedOneOfAPersonIsANewRequest() {
        // given
        KubeObject cluster = workloadCluster(OURS);
        FlowView first = scene.flows.start(Flows.DELETE, ref(cluster), "alice", null);
        scene.flows.end(first.id(), FlowState.ABORTED, "Aborted");

        // when
        json.delete(workload());
        sweepInits();

        // then
        assertThat(deletion(cluster.uid()).id()).isNotEqualTo(first.id());
    }

    @Test
    void aDryRunIsNoDeletion() {
        // given
        KubeObject cluster = workloadCluster(OURS);
        json.delete(workload());
        sweepInits();
        scene.flows.end(deletion(cluster.uid()).id(), FlowState.COMPLETED, "Planned", Instant.MAX);

        // when
        sweepInits();

        // then
        assertThat(scene.flows.active(cluster.uid())).extracting(FlowView::kind).containsExactly("delete");
    }

    @Test
    void anObjectThatIsStillThereLongAfterItsDeletionEndedIsDeletedAgain() {
        // given
        KubeObject cluster = workloadCluster(OURS);
        json.delete(workload());
        sweepInits();
        scene.flows.end(deletion(cluster.uid()).id(), FlowState.COMPLETED, "Deleted", scene.workers.instant());

        // when
        sweepInits();
        assertThat(scene.flows.active(cluster.uid())).isEmpty();
        scene.workers.advance(Duration.ofMinutes(6));
        sweepInits();

        // then
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    @Test
    void aDeletionGoesOnThoughItsObjectWasRemovedByForce() {
        // given
        KubeObject cluster = workloadCluster(OURS);
        json.delete(workload());
        InitTrigger trigger = initTrigger();
        trigger.seen(read());
        scene.workers.runDue();

        // when
        json.merge(workload(), "{\"metadata\": {\"finalizers\": null}}");
        trigger.gone(scene.namespace, name, cluster.uid());
        scene.workers.advance(Duration.ofMinutes(11));

        // then
        assertThat(scene.flows.active(cluster.uid())).extracting(FlowView::kind).containsExactly("delete");
    }

    @Test
    void anObjectWithoutOurFinalizerOnlyEndsItsFlows() {
        // given
        KubeObject cluster = workloadCluster("somebody.else/keeps");
        sweepInits();

        // when
        json.delete(workload());
        sweepInits();

        // then
        assertThat(scene.flows.latest(cluster.uid()))
                .extracting(FlowView::kind, FlowView::state)
                .containsExactly(tuple("init", FlowState.INTERRUPTED));
    }

    // Clusters of Cluster API

    @Test
    void aDeletedClusterThatWasImportedStartsItsDeletion() {
        // given
        scene.provisioned(name);
        KubeObject cluster = scene.patch(name, "{\"metadata\": {\"finalizers\": [\"" + IMPORTED + "\"]}}");
        sweepImports();

        // when
        scene.delete(name);
        sweepImports();

        // then
        FlowView deletion = deletion(cluster.uid());
        assertThat(deletion.cluster()).isEqualTo(ImportScene.ref(cluster));
        assertThat(scene.flows.facts(deletion.id())).containsEntry("deletion.subject", "Cluster");
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    @Test
    void aDeletedClusterWithoutAnyMarkIsKnownByItsImport() {
        // given
        scene.provisioned(name);
        KubeObject cluster = scene.patch(name, "{\"metadata\": {\"finalizers\": [\"test/keep\"]}}");
        sweepImports();
        scene.flows.end(scene.flows.active(cluster.uid()).get(0).id(), FlowState.COMPLETED, "Imported", Instant.MAX);

        // when
        scene.delete(name);
        sweepImports();

        // then
        assertThat(scene.flows.active(cluster.uid())).extracting(FlowView::kind).containsExactly("delete");

        // when: it was let go before
        scene.flows.end(deletion(cluster.uid()).id(), FlowState.COMPLETED, "Detached", scene.workers.instant());
        scene.workers.advance(Duration.ofHours(1));
        sweepImports();

        // then
        assertThat(scene.flows.active(cluster.uid())).isEmpty();
    }

    @Test
    void aClusterThatWasNeverImportedOnlyEndsItsImport() {
        // given
        scene.provisioned(name);
        KubeObject cluster = scene.patch(name, "{\"metadata\": {\"finalizers\": [\"test/keep\"]}}");
        sweepImports();

        // when
        scene.delete(name);
        sweepImports();

        // then
        assertThat(scene.flows.latest(cluster.uid()))
                .extracting(FlowView::kind, FlowView::state)
                .containsExactly(tuple("import", FlowState.INTERRUPTED));
    }

    @Test
    void aClusterOfAWorkloadClusterIsLeftToIt() {
        // given
        KubeObject owner = workloadCluster(OURS);
        clusterOf(owner);

        // when
        scene.delete(name);
        sweepImports();
        sweepImports();

        // then
        assertThat(scene.flows.latestOfAll()).isEmpty();
        assertThat(json.list("/api/v1/namespaces/" + scene.namespace + "/events"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.at("/reason").asText()).isEqualTo("ClusterDeletedByHand");
                    assertThat(event.at("/involvedObject/uid").asText()).isEqualTo(owner.uid());
                    assertThat(event.at("/count").asInt()).isEqualTo(1);
                });
    }

    @Test
    void aClusterWhoseWorkloadClusterWasRemovedByForceIsDeletedByItself() {
        // given
        KubeObject owner = workloadCluster(OURS);
        clusterOf(owner);
        json.merge(workload(), "{\"metadata\": {\"finalizers\": null}}");
        json.delete(workload());

        // when
        scene.delete(name);
        sweepImports();

        // then
        FlowView deletion = deletion(owner.uid());
        assertThat(scene.flows.facts(deletion.id())).containsEntry("deletion.subject", "Cluster");
    }

    private void clusterOf(KubeObject owner) {
        scene.create(name, owner.uid());
        scene.patch(name, "{\"metadata\": {\"finalizers\": [\"" + IMPORTED + "\"]}}");
    }

    private FlowView deletion(String uid) {
        return scene.flows.latest(uid).stream()
                .filter(flow -> flow.kind().equals(Flows.DELETE))
                .findFirst()
                .orElseThrow();
    }

    private void sweepInits() {
        initTrigger().start();
        scene.workers.runDue();
    }

    private void sweepImports() {
        scene.trigger().start();
        scene.workers.runDue();
    }

    private InitTrigger initTrigger() {
        return new InitTrigger(
                scene.flows,
                scene.client,
                DeletionTriggers.of(scene.flows, scene.client, scene.workers),
                List.of(scene.namespace),
                scene.workers,
                scene.workers);
    }

    private KubeObject workloadCluster(String finalizer) {
        return new KubeObject(json.create(
                        workload().replace("/" + name, ""),
                        JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                + " \"metadata\": {\"name\": \"" + name + "\", \"finalizers\": [\"" + finalizer
                                + "\"]}, \"spec\": {\"version\": \"v1.36.3\", \"topology\": {\"class\": \"any\"}}}"))
                .orElseThrow());
    }

    private KubeObject read() {
        return new KubeObject(json.get(workload()).orElseThrow());
    }

    private static ClusterRef ref(KubeObject cluster) {
        return new ClusterRef(cluster.namespace(), cluster.name(), cluster.uid());
    }

    private String workload() {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + scene.namespace + "/workloadclusters/" + name;
    }
}
