package dev.slipway.kernel;

import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.delegates.EnsureCertificates;
import dev.slipway.delegates.EnsureFinalizer;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.pki.KeyMaker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that dies after the API server has acted, and before it has recorded so. */
class KilledNodeIT {

    private static final Duration NEVER = Duration.ofHours(1);

    private final ClusterLab lab = ClusterLab.open("killed");
    private final FaultInjector faults = FaultInjector.before(ControlPlane.shared());
    private final KubeClient through = KubeClient.of(faults.apiClient());
    private final DataSource database = KernelHarness.memory();
    private final List<KernelHarness> nodes = new ArrayList<>();
    private WorkloadCluster cluster;

    @BeforeEach
    void aClusterThatWasJustMade() {
        ClockUtil.reset();
        cluster = lab.declare(
                "c", "version: v1.36.3\ntopology: {class: small}\ncertificates: {keyAlgorithm: ECDSA, keySize: 256}\n");
        lab.apply("apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: c}\nspec:\n"
                + "  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: c}\n");
    }

    @AfterEach
    void stop() {
        nodes.forEach(KernelHarness::close);
        faults.close();
    }

    @ParameterizedTest(name = "after {0} of 4 key pairs")
    @ValueSource(ints = {1, 3})
    @Tag("T47")
    void whatItMadeIsFoundByItsNameAndNotMadeAgain(int number) {
        // given
        faults.on(verb("create"), resource("secrets")).every(number).times(1).slowHead(NEVER);
        KernelHarness before = node("ensureCertificates", certificates(through));
        FlowView flow = before.init(cluster.ref());
        KernelHarness.until(number + " made", () -> secrets().size() == number);
        Map<String, String> made = secrets();

        // when
        before.crash();
        KernelHarness after = node("ensureCertificates", certificates(lab.client()));

        // then
        assertThat(after.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(secrets()).hasSize(4).containsAllEntriesOf(made);
    }

    @Test
    @Tag("T60")
    void theFinalizerThatItSetStaysOnceAndTheFlowThatOwnsItGoesOn() {
        // given
        Recording recording = faults.record(verb("patch"), namespace(lab.namespace()));
        faults.on(verb("patch")).slowHead(NEVER);
        KernelHarness before = node("ensureFinalizer", finalizer(through));
        FlowView flow = before.init(cluster.ref());
        KernelHarness.until("it is set", () -> !finalizers().isEmpty());

        // when
        before.crash();
        assertThat(recording.calls()).hasSize(1);
        KernelHarness after = node("ensureFinalizer", finalizer(lab.client()));
        after.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        after.awaitPhase(flow, "EnsureEndpoint", PhaseState.WAITING, "WaitingForEndpoint");

        // then
        assertThat(finalizers()).containsExactly(WorkloadCluster.FINALIZER);
        assertThat(after.flows().active(cluster.uid())).hasSize(1);
    }

    private KernelHarness node(String bean, Phase phase) {
        ScriptedPhases phases = new ScriptedPhases();
        phases.script(bean, phase);
        KernelHarness node = KernelHarness.start(database, "node-1", KernelProperties.ClockMode.ENGINE, phases);
        nodes.add(node);
        return node;
    }

    private static Phase certificates(KubeClient client) {
        ClusterApi api = new ClusterApi(client);
        return new EnsureCertificates(client, client, new LiveClusters(client, api), api, new KeyMaker());
    }

    private static Phase finalizer(KubeClient client) {
        return new EnsureFinalizer(new LiveClusters(client, new ClusterApi(client)), client);
    }

    private List<String> finalizers() {
        return lab.get("slipway.dev", "WorkloadCluster", "c").finalizers();
    }

    /** UIDs by name. */
    private Map<String, String> secrets() {
        Map<String, String> uids = new TreeMap<>();
        for (KubeObject secret : lab.client().list(ResourceType.SECRETS, lab.namespace(), Map.of())) {
            uids.put(secret.name(), secret.uid());
        }
        return uids;
    }
}
