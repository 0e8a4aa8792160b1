package dev.slipway.cases;

import static dev.slipway.faults.Calls.name;
import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.subresource;
import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.faults.Rule;
import dev.slipway.phase.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Others write the same objects, and reads come from before Slipway's own writes. */
class ForeignWritersIT extends InitCase {

    private static final int TIMES = 50;
    private static final Duration LAG = Duration.ofSeconds(3);

    @Test
    @Tag("T09")
    void outlivesFiftyForeignWritesBetweenItsReadAndItsWriteAndKeepsThemAll() {
        // given
        AtomicInteger number = new AtomicInteger();
        Rule foreign = faults().on(verb("patch"), resource("workloadclusters"), subresource(""), namespace(namespace))
                .times(TIMES)
                .overtakenBy(() -> foreignWrite(number.incrementAndGet()));

        // when
        ClusterRef cluster = declare();
        awaitDone(cluster, "EnsureFinalizer");

        // then
        assertThat(foreign.injected()).isEqualTo(TIMES);
        JsonNode object = object();
        assertThat(object.at("/metadata/annotations/example.com~1number").asText())
                .isEqualTo("" + TIMES);
        assertThat(object.at("/metadata/finalizers"))
                .hasSize(TIMES + 1)
                .extracting(JsonNode::asText)
                .contains("example.com/1", "example.com/" + TIMES, "slipway.dev/workload-cluster");
        assertThat(tasks(cluster)).isZero();
        assertThat(condition(object, "Stuck")).isNotEqualTo("True");
        assertThat(condition(object, "ManualInterventionRequired")).isNotEqualTo("True");
        assertThat(warnings()).isEmpty();
    }

    private void foreignWrite(int number) {
        ObjectNode patch = JsonApi.parse(
                "{\"metadata\": {\"annotations\": {\"example.com/number\": \"" + number + "\"}, \"finalizers\": []}}");
        for (int i = 1; i <= number; i++) {
            ((ArrayNode) patch.at("/metadata/finalizers")).add("example.com/" + i);
        }
        api.merge(slipway("/" + CLUSTER), patch);
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (JsonNode event : api.list("/api/v1/namespaces/" + namespace + "/events")) {
            if (event.path("type").asText().equals("Warning")) {
                warnings.add(event.path("reason").asText());
            }
        }
        return warnings;
    }

    @Test
    @Tag("T11")
    void doesNothingTwiceThoughItsOwnFinalizerIsNotToBeReadYet() {
        // given
        AtomicBoolean released = new AtomicBoolean();
        Rule stale = faults().on(
                        resource("workloadclusters"), name(CLUSTER), namespace(namespace), call -> released.get())
                .stale(LAG);
        faults().on(verb("patch"), resource("workloadclusters"), subresource(""), call -> !released.get())
                .serverError(503);
        ClusterRef cluster = declare();
        awaitPhase(cluster, "EnsureFinalizer", phase -> phase.attempt() > 0);
        Instant created =
                Instant.parse(object().at("/metadata/creationTimestamp").asText());
        await().until(() -> Instant.now().isAfter(created.plus(LAG).plusSeconds(1)));

        // when
        released.set(true);
        awaitDone(cluster, "EnsureCertificates");

        // then
        assertThat(object().at("/metadata/finalizers"))
                .extracting(JsonNode::asText)
                .containsExactly("slipway.dev/workload-cluster");
        assertThat(stale.injected()).isPositive();
        assertThat(api.list(capi("clusters"))).hasSize(1);
        assertThat(api.list("/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/devclusters"))
                .hasSize(1);
        assertThat(tasks(cluster)).isZero();
    }
}
