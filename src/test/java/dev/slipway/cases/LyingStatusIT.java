package dev.slipway.cases;

import static dev.slipway.faults.Calls.name;
import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.subresource;
import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.faults.ApiCall;
import dev.slipway.faults.Rule;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S2: the status says something else than the flow has written, and no watch ever tells anything again. */
@Tag("S2")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LyingStatusIT extends InitCase {

    private static final List<String> LIES = List.of("Failed", "Bananas", "Deleting", "Ready", "");
    private static final List<String> PHASES = List.of(
            "Admit",
            "EnsureFinalizer",
            "EnsureNotPaused",
            "EnsureClusterApiObjects",
            "EnsureCertificates",
            "EnsureKubeconfig",
            "EnsureEndpoint",
            "EnsureControlPlaneInitialized",
            "EnsureControlPlaneReady",
            "EnsureWorkersJoined",
            "EnsureWorkItems",
            "EnsureHealthy");

    /** Without work items it asks for nothing that could be kept from it. */
    private static final String WORK_ITEMS = "EnsureWorkItems";

    private static final List<String> IMPORT = List.of("AdmitImport", "EnsureClusterNotPaused");
    private static final String PAUSED = "EnsureNotPaused";
    private static final long AFTER_MILLIS = 13;

    private final Load load = new Load(management(), faults());
    private final AtomicInteger lies = new AtomicInteger();
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
    private final Set<String> released = ConcurrentHashMap.newKeySet();

    @AfterAll
    void stop() {
        writer.shutdownNow();
    }

    @ParameterizedTest(name = "at {0} times the normal rate")
    @ValueSource(ints = {1, 30})
    @Tag("T07")
    void theFlowFollowsItsTokenWhateverTheStatusSays(int times) {
        load.run(times, this::theFlowEndsReady);
    }

    private void theFlowEndsReady() {
        // given
        silenceWatches();
        Rule overwritten = letOthersOverwriteTheStatus();
        Rule rewritten = letReadsLie();

        // when
        ClusterRef cluster = declare();
        flows.start("init", cluster, "alice", null);
        awaitFaster("the flow ends", () -> flow(cluster).state() != FlowState.RUNNING);

        // then
        FlowView flow = flow(cluster);
        assertThat(flow.state()).isEqualTo(FlowState.COMPLETED);
        assertThat(flow.result()).isEqualTo("Ready");
        assertThat(flow.phases()).hasSize(PHASES.size()).allMatch(phase -> phase.state() == PhaseState.DONE);
        assertThat(overwritten.injected()).isPositive();
        assertThat(rewritten.injected()).isGreaterThan(LIES.size());
    }

    @TestFactory
    @Tag("T08")
    @Tag("T35")
    Stream<DynamicTest> eachPhaseIsLeftByItsTimersAloneThoughTheStatusHoldsNonsense() {
        silenceWatches();
        letReadsLie();
        ClusterRef cluster = declare("", "paused: true");
        faults().on(call -> holds(call, cluster)).serverError(503);
        // The import that init calls has tests of its own: without a platform it has nothing to do.
        released.addAll(IMPORT);
        flows.start("init", cluster, "alice", null);
        return PHASES.stream()
                .filter(name -> !name.equals(WORK_ITEMS))
                .map(name -> DynamicTest.dynamicTest(name, () -> phaseGoesOn(cluster, name)));
    }

    private void phaseGoesOn(ClusterRef cluster, String name) {
        // given: it has looked once and is not done
        awaitPhase(cluster, name, phase -> phase.attempt() > 0);
        api.merge(slipway("/" + CLUSTER + "/status"), "{\"status\": {\"phase\": \"Bananas\"}}");

        // then: whoever asks is told what is awaited, what went wrong, and when it looks again
        JsonNode shown = shown(name);
        assertThat(shown.path("reason").asText()).isNotEmpty();
        assertThat(shown.path("message").asText()).isNotEmpty();
        assertThat(shown.path("lastCheck").asText()).isNotEmpty();
        assertThat(Instant.parse(shown.path("nextCheck").asText()))
                .isBetween(
                        Instant.parse(shown.path("lastCheck").asText()),
                        Instant.parse(shown.path("lastCheck").asText()).plus(Duration.ofSeconds(72)));
        if (!name.equals(PAUSED)) {
            assertThat(shown.path("lastError").asText()).contains("503");
        }

        // when
        released.add(name);
        if (name.equals(PAUSED)) {
            api.merge(slipway("/" + CLUSTER), "{\"spec\": {\"paused\": false}}");
        }

        // then
        awaitFaster(name + " is left", () -> phase(cluster, name).state() == PhaseState.DONE);
    }

    @Test
    @Tag("T07")
    void aControllerThatSwitchesOnTheStatusThatItReadsAgainStopsForGood() {
        // given
        letReadsLie();
        ClusterRef cluster = declare("", "paused: true");

        // when
        SwitchingController controller = new SwitchingController(KubeClient.of(faults().apiClient()));
        Optional<Duration> requeue = controller.reconcile(cluster);

        // then
        assertThat(controller.worked).isFalse();
        assertThat(requeue).as("nothing brings it back").isEmpty();
    }

    /** The old behaviour, after a public report: the object's status decides, and what it does not know ends quietly. */
    private static final class SwitchingController {

        private static final String PHASE = "Initializing";

        private final KubeClient client;
        private boolean worked;

        SwitchingController(KubeClient client) {
            this.client = client;
        }

        Optional<Duration> reconcile(ClusterRef cluster) {
            ResourceType kind = ResourceType.WORKLOAD_CLUSTERS;
            KubeObject object = KubeObject.named(kind, cluster.namespace(), cluster.name());
            object.json().putObject("status").put("phase", PHASE);
            client.applyStatus(kind, object);
            // As a helper does that updates a condition: it reads the object again, into the same variable.
            object = client.get(kind, cluster.namespace(), cluster.name()).orElseThrow();
            return switch (object.text("status", "phase").orElse("")) {
                case PHASE -> work();
                default -> Optional.empty();
            };
        }

        private Optional<Duration> work() {
            worked = true;
            return Optional.of(Duration.ofSeconds(2));
        }
    }

    /** Whether a phase is kept from going on: EnsureNotPaused by its spec, the others by their reads or writes. */
    private boolean holds(ApiCall call, ClusterRef cluster) {
        boolean needed = call.verb().equals("get")
                        && Set.of("clusters", "clusterclasses").contains(call.resource())
                || call.verb().equals("patch")
                        && call.resource().equals("workloadclusters")
                        && call.subresource().isEmpty();
        return needed
                && call.namespace().equals(namespace)
                && flows.latest(cluster.uid()).stream()
                        .flatMap(flow -> flow.phases().stream())
                        .filter(phase -> phase.since() != null && phase.until() == null)
                        .noneMatch(phase -> released.contains(phase.name()));
    }

    private Rule letOthersOverwriteTheStatus() {
        String path = slipway("/" + CLUSTER + "/status");
        return faults().on(verb("patch"), subresource("status"), namespace(namespace))
                .rewrite(object -> {
                    String patch = "{\"status\": {\"phase\": \"" + lie() + "\"}}";
                    writer.schedule(() -> api.merge(path, patch), AFTER_MILLIS, TimeUnit.MILLISECONDS);
                    return object;
                });
    }

    private Rule letReadsLie() {
        return faults().on(verb("get"), resource("workloadclusters"), name(CLUSTER), namespace(namespace))
                .rewrite(object -> {
                    object.withObject("/status").put("phase", lie());
                    return object;
                });
    }

    private String lie() {
        return LIES.get(lies.getAndIncrement() % LIES.size());
    }

    private JsonNode shown(String name) {
        JsonNode flows =
                rest.get("/api/v1/clusters/" + namespace + "/" + CLUSTER).json().path("flows");
        return flows.findParents("elementId").stream()
                .filter(phase -> phase.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No phase " + name));
    }
}
