package dev.slipway.cases;

import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static dev.slipway.faults.Calls.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.Rest.Answer;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.faults.ApiCall;
import dev.slipway.faults.Recording;
import dev.slipway.faults.Rule;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseState;
import dev.slipway.phase.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Init that is cut short: by a request to delete, by a failure, by answers that get lost. */
class InterruptedInitIT extends InitCase {

    private static final String INITIALIZED = "EnsureControlPlaneInitialized";
    private static final Duration REQUEUE = Duration.ofSeconds(10);
    private static final List<String> PAIRS = List.of("c-ca", "c-etcd", "c-proxy", "c-sa");
    private static final Set<String> PROJECTION = Set.of("events", "workloadclusters/status");

    @Test
    @Tag("T63")
    void aRequestToDeleteEndsInitBeforeItsNextCheckAndNothingMoreIsWritten() {
        // given
        ClusterRef cluster = declare("sandbox.slipway.dev/fail-at: control-plane", "");
        awaitPhase(cluster, INITIALIZED, phase -> phase.state() == PhaseState.WAITING && phase.attempt() > 0);
        Recording recording = faults().record(namespace(namespace));

        // when
        api.delete(slipway("/" + CLUSTER));
        FlowView flow = awaitEnd(cluster);

        // then
        assertThat(flow.state()).isEqualTo(FlowState.INTERRUPTED);
        Instant requested =
                Instant.parse(object().at("/metadata/deletionTimestamp").asText());
        assertThat(flow.endedAt()).isBefore(requested.plus(REQUEUE));

        // when: every timer that was left would fire, and everything that was watched changes
        ClockUtil.offset(Duration.ofHours(1).toMillis());
        api.merge(capi("clusters/" + CLUSTER), "{\"metadata\": {\"annotations\": {\"example.com/changed\": \"yes\"}}}");
        await("the status tells of it").atMost(PATIENCE).until(() -> condition(object(), "Deleting")
                .equals("True"));

        // then
        assertThat(recording.calls(writes()).stream().map(InterruptedInitIT::what))
                .isSubsetOf(PROJECTION);
        assertThat(flow(cluster).id()).isEqualTo(flow.id());
        assertThat(phase(cluster, INITIALIZED).state()).isEqualTo(PhaseState.CANCELED);
    }

    private static String what(ApiCall call) {
        return call.resource() + (call.subresource().isEmpty() ? "" : "/" + call.subresource());
    }

    @Test
    @Tag("S1")
    @Tag("T46")
    void tellsTheCauseThroughConflictsAndAFailedInitIsRetriedOnTheSameObjects() {
        // given: a CA that cannot be used, and a status that cannot be written
        faults().on(verb("patch"), resource("workloadclusters"), call -> call.subresource()
                        .equals("status"))
                .every(2)
                .conflict();
        Published published = Published.of(faults(), namespace);
        api.create(secrets(""), secret("c-ca"));

        // when
        ClusterRef cluster = declare();
        awaitPhase(cluster, "EnsureCertificates", phase -> phase.state() == PhaseState.BLOCKED);

        // then: all phases, with state, attempts, times and what can be done
        JsonNode phases = details().at("/flows/0/phases");
        assertThat(phases).hasSize(12);
        JsonNode done = phases.path(0);
        assertThat(done.path("state").asText()).isEqualTo("DONE");
        assertThat(Instant.parse(done.path("until").asText()))
                .isAfterOrEqualTo(done.path("since").asText());
        JsonNode failed = phases.path(4);
        assertThat(failed.path("name").asText()).isEqualTo("EnsureCertificates");
        assertThat(failed.path("state").asText()).isEqualTo("BLOCKED");
        assertThat(failed.path("attempt").asInt()).isPositive();
        assertThat(failed.path("actions").path(0).asText()).contains("c-ca");
        assertThat(failed.path("choices").toString()).contains("RETRY").contains("ABORT");
        assertThat(failed.path("nextCheck").asText()).isNotEmpty();
        String cause = failed.at("/cause/code").asText();
        assertThat(failed.path("reason").asText()).isEqualTo(cause).isNotEqualTo("Conflict");
        await("the status tells it")
                .atMost(PATIENCE)
                .until(() -> published.reasons().contains(cause));
        assertThat(published.text()).doesNotContain("Conflict", "has been modified");

        // when
        String uid = capiUid();
        Answer aborted = rest.post(path("/decisions"), "{\"choice\": \"ABORT\", \"reason\": \"wrong CA\"}");
        assertThat(aborted.status()).isEqualTo(200);
        FlowView first = awaitEnd(cluster);
        api.delete(secrets("/c-ca"));
        Answer retried = rest.post(path("/retry"), "{}");

        // then
        assertThat(first.state()).isEqualTo(FlowState.ABORTED);
        assertThat(retried.status()).isEqualTo(202);
        awaitDone(cluster, "EnsureCertificates");
        assertThat(capiUid()).isEqualTo(uid);
        assertThat(object().at("/metadata/uid").asText()).isEqualTo(cluster.uid());
    }

    @Test
    @Tag("T47")
    void makesEachObjectOnceThoughTheAnswerToEachCreateIsLost() {
        // given
        List<String> made = new CopyOnWriteArrayList<>();
        faults().on(verb("create"), resource("secrets"), namespace(namespace)).rewrite(secret -> {
            made.add(secret.at("/data/tls.crt").asText());
            return secret;
        });
        Rule lost = faults().on(verb("create"), resource("secrets"), namespace(namespace))
                .loseAnswer();
        faults().on(verb("patch"), resource("clusters"), namespace(namespace))
                .times(2)
                .loseAnswer();
        Recording recording = faults().record(namespace(namespace), writes());

        // when
        ClusterRef cluster = declare();
        awaitDone(cluster, "EnsureKubeconfig");

        // then: what was made without an answer was found by its name; nothing was made beside it
        assertThat(lost.injected()).isGreaterThanOrEqualTo(PAIRS.size());
        assertThat(api.list(secrets("")))
                .filteredOn(secret -> secret.at("/metadata/labels/app.kubernetes.io~1managed-by")
                        .asText()
                        .equals("slipway"))
                .extracting(secret -> secret.at("/metadata/name").asText())
                .filteredOn(name -> !name.equals("c-kubeconfig"))
                .containsExactlyInAnyOrderElementsOf(PAIRS);
        assertThat(authority()).isEqualTo(made.get(0));
        assertThat(api.list(capi("clusters"))).hasSize(1);
        assertThat(recording.calls(verb("delete"))).isEmpty();
        assertThat(tasks(cluster)).isZero();
    }

    private String authority() {
        return api.get(secrets("/c-ca")).orElseThrow().at("/data/tls.crt").asText();
    }

    private String capiUid() {
        return api.get(capi("clusters/" + CLUSTER))
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
    }

    private JsonNode details() {
        return rest.get(path("")).json();
    }

    private String path(String suffix) {
        return "/api/v1/clusters/" + namespace + "/" + CLUSTER + suffix;
    }

    private static ObjectNode secret(String name) {
        return JsonApi.parse("{\"metadata\": {\"name\": \"" + name
                + "\", \"labels\": {\"cluster.x-k8s.io/cluster-name\": \"c\"}}, \"type\": \"kubernetes.io/tls\","
                + " \"data\": {\"tls.crt\": \"bm9uZQ==\", \"tls.key\": \"bm9uZQ==\"}}");
    }
}
