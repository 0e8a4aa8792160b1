package dev.slipway.status;

import static dev.slipway.kernel.FlowsInMemory.phase;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.queue.ManualWorkers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The projection against a real API server; time and threads are moved by hand. */
class StatusProjectorIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final KubeClient CLIENT = KubeClient.of(CONTROL_PLANE.apiClient());

    private final JsonApi api = CONTROL_PLANE.json();
    private final FlowsInMemory flows = new FlowsInMemory();
    private final ManualWorkers workers = new ManualWorkers();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger outages = new AtomicInteger();
    private final StatusProjector projector =
            new StatusProjector(() -> flows, counting(LiveReader.class), counting(KubeWriter.class), workers, workers);

    private String namespace;
    private ClusterRef cluster;

    @BeforeEach
    void createACluster() {
        namespace = CONTROL_PLANE.newNamespace("status");
        cluster = create("c1", false);
    }

    @Test
    void projectsARunningFlow() {
        // given
        String flow = flows.start("init", cluster, "slipway", null).id();
        flows.phases(
                flow, phase("EnsureCertificates", PhaseState.WAITING, 1, "WaitingForSecret", "c1-ca is not there"));

        // when
        project();

        // then
        JsonNode status = status();
        assertThat(status.path("phase").asText()).isEqualTo("Initializing");
        assertThat(status.path("flow").path("phase").asText()).isEqualTo("EnsureCertificates");
        assertThat(status.path("observedGeneration").asLong()).isEqualTo(1);
        assertThat(condition("Ready").path("reason").asText()).isEqualTo("WaitingForSecret");
        assertThat(events()).containsExactly("Normal FlowStarted 1");
    }

    @Test
    void asksAndWritesNothingWhileNothingChanges() {
        // given
        String flow = flows.start("init", cluster, "slipway", null).id();
        flows.phases(
                flow, phase("EnsureCertificates", PhaseState.WAITING, 1, "WaitingForSecret", "c1-ca is not there"));
        project();
        calls.set(0);

        // when
        project();
        projector.seen(object());
        workers.runDue();

        // then
        assertThat(calls).hasValue(0);
    }

    @Test
    void looksAgainWhenTheSpecChangesOrDeletionIsRequested() {
        // given
        ClusterRef kept = create("c2", true);
        projector.changed(kept);
        workers.runDue();

        // when
        api.merge(path("c2"), "{\"spec\": {\"paused\": true}}");
        projector.seen(new KubeObject(api.get(path("c2")).orElseThrow()));
        workers.runDue();

        // then
        assertThat(condition("c2", "Ready").path("observedGeneration").asLong()).isEqualTo(2);

        // when
        api.delete(path("c2"));
        projector.seen(new KubeObject(api.get(path("c2")).orElseThrow()));
        workers.runDue();

        // then
        assertThat(condition("c2", "Deleting").path("reason").asText()).isEqualTo("NotStarted");
    }

    @Test
    void writesAttemptsAloneOnceAMinute() {
        // given
        String flow = flows.start("init", cluster, "slipway", null).id();
        flows.phases(
                flow, phase("EnsureCertificates", PhaseState.WAITING, 1, "WaitingForSecret", "c1-ca is not there"));
        project();

        // when
        for (int attempt = 2; attempt < 30; attempt++) {
            flows.phases(
                    flow,
                    phase("EnsureCertificates", PhaseState.WAITING, attempt, "WaitingForSecret", "c1-ca is not there"));
            project();
            workers.advance(Duration.ofSeconds(2));
        }

        // then
        assertThat(status().path("flow").path("attempt").asInt()).isEqualTo(1);
        workers.advance(Duration.ofSeconds(10));
        assertThat(status().path("flow").path("attempt").asInt()).isEqualTo(29);
    }

    @Test
    void keepsTransitionTimesOfConditionsThatDoNotChange() {
        // given
        String flow = flows.start("init", cluster, "slipway", null).id();
        flows.phases(
                flow, phase("EnsureCertificates", PhaseState.WAITING, 1, "WaitingForSecret", "c1-ca is not there"));
        project();
        String before = condition("Ready").path("lastTransitionTime").asText();

        // when
        workers.advance(Duration.ofSeconds(90));
        flows.phases(flow, phase("EnsureCertificates", PhaseState.DONE, 2, "Done", "4 secrets are valid"));
        project();

        // then
        assertThat(condition("Ready").path("lastTransitionTime").asText()).isEqualTo(before);
        assertThat(condition("CertificatesReady").path("status").asText()).isEqualTo("True");
        assertThat(condition("CertificatesReady").path("lastTransitionTime").asText())
                .isEqualTo("2026-01-01T00:01:30Z");
    }

    @Test
    void tellsOfTroubleOncePerReasonAndOfRecovery() {
        // given
        String flow = flows.start("init", cluster, "slipway", null).id();
        for (int time = 0; time < 2; time++) {
            flows.phases(flow, phase("EnsureCertificates", PhaseState.BLOCKED, 1, "CaExpired", "c1-ca has expired"));
            project();
            flows.phases(flow, phase("EnsureCertificates", PhaseState.WAITING, 1, "WaitingForSecret", "not there"));
            project();
        }

        // when
        flows.end(flow, FlowState.COMPLETED, "Ready");
        project();

        // then
        assertThat(events())
                .containsExactlyInAnyOrder(
                        "Normal FlowStarted 1", "Warning CaExpired 2", "Normal Recovered 2", "Normal Ready 1");
        assertThat(status().path("ready").asBoolean()).isTrue();
    }

    @Test
    void numbersTheActionsWhenAPersonIsNeeded() {
        // given
        String flow = flows.start("init", cluster, "slipway", null).id();
        flows.phases(flow, phase("EnsureCertificates", PhaseState.BLOCKED, 1, "CaExpired", "c1-ca has expired"));

        // when
        project();

        // then
        JsonNode condition = condition("ManualInterventionRequired");
        assertThat(condition.path("status").asText()).isEqualTo("True");
        assertThat(condition.path("reason").asText()).isEqualTo("CaExpired");
        assertThat(condition.path("message").asText())
                .contains("c1-ca has expired")
                .contains("1. Repair it; 2. Retry the phase");
    }

    @Test
    void catchesUpAfterTheApiServerFailed() {
        // given
        flows.start("init", cluster, "slipway", null);
        outages.set(3);

        // when
        project();

        // then
        assertThat(status()).isEmpty();
        workers.advance(Duration.ofSeconds(60));
        assertThat(status().path("phase").asText()).isEqualTo("Initializing");
    }

    @Test
    void projectsTheLatestWhenItCatchesUp() {
        // given
        String flow = flows.start("init", cluster, "slipway", null).id();
        outages.set(1);
        project();
        flows.end(flow, FlowState.COMPLETED, "Ready");

        // when
        workers.advance(Duration.ofSeconds(5));

        // then
        assertThat(status().path("phase").asText()).isEqualTo("Ready");
    }

    @Test
    void writesNothingOntoAnotherObjectOfTheSameName() {
        // given
        flows.start("init", cluster, "slipway", null);
        api.delete(path("c1"));
        create("c1", false);

        // when
        project();

        // then
        assertThat(status()).isEmpty();
    }

    @Test
    void saysWhatADeletionWaitsForAndWhoKeepsTheObjectAfterwards() {
        // given
        ClusterRef deleted = create("c2", true);
        finalizers("example.com/a", "example.com/b", "slipway.dev/workload-cluster");
        api.delete(path("c2"));
        String flow = flows.start("delete", deleted, "slipway", null).id();
        flows.phases(flow, phase("EnsureUnpaused", PhaseState.WAITING, 1, "Paused", "the Cluster is paused"));

        // when
        projector.changed(deleted);
        workers.runDue();

        // then
        assertThat(condition("c2", "Deleting").path("reason").asText()).isEqualTo("Paused");

        // when: nothing changes
        calls.set(0);
        workers.advance(Duration.ofMinutes(5));
        projector.changed(deleted);
        workers.runDue();

        // then
        assertThat(calls).hasValue(0);

        // when
        flows.end(flow, FlowState.COMPLETED, "Deleted");
        finalizers("example.com/a", "example.com/b");
        projector.changed(deleted);
        workers.runDue();

        // then
        assertThat(condition("c2", "Deleting").path("reason").asText()).isEqualTo("WaitingForOthers");
        assertThat(condition("c2", "Deleting").path("message").asText()).contains("example.com/a, example.com/b");

        // when
        finalizers("example.com/b");
        workers.advance(Duration.ofSeconds(31));

        // then
        assertThat(condition("c2", "Deleting").path("message").asText()).contains("finalizer example.com/b");
    }

    private void finalizers(String... names) {
        api.merge(path("c2"), "{\"metadata\": {\"finalizers\": [\"" + String.join("\", \"", names) + "\"]}}");
    }

    private void project() {
        projector.changed(cluster);
        workers.runDue();
    }

    private ClusterRef create(String name, boolean withFinalizers) {
        String finalizers =
                withFinalizers ? ", \"finalizers\": [\"example.com/other\", \"slipway.dev/workload-cluster\"]" : "";
        ObjectNode object = api.create(
                        "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters",
                        JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                + " \"metadata\": {\"name\": \"" + name + "\"" + finalizers + "},"
                                + " \"spec\": {\"version\": \"v1.36.3\", \"topology\": {\"class\": \"any\"}}}"))
                .orElseThrow();
        return new ClusterRef(namespace, name, new KubeObject(object).uid());
    }

    private KubeObject object() {
        return new KubeObject(api.get(path("c1")).orElseThrow());
    }

    private JsonNode status() {
        return object().at("status");
    }

    private JsonNode condition(String type) {
        return condition("c1", type);
    }

    private JsonNode condition(String name, String type) {
        return new KubeObject(api.get(path(name)).orElseThrow()).condition(type).orElseThrow();
    }

    private List<String> events() {
        return api.list("/api/v1/namespaces/" + namespace + "/events").stream()
                .filter(event ->
                        event.path("involvedObject").path("uid").asText().equals(cluster.uid()))
                .map(event -> event.path("type").asText() + " "
                        + event.path("reason").asText() + " "
                        + event.path("count").asInt())
                .toList();
    }

    private String path(String name) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/" + name;
    }

    /** The real client, whose calls are counted, and refused while an outage is asked for. */
    private <T> T counting(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            calls.incrementAndGet();
            if (outages.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
                throw Failure.of(ErrorClass.TRANSIENT, "ApiUnreachable", "The API server refused the connection");
            }
            try {
                return method.invoke(CLIENT, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
