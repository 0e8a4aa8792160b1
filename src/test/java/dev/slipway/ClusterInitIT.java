package dev.slipway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import dev.slipway.kubernetes.ClusterWatches;
import dev.slipway.phase.ClusterRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.camunda.bpm.engine.ProcessEngine;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.camunda.bpm.engine.task.Task;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Whole init flows: from kubectl apply to Ready, on real API servers. */
class ClusterInitIT extends WholeApplication {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Autowired
    private Flows flows;

    @Autowired
    private ClusterWatches watches;

    @Autowired
    private ProcessEngine engine;

    private final JsonApi api = management().json();
    private String namespace;

    @BeforeEach
    void aNamespaceWithAClass() {
        namespace = management().newNamespace("init");
        api.applyYaml(SandboxYaml.resource("sandbox/cluster-class.yaml"), namespace);
    }

    @AfterEach
    void endFlowsAndWorkloadServers() {
        String workloadClusters = clusters("slipway.dev/v1alpha1", "workloadclusters");
        for (JsonNode cluster : api.list(workloadClusters)) {
            // Without its object no flow begins anew.
            String path = workloadClusters + "/"
                    + cluster.path("metadata").path("name").asText();
            api.merge(path, "{\"metadata\": {\"finalizers\": null}}");
            api.delete(path);
            flows.requestDelete(uid(cluster));
        }
        String capi = clusters("cluster.x-k8s.io/v1beta2", "clusters");
        api.list(capi)
                .forEach(cluster -> api.delete(
                        capi + "/" + cluster.path("metadata").path("name").asText()));
        await("workload servers are gone").atMost(PATIENCE).until(() -> api.list(capi)
                .isEmpty());
    }

    private String clusters(String version, String plural) {
        return "/apis/" + version + "/namespaces/" + namespace + "/" + plural;
    }

    @Test
    void aTopologyClusterBecomesReady() {
        // when
        api.applyYaml(SandboxYaml.cluster("topo", ""), namespace);

        // then
        JsonNode cluster = awaitCluster("topo", c -> "True".equals(condition(c, "Ready")));
        assertThat(cluster.path("status").path("phase").asText()).isEqualTo("Ready");
        FlowView flow = init(cluster);
        assertThat(flow.state()).isEqualTo(FlowState.COMPLETED);
        assertThat(flow.result()).isEqualTo("Ready");
        assertThat(flow.phases()).hasSize(12).allMatch(phase -> phase.state() == PhaseState.DONE);
        assertThat(flow.startedBy()).isEqualTo("slipway");
    }

    @Test
    void aClusterBecomesReadyWithItsWorkItemsAndDropsThemWhenItsSpecDoes() {
        // when
        api.applyYaml(
                SandboxYaml.cluster("equipped", "")
                        + """
                          workItems:
                            - name: hello
                              manifests:
                                inline: |
                                  apiVersion: v1
                                  kind: ConfigMap
                                  metadata: {name: hello}
                        """,
                namespace);

        // then
        JsonNode cluster = awaitCluster("equipped", c -> "True".equals(condition(c, "Ready")));
        assertThat(condition(cluster, "AddonsReady")).isEqualTo("True");
        String item = clusters("slipway.dev/v1alpha1", "workitems") + "/equipped-hello";
        assertThat(api.get(item)).hasValueSatisfying(made -> assertThat(
                        made.at("/metadata/ownerReferences/0/uid").asText())
                .isEqualTo(uid(cluster)));

        // when
        api.merge(
                clusters("slipway.dev/v1alpha1", "workloadclusters") + "/equipped", "{\"spec\": {\"workItems\": []}}");

        // then
        await("the work item is gone").atMost(PATIENCE).until(() -> api.get(item)
                .isEmpty());
    }

    @Test
    void aTemplateClusterBecomesReady() {
        // when
        api.applyYaml(sample("template.yaml"), namespace);

        // then
        JsonNode cluster = awaitCluster("from-template", c -> "True".equals(condition(c, "Ready")));
        assertThat(init(cluster).result()).isEqualTo("Ready");
    }

    @Test
    void initEndsWithoutAnyWatchDrivenByTheClocks() {
        // given
        watches.stop();
        try {
            api.applyYaml(SandboxYaml.cluster("blind", ""), namespace);
            JsonNode cluster = api.get(path("blind")).orElseThrow();

            // when
            flows.start("init", new ClusterRef(namespace, "blind", uid(cluster)), "alice", null);

            // then
            awaitCluster("blind", c -> "True".equals(condition(c, "Ready")));
        } finally {
            watches.start();
        }
    }

    @Test
    void aStuckClusterHasOneOperatorTaskUntilTheCauseIsGone() {
        // given
        api.applyYaml(SandboxYaml.cluster("stuck", "sandbox.slipway.dev/fail-at: control-plane"), namespace);
        String phase = "EnsureControlPlaneInitialized";
        JsonNode waiting = awaitCluster(
                "stuck",
                c -> phase.equals(c.path("status").path("flow").path("phase").asText()));
        String flow = waiting.path("status").path("flow").path("id").asText();
        assertThat(tasks(flow)).isEmpty();

        // when
        ClockUtil.offset(Duration.ofMinutes(31).toMillis());
        try {
            // then
            JsonNode stuck = awaitCluster("stuck", c -> "True".equals(condition(c, "Stuck")));
            assertThat(tasks(flow)).singleElement().satisfies(task -> {
                assertThat(task.getName()).isEqualTo(phase + " of " + namespace + "/stuck");
                assertThat(task.getDescription()).contains("WaitingForControlPlaneInitialized");
            });
            assertThat(condition(stuck, "ManualInterventionRequired")).isEqualTo("True");

            // when
            api.merge(path("stuck"), "{\"metadata\":{\"annotations\":{\"sandbox.slipway.dev/fail-at\":null}}}");

            // then
            JsonNode healed = awaitCluster("stuck", c -> "True".equals(condition(c, "Ready")));
            assertThat(condition(healed, "Stuck")).isEqualTo("False");
            assertThat(tasks(flow)).isEmpty();
        } finally {
            ClockUtil.reset();
        }
    }

    @Test
    void tenBlackHolesDoNotHoldUpAnEleventhCluster() {
        // given
        for (int i = 0; i < 10; i++) {
            api.applyYaml(SandboxYaml.cluster("hole-" + i, "sandbox.slipway.dev/fail-at: black-hole"), namespace);
        }
        for (int i = 0; i < 10; i++) {
            String uid = uid(api.get(path("hole-" + i)).orElseThrow());
            await("one look took its whole time").atMost(PATIENCE).until(() -> flows.active(uid).stream()
                    .flatMap(flow -> flow.phases().stream())
                    .anyMatch(phase -> "ApiTimeout".equals(phase.lastErrorCode())));
        }

        // when
        api.applyYaml(SandboxYaml.cluster("eleventh", ""), namespace);

        // then
        awaitCluster("eleventh", c -> "True".equals(condition(c, "Ready")));
    }

    @Test
    void aHalfValidAuthorityIsRefusedAndNothingIsMade() {
        // given
        api.applyYaml(
                """
                apiVersion: v1
                kind: Secret
                metadata:
                  name: half-ca
                  labels: {cluster.x-k8s.io/cluster-name: half}
                type: kubernetes.io/tls
                stringData: {tls.crt: "not a certificate", tls.key: "not a key"}
                """,
                namespace);

        // when
        api.applyYaml(SandboxYaml.cluster("half", ""), namespace);

        // then
        JsonNode cluster = awaitCluster("half", c -> "True".equals(condition(c, "ManualInterventionRequired")));
        PhaseView phase = flows.active(uid(cluster)).get(0).phases().stream()
                .filter(p -> p.name().equals("EnsureCertificates"))
                .findFirst()
                .orElseThrow();
        assertThat(phase.state()).isEqualTo(PhaseState.BLOCKED);
        assertThat(phase.message()).contains("half-ca").contains("tls.crt");
        assertThat(phase.actions()).isNotEmpty();
        assertThat(api.list("/api/v1/namespaces/" + namespace + "/secrets"))
                .extracting(secret -> secret.path("metadata").path("name").asText())
                .contains("half-ca")
                .doesNotContain("half-etcd", "half-proxy", "half-sa", "half-kubeconfig");
    }

    /** The latest init; it has called an import since, which found nothing to do. */
    private FlowView init(JsonNode cluster) {
        return flows.latest(uid(cluster)).stream()
                .filter(flow -> flow.kind().equals("init"))
                .findFirst()
                .orElseThrow();
    }

    private List<Task> tasks(String flow) {
        return engine.getTaskService().createTaskQuery().processInstanceId(flow).list();
    }

    private String path(String name) {
        return clusters("slipway.dev/v1alpha1", "workloadclusters") + "/" + name;
    }

    private JsonNode awaitCluster(String name, Predicate<JsonNode> condition) {
        String path = path(name);
        await(name)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> condition.test(api.get(path).orElseThrow()));
        return api.get(path).orElseThrow();
    }

    private static String uid(JsonNode cluster) {
        return cluster.path("metadata").path("uid").asText();
    }

    private static String condition(JsonNode cluster, String type) {
        for (JsonNode condition : cluster.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText();
            }
        }
        return "";
    }

    /** One of the samples that the sandbox ships, for a namespace of the test's own. */
    private static String sample(String name) {
        try {
            return Files.readString(Path.of("deploy/samples", name)).replace("  namespace: default\n", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
