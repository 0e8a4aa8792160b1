package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.imports.ImportLab;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.platform.PlatformLab;
import dev.slipway.queue.ManualWorkers;
import dev.slipway.trigger.ImportTrigger;
import dev.slipway.trigger.ImportTriggers;
import java.time.Duration;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Cluster that goes while its import runs: the import ends, and what takes the name is left alone. */
class VanishedClusterIT {

    private final FaultInjector management = FaultInjector.before(PlatformLab.plane());
    private final ImportLab lab = ImportLab.open().network();
    private final ImportNode node = ImportNode.start(KernelHarness.memory(), () -> lab);
    private final ManualWorkers workers = new ManualWorkers();
    private final ImportTrigger trigger =
            ImportTriggers.watching(node.kernel.flows(), PlatformLab.client(), lab.namespace(), workers);

    @BeforeEach
    void begin() {
        ClockUtil.reset();
        lab.through(KubeClient.of(management.apiClient()));
        lab.kubeconfig(ImportLab.workloadPlane().adminKubeconfig());
    }

    @AfterEach
    void stop() {
        trigger.close();
        node.close();
        lab.close();
        management.close();
    }

    @Test
    @Tag("T68")
    void itsImportIsToldAfterASecondLookAndEndsWithoutAnotherWrite() {
        // given
        FlowView flow = waitingForNodes();
        lab.vanish();
        Recording writes = management.record(Calls.writes());

        // when
        tellsTheTrigger();

        // then
        assertThat(node.awaitEnd(flow).state()).isEqualTo(FlowState.INTERRUPTED);
        assertThat(node.kernel.flows().active(lab.ref().uid())).isEmpty();
        assertThat(node.kernel.tasks(flow)).isZero();
        assertThat(writes.calls()).isEmpty();
    }

    @Test
    @Tag("T68")
    void anotherOneThatHasItsNameBeforeTheSecondLookDoesNotKeepTheOldImportAlive() {
        // given
        FlowView flow = waitingForNodes();
        lab.replace();
        Recording writes = management.record(Calls.writes());

        // when: the old import looks before anybody has told it
        node.awaitReason(flow, "VerifyInvariants", "ClusterReplaced");
        tellsTheTrigger();

        // then
        assertThat(node.awaitEnd(flow).state()).isEqualTo(FlowState.INTERRUPTED);
        assertThat(writes.calls()).isEmpty();
        assertUntouched();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Tag("T68")
    void whatTakesItsNameRightBeforeAWriteDoesNotGetThatWrite(int number) {
        // given: the identity, the finalizer, the label
        int[] count = {0};
        management
                .on(
                        Calls.verb("patch"),
                        Calls.group("cluster.x-k8s.io"),
                        Calls.resource("clusters"),
                        call -> ++count[0] == number)
                .times(1)
                .overtakenBy(lab::replace);

        // when
        FlowView flow = node.begin();
        node.until("the import sees it", () -> node.find(flow).phases().stream()
                .anyMatch(phase -> "ClusterReplaced".equals(phase.reason())));
        tellsTheTrigger();

        // then
        assertThat(node.awaitEnd(flow).state()).isEqualTo(FlowState.INTERRUPTED);
        assertUntouched();
    }

    private FlowView waitingForNodes() {
        FlowView flow = node.begin();
        node.awaitReason(flow, "VerifyInvariants", "WaitingForNodes");
        return flow;
    }

    private void tellsTheTrigger() {
        trigger.clusterGone(lab.namespace(), lab.name(), lab.ref().uid());
        workers.runDue();
        assertThat(node.kernel.flows().active(lab.ref().uid()))
                .as("after one look")
                .hasSize(1);
        workers.advance(Duration.ofSeconds(6));
    }

    private void assertUntouched() {
        assertThat(lab.cluster().at("/metadata/uid").asText())
                .isNotEqualTo(lab.ref().uid());
        assertThat(lab.cluster().at("/metadata").has("finalizers")).isFalse();
        assertThat(lab.cluster().at("/metadata").has("labels")).isFalse();
        assertThat(lab.cluster().at("/metadata").has("annotations")).isFalse();
    }
}
