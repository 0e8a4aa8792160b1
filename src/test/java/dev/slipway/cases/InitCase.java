package dev.slipway.cases;

import static dev.slipway.faults.Calls.verb;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.Rest;
import dev.slipway.WholeApplication;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import dev.slipway.kubernetes.ClusterWatches;
import dev.slipway.phase.ClusterRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.camunda.bpm.engine.ProcessEngine;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ClassPathResource;

/** One init flow of the whole application, with faults on the wire to the management cluster. */
abstract class InitCase extends WholeApplication {

    static final Duration PATIENCE = Duration.ofSeconds(90);
    static final String CLUSTER = "c";

    @Autowired
    Flows flows;

    @Autowired
    ProcessEngine engine;

    @Autowired
    private ClusterWatches watches;

    final JsonApi api = management().json();
    String namespace;
    Rest rest;
    private boolean silent;
    private Duration ahead = Duration.ZERO;

    @BeforeEach
    void aClass(@LocalServerPort int port) throws IOException {
        rest = new Rest(port, "admin", PASSWORD);
        namespace = management().newNamespace("case");
        api.applyYaml(
                new ClassPathResource("sandbox/cluster-class.yaml").getContentAsString(StandardCharsets.UTF_8),
                namespace);
    }

    @AfterEach
    void endFaultsFlowsAndServers() {
        ClockUtil.reset();
        ahead = Duration.ZERO;
        faults().clear();
        if (silent) {
            silent = false;
            watches.stop();
            watches.start();
        }
        String clusters = capi("clusters");
        for (JsonNode cluster : api.list(slipway(""))) {
            // Without its object no flow begins anew.
            api.merge(slipway("/" + CLUSTER), "{\"metadata\": {\"finalizers\": null}}");
            api.delete(slipway("/" + CLUSTER));
            flows.requestDelete(cluster.path("metadata").path("uid").asText());
        }
        api.delete(clusters + "/" + CLUSTER);
        await("the workload server is gone").atMost(PATIENCE).until(() -> api.list(clusters)
                .isEmpty());
    }

    /** From now on no watch tells anything, though all are open. */
    void silenceWatches() {
        silent = true;
        watches.stop();
        faults().on(verb("watch")).silence(Duration.ZERO);
        watches.start();
    }

    /** Creates the WorkloadCluster. */
    ClusterRef declare(String annotations, String spec) {
        ObjectNode made = api.applyYaml(
                        """
                        apiVersion: slipway.dev/v1alpha1
                        kind: WorkloadCluster
                        metadata:
                          name: c
                          annotations: {%s}
                        spec:
                          version: v1.36.3
                          clusterNetwork:
                            pods: {cidrBlocks: [192.168.0.0/16]}
                            services: {cidrBlocks: [10.128.0.0/12]}
                          topology:
                            class: sandbox
                            controlPlane: {replicas: 1}
                            workers: [{class: default-worker, name: md-0, replicas: 1}]
                          certificates: {keyAlgorithm: ECDSA, keySize: 256}
                          %s
                        """
                                .formatted(annotations, spec),
                        namespace)
                .get(0);
        return new ClusterRef(namespace, CLUSTER, made.at("/metadata/uid").asText());
    }

    ClusterRef declare() {
        return declare("", "");
    }

    /** The latest init of the cluster, once it has one; not the import that it calls. */
    FlowView flow(ClusterRef cluster) {
        return await("a flow")
                .atMost(PATIENCE)
                .until(
                        () -> flows.latest(cluster.uid()).stream()
                                .filter(flow -> flow.kind().equals("init"))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    PhaseView phase(ClusterRef cluster, String name) {
        return flow(cluster).phases().stream()
                .filter(phase -> phase.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    PhaseView awaitPhase(ClusterRef cluster, String name, Predicate<PhaseView> condition) {
        return await(name)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> phase(cluster, name), condition);
    }

    void awaitDone(ClusterRef cluster, String phase) {
        awaitPhase(cluster, phase, view -> view.state() == PhaseState.DONE);
    }

    FlowView awaitEnd(ClusterRef cluster) {
        return await("the flow ends")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> flow(cluster), flow -> flow.state() != FlowState.RUNNING);
    }

    /** Waits while engine and kernel see twenty times as much time pass: for what only timers bring about. */
    void awaitFaster(String what, BooleanSupplier condition) {
        await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
            ahead = ahead.plus(Duration.ofSeconds(10));
            ClockUtil.offset(ahead.toMillis());
            return condition.getAsBoolean();
        });
    }

    long tasks(ClusterRef cluster) {
        return engine.getTaskService()
                .createTaskQuery()
                .processInstanceId(flow(cluster).id())
                .count();
    }

    ObjectNode object() {
        return api.get(slipway("/" + CLUSTER)).orElseThrow();
    }

    String slipway(String suffix) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters" + suffix;
    }

    String capi(String suffix) {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/" + suffix;
    }

    String secrets(String suffix) {
        return "/api/v1/namespaces/" + namespace + "/secrets" + suffix;
    }

    static String condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText();
            }
        }
        return "";
    }
}
