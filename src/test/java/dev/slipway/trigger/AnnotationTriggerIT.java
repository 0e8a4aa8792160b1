package dev.slipway.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.audit.AuditOrigins;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.Choice;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.queue.ManualWorkers;
import dev.slipway.status.ClusterEvents;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What annotations bring about, on a real API server; time, threads and flows are moved by hand. */
class AnnotationTriggerIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final KubeClient CLIENT = KubeClient.of(CONTROL_PLANE.apiClient());
    private static final String RETRY = "{\"slipway.dev/retry\": \"x\"}";
    private static final String PAUSE = "{\"slipway.dev/paused\": \"true\"}";

    private final JsonApi api = CONTROL_PLANE.json();
    private final String namespace = CONTROL_PLANE.newNamespace("annotated");
    private final FlowsInMemory flows = new FlowsInMemory();
    private final DeskInMemory desk = new DeskInMemory();
    private final ManualWorkers workers = new ManualWorkers();

    @Test
    void aClusterWithoutAWorkloadClusterListens() {
        // given
        KubeObject cluster = cluster("c1", "", RETRY);
        waits(cluster.uid(), Flows.IMPORT, PhaseState.BLOCKED);

        // when
        trigger().clusterSeen(cluster);
        workers.runDue();

        // then
        assertThat(desk.made()).singleElement().satisfies(decision -> {
            assertThat(decision.wish().choice()).isEqualTo(Choice.RETRY);
            assertThat(decision.runId()).isEqualTo("run-Phase");
        });
        assertThat(api.get(path("c1")).orElseThrow().at("/metadata/annotations").has("slipway.dev/retry"))
                .isFalse();
        assertThat(told("c1", "Retried")).contains("Phase starts anew");
    }

    @Test
    void aClusterThatWasBuiltForAWorkloadClusterRefersToThatOne() {
        // given
        String owner = "\"ownerReferences\": [{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                + " \"name\": \"c1\", \"uid\": \"11111111-1111-1111-1111-111111111111\"}], ";
        KubeObject cluster = cluster("c1", owner, RETRY);
        waits("11111111-1111-1111-1111-111111111111", Flows.INIT, PhaseState.BLOCKED);

        // when
        trigger().clusterSeen(cluster);
        workers.runDue();

        // then
        assertThat(desk.made()).isEmpty();
        assertThat(told("c1", "AnnotationIgnored")).contains("Annotate workloadclusters.slipway.dev/c1");
    }

    @Test
    void findsByListingWhatNoEventToldOf() {
        // given
        KubeObject cluster = cluster("c1", "", "{}");
        waits(cluster.uid(), Flows.IMPORT, PhaseState.BLOCKED);
        AnnotationTrigger trigger = trigger();
        trigger.start();
        workers.runDue();
        assertThat(desk.made()).isEmpty();

        // when
        api.merge(path("c1"), "{\"metadata\": {\"annotations\": " + PAUSE + "}}");
        workers.advance(Duration.ofMinutes(5));

        // then
        assertThat(desk.made()).extracting(decision -> decision.wish().choice()).containsExactly(Choice.PAUSE);
    }

    @Test
    void whatItHeldGoesOnThoughTheAnnotationWentWhileNoNodeLooked() {
        // given
        KubeObject cluster = cluster("c1", "", PAUSE);
        waits(cluster.uid(), Flows.IMPORT, PhaseState.BLOCKED);
        trigger().clusterSeen(cluster);
        workers.runDue();
        waits(cluster.uid(), Flows.IMPORT, PhaseState.PAUSED);

        // when
        api.merge(path("c1"), "{\"metadata\": {\"annotations\": {\"slipway.dev/paused\": null}}}");
        trigger().start();
        workers.runDue();

        // then
        assertThat(desk.made())
                .extracting(decision -> decision.wish().choice())
                .containsExactly(Choice.RESUME, Choice.PAUSE);
    }

    @Test
    void aFlowThatBeginsWhileThePauseStandsIsHeldToo() {
        // given
        KubeObject cluster = cluster("c1", "", PAUSE);
        AnnotationTrigger trigger = trigger();
        trigger.clusterSeen(cluster);
        workers.runDue();

        // when
        waits(cluster.uid(), Flows.IMPORT, PhaseState.WAITING);
        trigger.changed(new ClusterRef(namespace, "c1", cluster.uid()));
        workers.runDue();

        // then
        assertThat(desk.made()).extracting(decision -> decision.wish().choice()).containsExactly(Choice.PAUSE);
    }

    @Test
    void anAbortedDeletionIsNotBegunAnewByAnAnnotation() {
        // given
        KubeObject cluster = cluster("c1", "", RETRY);
        flows.start(Flows.DELETE, new ClusterRef(namespace, "c1", cluster.uid()), "ada", null);
        flows.end("flow-1", FlowState.ABORTED, "Aborted");

        // when
        trigger().clusterSeen(cluster);
        workers.runDue();

        // then
        assertThat(flows.active(cluster.uid())).isEmpty();
        assertThat(told("c1", "RetryRefused")).contains("where the name is typed out");
    }

    private AnnotationTrigger trigger() {
        AnnotationAnswers answers = new AnnotationAnswers(
                new AnnotationAnswers.Access(CLIENT, CLIENT, new ClusterEvents(CLIENT, CLIENT, workers)),
                new AnnotatedRetry(flows, desk),
                new AnnotatedPause(flows, desk, desk),
                new AuditOrigins());
        return new AnnotationTrigger(CLIENT, () -> flows, () -> answers, List.of(namespace), workers);
    }

    private void waits(String uid, String kind, PhaseState state) {
        if (flows.active(uid).isEmpty()) {
            flows.start(kind, new ClusterRef(namespace, "c1", uid), "slipway", null);
        }
        flows.phases(
                flows.active(uid).get(0).id(), FlowsInMemory.phase("Phase", state, 1, "WaitingForIt", "not there yet"));
    }

    private KubeObject cluster(String name, String metadata, String annotations) {
        return new KubeObject(api.create(
                        path(""),
                        JsonApi.parse("{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Cluster\","
                                + " \"metadata\": {" + metadata + "\"name\": \"" + name + "\", \"annotations\": "
                                + annotations + "},"
                                + " \"spec\": {\"controlPlaneEndpoint\": {\"host\": \"h\", \"port\": 1}}}"))
                .orElseThrow());
    }

    private String told(String cluster, String reason) {
        return api.list("/api/v1/namespaces/" + namespace + "/events").stream()
                .filter(event -> event.at("/involvedObject/name").asText().equals(cluster)
                        && event.path("reason").asText().equals(reason))
                .map(event -> ((JsonNode) event).path("message").asText())
                .findFirst()
                .orElse("");
    }

    private String path(String name) {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters"
                + (name.isEmpty() ? "" : "/" + name);
    }
}
