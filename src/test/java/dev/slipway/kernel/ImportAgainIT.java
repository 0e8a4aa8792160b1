package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.imports.ImportLab;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.Directive;
import dev.slipway.platform.PlatformLab;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster that was imported and is imported again: what stays, what is switched when, and what begins anew. */
class ImportAgainIT {

    private static final String REACHABLE = "EnsureControlPlaneReachable";
    private static final String VERIFY = "VerifyInvariants";
    private static final String NODES = "/api/v1/nodes";
    private static final String NEW_ACCESS = "new-access";

    private final FaultInjector management = FaultInjector.before(PlatformLab.plane());
    private final FaultInjector workload = FaultInjector.before(ImportLab.workloadPlane());
    private final ImportLab lab = ImportLab.open();
    private final String credential = "cc-" + lab.name();
    private final ImportNode node = ImportNode.start(KernelHarness.memory(), () -> lab);

    @BeforeEach
    void begin() {
        ClockUtil.reset();
        lab.through(KubeClient.of(management.apiClient()));
        lab.kubeconfig(ImportLab.workloadPlane().adminKubeconfig());
    }

    @AfterEach
    void stop() {
        node.close();
        lab.close();
        management.close();
        workload.close();
    }

    @Test
    @Tag("T44")
    void aClusterThatWasDetachedByHandIsImportedAgainAtOnce() {
        // given
        imports(node.begin());
        lab.management().delete(lab.recordPath());
        lab.management().delete(lab.credentialPath(credential));
        lab.management()
                .merge(
                        lab.clusterPath(),
                        "{\"metadata\": {\"finalizers\": null, \"labels\": {\"capi.cpaas.io/imported\": null}}}");

        // when
        FlowView again = node.begin();

        // then
        imports(again);
        assertThat(again.id()).isEqualTo(latest());
        assertImported();
        assertThat(inWorkload("serviceaccounts")).containsExactly("sentry");
        assertThat(inWorkload("secrets")).containsExactly("sentry-token-requested");
        assertThat(node.kernel.tasks(again)).isZero();
    }

    @Test
    @Tag("T27")
    void theCredentialIsTheOldOneUntilTheNewAccessIsProvenAndIsSwitchedThen() {
        // given
        imports(node.begin());
        Map<String, String> before = uids();
        String version = version();
        lab.kubeconfig(NEW_ACCESS, workload.kubeconfig());
        workload.refuse();
        Recording writes = management.record(Calls.writes());

        // when
        FlowView flow = node.begin(Map.of(Directive.SUPPLY_CREDENTIALS.fact(), NEW_ACCESS));
        node.until(
                "the new access was tried",
                () -> node.kernel.phase(flow, REACHABLE).lastErrorCode() != null);

        // then
        assertThat(writes.calls()).isEmpty();
        assertThat(version()).isEqualTo(version);
        assertThat(lab.accepts(credential)).isTrue();
        assertThat(annotation("slipway.dev/kubeconfig-secret")).isEmpty();
        assertThat(authority()).isEqualTo(ImportLab.workloadPlane().caPem());

        // when
        workload.accept();

        // then
        imports(flow);
        assertThat(annotation("slipway.dev/kubeconfig-secret")).isEqualTo(NEW_ACCESS);
        assertThat(authority()).isEqualTo(workload.authority());
        assertThat(lab.accepts(credential)).isTrue();
        assertThat(uids()).isEqualTo(before);
        assertThat(writes.calls(Calls.verb("delete", "deletecollection", "create")))
                .isEmpty();
        assertImported();
    }

    @Test
    @Tag("T27")
    void anAccessThatDoesNotWorkChangesNothing() {
        // given
        imports(node.begin());
        Map<String, String> before = uids();
        lab.kubeconfig(NEW_ACCESS, workload.kubeconfig());
        workload.on(Calls.all()).unauthorized();
        Recording writes = management.record(Calls.writes());

        // when
        FlowView flow = node.begin(Map.of(Directive.SUPPLY_CREDENTIALS.fact(), NEW_ACCESS));
        node.until("an operator is asked", () -> node.kernel.tasks(flow) == 1);

        // then
        assertThat(node.kernel.phase(flow, REACHABLE).state()).isEqualTo(PhaseState.BLOCKED);
        assertThat(writes.calls()).isEmpty();
        assertThat(lab.accepts(credential)).isTrue();
        assertImported();

        // when: the operator stays with the present one
        node.decide(flow, REACHABLE, Choice.SUPPLY_CREDENTIALS, lab.name() + "-kubeconfig");

        // then
        imports(flow);
        assertThat(writes.calls()).isEmpty();
        assertThat(uids()).isEqualTo(before);
    }

    @Test
    @Tag("T41")
    void noCredentialHoldsTheTokenOfAClusterThatAnotherHasReplaced() {
        // given
        imports(node.begin());
        String old = lab.credential(credential).orElseThrow().path("token").asText();
        String record = uids().get("record");
        lab.foreign("cc-orphan-" + lab.name(), old);
        try (ControlPlane rebuilt =
                ControlPlane.builder().etcd(ControlPlane.shared().etcd()).start()) {
            lab.kubeconfig(rebuilt.adminKubeconfig());
            lab.management()
                    .merge(
                            lab.clusterPath(),
                            "{\"spec\": {\"controlPlaneEndpoint\": {\"port\": "
                                    + URI.create(rebuilt.server()).getPort() + "}}}");
            // Old enough to be nobody's who is about to refer to it.
            node.kernel.move(Duration.ofMinutes(11));
            String identity = rebuilt.json()
                    .get("/api/v1/namespaces/kube-system")
                    .orElseThrow()
                    .at("/metadata/uid")
                    .asText();

            // when
            FlowView flow = node.begin();
            node.awaitReason(flow, "EnsureIdentity", "IdentityChanged");

            // then
            assertThat(holders(old)).hasSize(2);

            // when
            node.decide(flow, "EnsureIdentity", Choice.REPLACE_IDENTITY, identity);

            // then
            imports(flow);
            assertThat(holders(old)).isEmpty();
            assertThat(lab.accepts(credential)).isTrue();
            assertThat(lab.record()
                            .orElseThrow()
                            .at("/metadata/annotations/slipway.dev~1cluster-id")
                            .asText())
                    .isEqualTo(identity);
            assertThat(annotation("slipway.dev/cluster-id")).isEqualTo(identity);
            assertThat(uids()).containsEntry("record", record);
            assertImported();
        }
    }

    @Test
    @Tag("T31")
    void aStuckImportBeginsAnewByDecisionAndHoldsAfterwards() {
        // given: whatever a reset must not touch
        lab.network();
        Map<String, String> clusterApi = clusterApi();
        FlowView flow = node.begin();
        node.awaitReason(flow, VERIFY, "WaitingForNodes");
        lab.foreign("cc-orphan-" + lab.name(), "old-token");
        Map<String, String> before = uids();
        node.kernel.move(Duration.ofMinutes(21));
        node.until("an operator is asked", () -> node.kernel.tasks(flow) == 1);
        Recording deletes = management.record(Calls.verb("delete", "deletecollection"));

        // when
        node.decide(flow, VERIFY, Choice.RESET_IMPORT, null);
        try {
            nodeIsReady();

            // then
            imports(flow);
        } finally {
            lab.workload().delete(NODES + "/" + lab.name());
        }
        assertImported();
        Map<String, String> after = uids();
        assertThat(after.remove("record")).isNotEqualTo(before.remove("record"));
        assertThat(after).isEqualTo(before);
        assertThat(clusterApi()).hasSize(2).isEqualTo(clusterApi);
        assertThat(deletes.calls())
                .extracting(call -> call.resource() + "." + call.group())
                .containsExactly("clusters.platform.tkestack.io", "clustercredentials.platform.tkestack.io");
        assertThat(node.kernel.tasks(flow)).isZero();
        assertThat(node.kernel.incidents(flow)).isZero();
    }

    private void imports(FlowView flow) {
        assertThat(node.awaitEnd(flow).result()).isEqualTo("Imported");
    }

    private String latest() {
        return node.kernel.flows().latest(lab.ref().uid()).get(0).id();
    }

    /** All four invariants. */
    private void assertImported() {
        assertThat(lab.record()).isPresent();
        assertThat(lab.cluster().at("/metadata/labels").has("capi.cpaas.io/imported"))
                .isTrue();
        assertThat(lab.credentials()).containsExactly(credential);
        assertThat(uids().get("sentry")).isNotEmpty();
    }

    private Map<String, String> uids() {
        Map<String, String> uids = new HashMap<>();
        uids.put("cluster", lab.cluster().at("/metadata/uid").asText());
        uids.put("record", uid(lab.management(), lab.recordPath()));
        uids.put("credential", uid(lab.management(), lab.credentialPath(credential)));
        uids.put("sentry", uid(lab.workload(), namespaced("serviceaccounts") + "/sentry"));
        return uids;
    }

    private static String uid(JsonApi api, String path) {
        return api.get(path).map(object -> object.at("/metadata/uid").asText()).orElse("");
    }

    private String version() {
        return lab.credential(credential)
                .orElseThrow()
                .at("/metadata/resourceVersion")
                .asText();
    }

    private String authority() {
        String stored = lab.credential(credential).orElseThrow().path("caCert").asText();
        return new String(Base64.getDecoder().decode(stored), StandardCharsets.UTF_8);
    }

    private String annotation(String key) {
        return lab.cluster().at("/metadata/annotations").path(key).asText();
    }

    private List<String> holders(String token) {
        return lab.management().list(lab.credentialPath("")).stream()
                .filter(one -> token.equals(one.path("token").asText()))
                .map(one -> one.at("/metadata/name").asText())
                .toList();
    }

    private String namespaced(String resource) {
        return "/api/v1/namespaces/" + lab.sentry().namespace() + "/" + resource;
    }

    private List<String> inWorkload(String resource) {
        return lab.workload().list(namespaced(resource)).stream()
                .map(object -> object.at("/metadata/name").asText())
                .toList();
    }

    private void nodeIsReady() {
        lab.workload()
                .create(NODES, ImportLab.yaml("apiVersion: v1\nkind: Node\nmetadata: {name: " + lab.name() + "}\n"));
        lab.workload()
                .merge(
                        NODES + "/" + lab.name() + "/status",
                        "{\"status\": {\"conditions\": [{\"type\": \"Ready\", \"status\": \"True\", \"reason\": \"Test\"}]}}");
    }

    /** The UIDs of a machine and of the infrastructure of this cluster, which are made if they are absent. */
    private Map<String, String> clusterApi() {
        Map<String, String> uids = new HashMap<>();
        lab.management()
                .applyYaml(
                        """
                        apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                        kind: DevCluster
                        metadata: {name: infra}
                        spec: {backend: {inMemory: {}}}
                        ---
                        apiVersion: cluster.x-k8s.io/v1beta2
                        kind: Machine
                        metadata: {name: machine-0, labels: {cluster.x-k8s.io/cluster-name: %1$s}}
                        spec:
                          clusterName: %1$s
                          bootstrap: {dataSecretName: x}
                          infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachine, name: machine-0}
                        """
                                .formatted(lab.name()),
                        lab.namespace())
                .forEach(object -> uids.put(
                        object.path("kind").asText(), object.at("/metadata/uid").asText()));
        return uids;
    }
}
