package dev.slipway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.Contents;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.faults.ApiCall;
import dev.slipway.faults.Calls;
import dev.slipway.faults.Recording;
import dev.slipway.helm.ChartRepository;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseView;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Whole deletions, on real API servers: nothing of the cluster stays, whenever the deletion comes. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DeletionIT extends ImportCase {

    private static final Duration LONG = Duration.ofMinutes(4);

    /** Where a deletion comes in between: every phase of init and of the import that it calls. */
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
            "AdmitImport",
            "EnsureClusterNotPaused",
            "EnsureControlPlaneReachable",
            "EnsureIdentity",
            "EnsureImportFinalizer",
            "EnsureWorkloadNamespace",
            "EnsureSentry",
            "EnsureSentryToken",
            "EnsureSingleCredential",
            "EnsurePlatformCluster",
            "EnsurePlatformRunning",
            "CommitImported",
            "VerifyInvariants",
            "EnsureWorkItems",
            "EnsureHealthy");

    private static final Set<String> BEFORE_FINALIZER = Set.of("Admit", "EnsureFinalizer");

    private static final Map<String, String> CHART = Map.of(
            "templates/config.yaml",
            """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: {{ .Release.Name }}}
            """);
    private static final String WORK_ITEM =
            """
              workItems:
                - name: web
                  releaseName: web
                  chart: {repository: "%s", name: web, version: ^1.0, caConfigMapRef: {name: charts}}
            """;

    private static final List<String> LIES = List.of("Failed", "Bananas", "Ready", "Pending", "");

    @Test
    @Order(1)
    @Tag("S2")
    @Tag("T07")
    @Tag("T08")
    @Tag("T17")
    @Tag("T55")
    void aClusterThatWasBuiltAndImportedIsGoneWithAllThatBelongsToItWhateverItsStatusSays() throws Exception {
        // given
        api.applyYaml(SandboxYaml.resource("sandbox/cluster-class.yaml"), namespace);
        ChartRepository charts = ChartRepository.open().with("web", "1.0.0", CHART);
        api.create("/api/v1/namespaces/" + namespace + "/configmaps", charts(charts));
        Set<String> before = Contents.of(api, List.of(namespace));
        String yaml = SandboxYaml.cluster("gone", "") + WORK_ITEM.formatted(charts.url());
        JsonNode made = api.applyYaml(yaml, namespace).get(0);
        await("Ready").atMost(LONG).until(() -> api.get(declared("/gone"))
                .filter(object -> condition(object, "Ready").equals("True"))
                .isPresent());
        assertThat(condition(api.get(declared("/gone")).orElseThrow(), "Imported"))
                .isEqualTo("True");
        assertThat(workload("gone").get("/api/v1/namespaces/default/configmaps/web"))
                .isPresent();
        charts.close();
        Recording deletes =
                faults().record(Calls.verb("delete").and(call -> call.group().endsWith("cluster.x-k8s.io")));
        AtomicInteger lies = new AtomicInteger();
        faults().on(Calls.verb("get"), Calls.resource("workloadclusters"), Calls.namespace(namespace))
                .rewrite(object -> {
                    object.withObject("/status").put("phase", LIES.get(lies.getAndIncrement() % LIES.size()));
                    return object;
                });

        // when
        api.delete(declared("/gone"));

        // then
        await("it is gone").atMost(LONG).until(() -> api.get(declared("/gone")).isEmpty());
        FlowView deletion = await("the deletion has ended")
                .atMost(PATIENCE)
                .until(() -> deletion(uid(made)).orElseThrow(), flow -> flow.state() != FlowState.RUNNING);
        assertThat(deletion.state()).isEqualTo(FlowState.COMPLETED);
        assertThat(lies.get()).isGreaterThan(LIES.size());
        assertThat(Contents.of(api, List.of(namespace))).isEqualTo(before);
        assertThat(deletes.calls()).extracting(ApiCall::resource).containsExactly("clusters");
        JsonNode receipt = rest.get("/api/v1/receipts/" + deletion.id()).json();
        assertThat(receipt.path("entries").findValuesAsText("what"))
                .contains("Cluster " + namespace + "/gone", "WorkItem " + namespace + "/gone-web")
                .noneMatch(what -> what.contains("waited for"));
    }

    /**
     * A cluster that is deleted while it is in a phase.
     *
     * @param namespace its own, so that calls about it can be told from others
     * @param phase where it is held until its deletion was requested
     */
    private record Interrupted(String namespace, String name, String phase, String uid) {

        String path() {
            return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/" + name;
        }
    }

    @Test
    @Order(2)
    @Tag("T63")
    void deletionRequestedInAnyPhaseOfInitOrImportEndsClean() {
        // given
        List<Interrupted> clusters = new ArrayList<>();
        List<Interrupted> held = new CopyOnWriteArrayList<>();
        Set<String> before = new TreeSet<>();
        faults().on(call -> isHeld(call, held)).serverError(503);
        for (String phase : PHASES) {
            clusters.add(declare(phase, before, held));
        }
        before.addAll(Contents.of(api, List.of()));

        // when: each is deleted as soon as it stands in its phase
        await("all stood in their phases")
                .atMost(LONG)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    List<Interrupted> there = held.stream()
                            .filter(cluster -> current(cluster)
                                    .filter(phase -> phase.attempt() > 0)
                                    .isPresent())
                            .toList();
                    there.forEach(cluster -> api.delete(cluster.path()));
                    held.removeAll(there);
                    return held.isEmpty();
                });

        // then
        await("all are gone").atMost(LONG).until(() -> clusters.stream()
                .noneMatch(cluster -> api.get(cluster.path()).isPresent()));
        await("no flow is left").atMost(LONG).until(() -> clusters.stream()
                .allMatch(cluster -> flows.active(cluster.uid()).isEmpty()));
        assertThat(clusters).allSatisfy(cluster -> {
            Optional<FlowState> end = deletion(cluster.uid()).map(FlowView::state);
            // Without its finalizer there is nothing to do: the object goes at once.
            assertThat(end)
                    .isEqualTo(
                            BEFORE_FINALIZER.contains(cluster.phase())
                                    ? Optional.empty()
                                    : Optional.of(FlowState.COMPLETED));
        });
        List<String> namespaces = clusters.stream().map(Interrupted::namespace).toList();
        assertThat(Contents.of(api, namespaces)).isEqualTo(before);
    }

    /** A cluster in a namespace of its own; what that held before it is noted. */
    private Interrupted declare(String phase, Set<String> before, List<Interrupted> held) {
        String own = management().newNamespace("cut");
        api.applyYaml(SandboxYaml.resource("sandbox/cluster-class.yaml"), own);
        before.addAll(Contents.of(api, List.of(own)));
        String name = "cut-" + PHASES.indexOf(phase);
        String yaml = SandboxYaml.cluster(name, "").replace("replicas: 2", "replicas: 1") + "  paused: true\n";
        Interrupted cluster =
                new Interrupted(own, name, phase, uid(api.applyYaml(yaml, own).get(0)));
        held.add(cluster);
        if (!phase.equals("EnsureNotPaused")) {
            // Only now: it is known here before it gets anywhere.
            api.merge(cluster.path(), "{\"spec\": {\"paused\": false}}");
        }
        return cluster;
    }

    /** Whether a call is about a cluster that stands in its phase; without it no phase goes on. */
    private boolean isHeld(ApiCall call, List<Interrupted> clusters) {
        return !call.verb().equals("watch")
                && !call.resource().equals("events")
                && !call.subresource().equals("status")
                && clusters.stream()
                        .filter(cluster -> cluster.namespace().equals(call.namespace()))
                        .anyMatch(cluster -> current(cluster).isPresent());
    }

    /** The cluster's run of the phase where it is to be deleted, while it is there. */
    private Optional<PhaseView> current(Interrupted cluster) {
        return flows.active(cluster.uid()).stream()
                .filter(flow -> !flow.kind().equals(Flows.DELETE))
                .flatMap(flow -> flow.phases().stream())
                .filter(phase -> phase.name().equals(cluster.phase()) && phase.since() != null && phase.until() == null)
                .findFirst();
    }

    /** The CA of a chart repository. */
    private static JsonNode charts(ChartRepository repository) {
        ObjectNode map = JsonApi.parse("{\"metadata\": {\"name\": \"charts\"}}");
        map.putObject("data").put("ca.crt", repository.authorityPem());
        return map;
    }

    private JsonApi workload(String cluster) throws IOException {
        return new JsonApi(ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig(cluster))))
                .build());
    }

    private Optional<FlowView> deletion(String uid) {
        return flows.latest(uid).stream()
                .filter(flow -> flow.kind().equals(Flows.DELETE))
                .findFirst();
    }
}
