package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.delegates.EnsureControlPlaneInitialized;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.phase.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.sql.DataSource;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Credentials that an API server refuses are used three times and then no more: accounts get locked. */
class RefusedCredentialsIT {

    private static final String PHASE = "EnsureControlPlaneInitialized";
    private static final int TRIES = 3;

    private final ClusterLab lab = ClusterLab.open("refused");
    private final FaultInjector workload = FaultInjector.before(ControlPlane.shared());
    private final Recording calls = workload.record(Calls.all());
    private final DataSource database = KernelHarness.memory();
    private final List<KernelHarness> nodes = new ArrayList<>();
    private WorkloadCluster cluster;

    @BeforeEach
    void aClusterWhoseKubeconfigHasAWrongToken() {
        ClockUtil.reset();
        cluster = lab.declare("c", "version: v1.36.3\ntopology: {class: small}\n");
        lab.apply("apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: c}\nspec:\n"
                + "  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: c}\n");
        lab.patchStatus("cluster.x-k8s.io", "Cluster", "c", "initialization: {controlPlaneInitialized: true}\n");
        kubeconfig("{token: made-up}");
    }

    @AfterEach
    void stop() {
        nodes.forEach(KernelHarness::close);
        workload.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"ENGINE", "RUNNER"})
    @Tag("T67")
    void noCallIsMadeAfterTheThirdWhateverHappensUntilAnOperatorActs(KernelProperties.ClockMode clock) {
        // given
        KernelHarness before = node(clock);
        FlowView flow = before.init(cluster.ref());
        for (int tried = 1; tried < TRIES; tried++) {
            int attempts = tried;
            KernelHarness.until("tried", () -> before.phase(flow, PHASE).attempt() == attempts);
            before.move(Duration.ofMinutes(1));
        }
        before.awaitPhase(flow, PHASE, PhaseState.BLOCKED, "Unauthorized");
        KernelHarness.until("an operator is asked", () -> before.tasks(flow) == 1);
        assertThat(calls.calls()).hasSize(TRIES);

        // when: events, time, a restart, and all that again
        disturb(before);
        before.crash();
        KernelHarness after = node(clock);
        disturb(after);

        // then
        assertThat(calls.calls()).hasSize(TRIES);
        assertThat(after.phase(flow, PHASE).state()).isEqualTo(PhaseState.BLOCKED);
        assertThat(after.phase(flow, PHASE).nextCheck()).isNull();

        // when
        kubeconfig(null);
        after.flows().retry(cluster.uid(), "alice", "new credentials");

        // then
        assertThat(after.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(calls.calls()).hasSizeGreaterThan(TRIES);
    }

    /** Whatever was due has run once another flow has gone all the way. */
    private void disturb(KernelHarness node) {
        node.wake(cluster.ref());
        node.move(Duration.ofHours(5));
        node.wake(cluster.ref());
        assertThat(node.awaitEnd(node.init(KernelHarness.cluster("other"))).result())
                .isEqualTo("Ready");
    }

    private KernelHarness node(KernelProperties.ClockMode clock) {
        EnsureControlPlaneInitialized phase = new EnsureControlPlaneInitialized(lab.clusters(), lab.workloads());
        ScriptedPhases phases = new ScriptedPhases();
        phases.script(
                "ensureControlPlaneInitialized",
                context -> context.cluster().equals(cluster.ref()) ? phase.run(context) : Outcome.done("fine"));
        KernelHarness node = KernelHarness.start(database, "node-1", clock, phases);
        nodes.add(node);
        return node;
    }

    /** A kubeconfig that leads through the injector: with that user, or with one that is let in. */
    private void kubeconfig(String user) {
        String authority = base64(workload.authority());
        String refused =
                """
                apiVersion: v1
                kind: Config
                current-context: c
                clusters: [{name: c, cluster: {server: '%s', certificate-authority-data: %s}}]
                users: [{name: u, user: %s}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                """
                        .formatted(workload.server(), authority, user);
        String text = user == null ? workload.kubeconfig() : refused;
        lab.apply(
                "apiVersion: v1\nkind: Secret\nmetadata: {name: c-kubeconfig}\ndata: {value: " + base64(text) + "}\n");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
