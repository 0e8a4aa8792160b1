package dev.slipway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.ReportedCommands.Printed;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.controlplane.Kubeconfig;
import dev.slipway.controlplane.Pki;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;

/** Whole imports, on real API servers: from the broken state of the report to a cluster that stays imported. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ImportIT extends ImportCase {

    private static final String CLUSTER = "broken";
    private static final String CREDENTIALS = "/apis/platform.tkestack.io/v1/clustercredentials";
    private static final String RECORD = "/apis/platform.tkestack.io/v1/clusters/" + CLUSTER;
    private static final String SENTRY = "/api/v1/namespaces/cpaas-system/serviceaccounts/sentry";
    private static final String SINGLE_CREDENTIAL = "EnsureSingleCredential";

    private static final Printed IMPORTED = new Printed(true, "present (value=\"\")", List.of("cc-" + CLUSTER), true);

    @Autowired
    private MeterRegistry meters;

    private String uid;
    private ReportedCommands commands;

    /** As the report found it; the annotation keeps Slipway away until a test lets it begin. */
    @BeforeAll
    void aClusterWhoseImportFailedEightTimes(@TempDir Path folder) {
        commands = new ReportedCommands(management().writeKubeconfig(folder.resolve("management")), api);
        IntStream.rangeClosed(1, 8).forEach(i -> credential("cc-" + i + "xv8zt"));
        String metadata = "kind: Cluster\nmetadata:\n  labels: {cluster.x-k8s.io/cluster-name: " + CLUSTER
                + "}\n  annotations: {sandbox.slipway.dev/network: import, slipway.dev/import: \"false\"}\n";
        uid = uid(api.applyYaml(
                        SandboxYaml.resource("sandbox/plain-cluster.yaml")
                                .replace("plain", CLUSTER)
                                .replace("kind: Cluster\nmetadata:\n", metadata),
                        namespace)
                .get(0));
    }

    /** The first: certificates that are made under a clock that was moved ahead are not valid yet. */
    @Test
    @Order(1)
    void aWorkloadClusterIsImportedOnItsWayToReady() {
        // given
        api.applyYaml(SandboxYaml.resource("sandbox/cluster-class.yaml"), namespace);
        platform.rest(true);
        JsonNode made;
        try {
            // when
            made = api.applyYaml(SandboxYaml.cluster("declared", "sandbox.slipway.dev/network: import"), namespace)
                    .get(0);

            // then: kubectl get wlc shows where the import is
            await("the status shows the import").atMost(PATIENCE).untilAsserted(() -> {
                JsonNode status = workloadCluster().path("status");
                assertThat(status.path("phase").asText()).isEqualTo("Initializing");
                assertThat(status.at("/flow/kind").asText()).isEqualTo("import");
                assertThat(status.at("/flow/phase").asText()).isEqualTo("EnsurePlatformRunning");
                assertThat(status.at("/flow/reason").asText()).isEqualTo("WaitingForPlatformController");
                assertThat(condition(workloadCluster(), "Imported")).isEqualTo("False");
            });
        } finally {
            platform.rest(false);
        }

        // then
        await("Ready").atMost(PATIENCE).until(() -> condition(workloadCluster(), "Ready")
                .equals("True"));
        assertThat(condition(workloadCluster(), "Imported")).isEqualTo("True");
        Map<String, FlowView> flows =
                this.flows.latest(uid(made)).stream().collect(Collectors.toMap(FlowView::kind, flow -> flow));
        assertThat(flows.get("init").result()).isEqualTo("Ready");
        assertThat(flows.get("import").result()).isEqualTo("Imported");
        assertThat(flows.get("init").phases())
                .filteredOn(phase -> phase.name().equals("EnsureHealthy"))
                .singleElement()
                .satisfies(healthy -> assertThat(healthy.since())
                        .isAfterOrEqualTo(flows.get("import").endedAt()));
        assertThat(commands.run(namespace, "declared", kubeconfig("declared")))
                .isEqualTo(new Printed(true, "present (value=\"\")", List.of("cc-declared"), true));
    }

    @Test
    @Order(2)
    @Tag("T16")
    @Tag("T31")
    void theBrokenStateOfTheReportHealsByItself() {
        // given
        await("the symptoms of the report").atMost(PATIENCE).untilAsserted(() -> {
            assertThat(cluster(CLUSTER).at("/status/phase").asText()).isEqualTo("Provisioned");
            assertThat(condition(cluster(CLUSTER), "ControlPlaneInitialized")).isEqualTo("True");
            assertThat(machines()).hasSize(2).allSatisfy(machine -> assertThat(condition(machine, "NodeHealthy"))
                    .isEqualTo("False"));
        });
        Printed before = printed();
        assertThat(before.platformCluster()).isFalse();
        assertThat(before.label()).isEqualTo("missing");
        assertThat(before.credentials()).hasSize(8);
        assertThat(before.sentry()).isFalse();
        AuditedDeletes deletes = AuditedDeletes.from(auditOfDeletes());

        // when
        letImport();

        // then: it goes on by itself, and says when
        PhaseView waiting =
                awaitPhase(uid, SINGLE_CREDENTIAL, phase -> "WaitingForCredentialAge".equals(phase.reason()));
        assertThat(waiting.message()).contains("cc-1xv8zt", "cc-8xv8zt").containsPattern("goes on at 20..-");
        assertThat(waiting.nextCheck()).isNotNull();
        assertThat(printed().credentials()).hasSize(9);
        assertThat(deletes.ofPlatform()).isEmpty();

        // when
        moveUntil("the orphans are old enough", () -> printed().credentials().size() == 1);

        // then
        FlowView flow = awaitImported(uid, "");
        assertThat(flow.result()).isEqualTo("Imported");
        assertThat(flow.startedBy()).isEqualTo("slipway");
        assertThat(printed()).isEqualTo(IMPORTED);
        assertThat(annotation("slipway.dev/collected-credentials")).contains(before.credentials());
        assertThat(deletes.ofPlatform()).containsExactlyInAnyOrderElementsOf(before.credentials());
        assertThat(deletes.ofClusterApi()).isEmpty();
        await("the nodes are ready").atMost(PATIENCE).until(() -> condition(cluster(CLUSTER), "Available")
                .equals("True"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"Label,", "Sentry,Sentry", "Credential,SingleCredential", "Record,PlatformCluster"})
    @Order(3)
    @Tag("T31")
    void whatIsRemovedByHandIsBroughtBack(String what, String invariant) {
        // given
        String before = imported().id();
        AuditedDeletes deletes = AuditedDeletes.from(auditOfDeletes());
        double findings = findings(invariant);
        int events = events("ImportDrift");

        // when
        switch (what) {
            case "Label" ->
                api.merge(clusters("/" + CLUSTER), "{\"metadata\": {\"labels\": {\"capi.cpaas.io/imported\": null}}}");
            case "Sentry" -> workload().delete(SENTRY);
            case "Credential" -> api.delete(CREDENTIALS + "/cc-" + CLUSTER);
            default -> api.delete(RECORD);
        }

        // then
        FlowView flow = awaitImported(uid, before);
        assertThat(flow.result()).isEqualTo("Imported");
        assertThat(flow.startedBy()).isEqualTo("slipway");
        assertThat(printed()).isEqualTo(IMPORTED);
        assertThat(deletes.ofClusterApi()).isEmpty();
        if (invariant != null) {
            assertThat(findings(invariant)).isGreaterThan(findings);
            assertThat(events("ImportDrift")).isGreaterThan(events);
        }
    }

    @Test
    @Order(4)
    @Tag("T31")
    void aResetByDecisionBeginsAnewAndTouchesNoMachine() {
        // given: an import that waits, and one credential too many
        String before = imported().id();
        String account = uid(workload().get(SENTRY).orElseThrow());
        platform.rest(true);
        api.delete(RECORD);
        assertThat(rest.post(path(CLUSTER) + "/flows", "{\"flow\": \"import\"}").status())
                .isEqualTo(202);
        awaitPhase(uid, "EnsurePlatformRunning", phase -> phase.state() == PhaseState.WAITING && phase.attempt() > 0);
        String record = uid(api.get(RECORD).orElseThrow());
        credential("cc-stray");
        AuditedDeletes deletes = AuditedDeletes.from(auditOfDeletes());

        // when
        Rest.Answer answer =
                rest.post(path(CLUSTER) + "/decisions", "{\"choice\": \"RESET_IMPORT\", \"reason\": \"begin anew\"}");
        platform.rest(false);

        // then
        assertThat(answer.status()).as(answer.response().body()).isIn(200, 202);
        FlowView flow = awaitImported(uid, before);
        assertThat(flow.result()).isEqualTo("Imported");
        assertThat(flow.phases())
                .filteredOn(phase -> phase.name().equals("ResetImport"))
                .singleElement()
                .satisfies(phase -> assertThat(phase.state()).isEqualTo(PhaseState.DONE));
        assertThat(printed()).isEqualTo(IMPORTED);
        assertThat(uid(api.get(RECORD).orElseThrow())).isNotEqualTo(record);
        assertThat(uid(workload().get(SENTRY).orElseThrow())).isEqualTo(account);
        assertThat(deletes.ofPlatform()).containsExactlyInAnyOrder(CLUSTER, "cc-stray");
        assertThat(deletes.ofClusterApi()).isEmpty();
    }

    @Test
    @Order(5)
    @Tag("T27")
    void newCredentialsAreUsedOnceTheyAreProvenAndTheRecordStaysThroughout() {
        // given
        String before = imported().id();
        ObjectNode record = api.get(RECORD).orElseThrow();
        String credential = credentialVersion();
        Pki.Pem stranger = Pki.client(Pki.authority("strange"), "admin", "system:masters");
        secret("bad", of(kubeconfig(CLUSTER), stranger));
        secret("good", kubeconfig(CLUSTER));

        // when
        Rest.Answer bad = rest.put(path(CLUSTER) + "/credentials", "{\"secretName\": \"bad\"}");

        // then
        assertThat(bad.status()).as(bad.response().body()).isEqualTo(202);
        PhaseView refused =
                awaitPhase(uid, "EnsureControlPlaneReachable", phase -> phase.state() == PhaseState.BLOCKED);
        assertThat(refused.reason()).isEqualTo("Unauthorized");
        assertThat(refused.message()).contains(namespace + "/bad").contains("nothing was changed");
        assertThat(refused.actions()).anyMatch(action -> action.contains("SUPPLY_CREDENTIALS"));
        assertThat(annotation("slipway.dev/kubeconfig-secret")).isEmpty();
        assertThat(api.get(RECORD)).contains(record);
        assertThat(credentialVersion()).isEqualTo(credential);

        // when
        Rest.Answer good = rest.put(path(CLUSTER) + "/credentials", "{\"secretName\": \"good\"}");

        // then
        assertThat(good.status()).as(good.response().body()).isEqualTo(202);
        FlowView flow = awaitImported(uid, before);
        assertThat(flow.result()).isEqualTo("Imported");
        assertThat(annotation("slipway.dev/kubeconfig-secret")).isEqualTo("good");
        assertThat(printed()).isEqualTo(IMPORTED);
        assertThat(uid(api.get(RECORD).orElseThrow())).isEqualTo(uid(record));
    }

    /** Lets it be imported, if it is not yet; the latest import that has ended. */
    private FlowView imported() {
        letImport();
        if (latestImport(uid).isEmpty()) {
            awaitPhase(uid, SINGLE_CREDENTIAL, phase -> phase.attempt() > 0);
            moveUntil(
                    "the orphans are old enough", () -> printed().credentials().size() == 1);
        }
        await("imported").atMost(PATIENCE).until(() -> latestImport(uid)
                .filter(flow -> flow.state() == FlowState.COMPLETED)
                .isPresent());
        assertThat(printed()).isEqualTo(IMPORTED);
        return latestImport(uid).orElseThrow();
    }

    private void letImport() {
        api.merge(clusters("/" + CLUSTER), "{\"metadata\": {\"annotations\": {\"slipway.dev/import\": null}}}");
    }

    private Printed printed() {
        return commands.run(namespace, CLUSTER, kubeconfig(CLUSTER));
    }

    private void credential(String name) {
        api.applyYaml(
                """
                apiVersion: platform.tkestack.io/v1
                kind: ClusterCredential
                metadata: {name: %s, labels: {cluster.x-k8s.io/cluster-name: %s}}
                tenantID: default
                clusterName: %2$s
                """
                        .formatted(name, CLUSTER),
                "");
    }

    private String credentialVersion() {
        return api.get(CREDENTIALS + "/cc-" + CLUSTER)
                .orElseThrow()
                .at("/metadata/resourceVersion")
                .asText();
    }

    /** The same way in for somebody else. */
    private static String of(String kubeconfig, Pki.Pem client) {
        String authority = field(kubeconfig, "certificate-authority-data");
        return Kubeconfig.of(
                "other",
                field(kubeconfig, "server"),
                new String(Base64.getDecoder().decode(authority), StandardCharsets.UTF_8),
                client);
    }

    private static String field(String kubeconfig, String name) {
        Matcher matcher = Pattern.compile("\\b" + name + ":\\s*\"?([^\\s\"]+)").matcher(kubeconfig);
        assertThat(matcher.find()).as(name).isTrue();
        return matcher.group(1);
    }

    private JsonApi workload() {
        return ReportedCommands.workload(kubeconfig(CLUSTER));
    }

    private List<ObjectNode> machines() {
        return api.list("/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace
                + "/machines?labelSelector=cluster.x-k8s.io/cluster-name%3D" + CLUSTER);
    }

    private JsonNode workloadCluster() {
        return api.get(declared("/declared")).orElseThrow();
    }

    private String annotation(String key) {
        return cluster(CLUSTER).at("/metadata/annotations").path(key).asText();
    }

    private double findings(String invariant) {
        return Optional.ofNullable(meters.find("slipway.import.drift")
                        .tag("invariant", String.valueOf(invariant))
                        .counter())
                .map(Counter::count)
                .orElse(0.0);
    }

    /** How often that was told of the cluster. */
    private int events(String reason) {
        return api.list("/api/v1/namespaces/" + namespace + "/events").stream()
                .filter(event -> event.path("reason").asText().equals(reason)
                        && event.at("/involvedObject/uid").asText().equals(uid))
                .mapToInt(event -> event.path("count").asInt())
                .sum();
    }
}
