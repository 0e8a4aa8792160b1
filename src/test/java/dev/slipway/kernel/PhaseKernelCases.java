package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.camunda.bpm.engine.history.HistoricActivityInstance;
import org.camunda.bpm.engine.task.Task;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The kernel on the real diagram, with either clock. */
abstract class PhaseKernelCases extends OneKernel {

    private static final String CERTIFICATES = "EnsureCertificates";

    PhaseKernelCases(KernelProperties.ClockMode clock) {
        super(clock);
    }

    @Test
    void runsAllPhasesInTheOrderOfTheDiagram() {
        // when
        FlowView flow = kernel.awaitEnd(kernel.init(KernelHarness.cluster("a")));

        // then
        assertThat(flow.state()).isEqualTo(FlowState.COMPLETED);
        assertThat(flow.result()).isEqualTo("Ready");
        List<String> called = List.of("AdmitImport", "EnsureClusterNotPaused");
        assertThat(kernel.phases.order()).containsSubsequence("EnsureWorkersJoined", "AdmitImport", "EnsureHealthy");
        assertThat(kernel.phases.order().stream().filter(phase -> !called.contains(phase)))
                .containsExactly(flow.phases().stream().map(PhaseView::name).toArray(String[]::new))
                .hasSize(12);
        assertThat(flow.phases()).allMatch(phase -> phase.state() == PhaseState.DONE);
    }

    @Test
    void keepsOneHistoryRowForEachPhaseHoweverOftenItWasRequeued() {
        // given
        kernel.phases.always("ensureCertificates", Outcome.waiting("WaitingForSecret", "no secret"));
        FlowView flow = kernel.init(KernelHarness.cluster("a"));
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.WAITING, "WaitingForSecret");
        for (int turn = 2; turn <= 4; turn++) {
            int runs = turn;
            kernel.move(Duration.ofMinutes(1));
            KernelHarness.until(
                    "run " + runs, () -> kernel.phases.runs(CERTIFICATES).size() >= runs);
        }
        kernel.phases.done("ensureCertificates");
        kernel.move(Duration.ofMinutes(1));
        kernel.awaitEnd(flow);

        // when
        List<HistoricActivityInstance> rows = kernel.engine()
                .getHistoryService()
                .createHistoricActivityInstanceQuery()
                .processInstanceId(flow.id())
                .list();

        // then
        assertThat(rows.stream().filter(row -> row.getActivityId().equals("phase_certificates")))
                .hasSize(1);
        assertThat(rows).noneMatch(row -> row.getActivityId().startsWith("task_ensure"));
        assertThat(rows).noneMatch(row -> row.getActivityId().startsWith("requeue_"));
    }

    @Test
    void aWatchEventWakesAWaitingPhaseAtOnce() {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, "EnsureEndpoint", PhaseState.WAITING, "WaitingForEndpoint");
        kernel.phases.done("ensureEndpoint");

        // when
        kernel.wake(cluster);

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    @Test
    void anEventDuringARunMakesItRunOnceMore() throws Exception {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        kernel.phases.script("ensureEndpoint", context -> {
            running.countDown();
            waitFor(goOn);
            return context.attempt() == 1 ? Outcome.waiting("WaitingForEndpoint", "none yet") : Outcome.done("there");
        });
        FlowView flow = kernel.init(cluster);
        running.await();

        // when
        kernel.wake(cluster);
        goOn.countDown();

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    @Test
    void looksAgainWhenTheRequeueTimeHasCome() {
        // given
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = kernel.init(KernelHarness.cluster("a"));
        kernel.awaitPhase(flow, "EnsureEndpoint", PhaseState.WAITING, "WaitingForEndpoint");
        kernel.phases.done("ensureEndpoint");

        // when
        kernel.move(Duration.ofSeconds(13));

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    @Test
    void boundaryTimersTakeOverWhenTheRunnersClockStandsStill() {
        // given
        kernel.runnerClock().freeze(true);
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = kernel.init(KernelHarness.cluster("a"));
        kernel.awaitPhase(flow, "EnsureEndpoint", PhaseState.WAITING, "WaitingForEndpoint");
        kernel.phases.done("ensureEndpoint");

        // when
        kernel.move(Duration.ofMinutes(6));

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    @Test
    void aStuckPhaseOpensOneTaskAndOneIncidentAndBothVanishWhenItLeaves() {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.always("ensureCertificates", Outcome.waiting("WaitingForSecret", "no secret a-ca"));
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.WAITING, "WaitingForSecret");

        // when
        kernel.move(Duration.ofMinutes(5).plusSeconds(1));
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);
        kernel.move(Duration.ofMinutes(30));
        KernelHarness.until(
                "it goes on trying", () -> kernel.phases.runs(CERTIFICATES).size() > 2);

        // then
        assertThat(kernel.tasks(flow)).isEqualTo(1);
        assertThat(kernel.incidents(flow)).isEqualTo(1);
        assertThat(kernel.phase(flow, CERTIFICATES).stuck()).isTrue();
        Task task = kernel.engine().getTaskService().createTaskQuery().singleResult();
        assertThat(task.getName()).isEqualTo("EnsureCertificates of default/a");
        assertThat(task.getDescription()).contains("WaitingForSecret: no secret a-ca");
        assertThat(kernel.engine()
                        .getRuntimeService()
                        .createIncidentQuery()
                        .singleResult()
                        .getActivityId())
                .isEqualTo("phase_certificates");

        // when
        kernel.phases.done("ensureCertificates");
        kernel.wake(cluster);

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(kernel.engine().getTaskService().createTaskQuery().count()).isZero();
        assertThat(kernel.engine().getRuntimeService().createIncidentQuery().count())
                .isZero();
    }

    @Test
    void aBlockedPhaseEscalatesAtOnceAndGoesOnWhenFixedFromOutside() {
        // given
        kernel.phases.always(
                "ensureCertificates",
                Outcome.blocked(ErrorClass.INVALID, "CaExpired", "a-ca expired", "Replace the CA"));
        FlowView flow = kernel.init(KernelHarness.cluster("a"));

        // when
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);

        // then
        PhaseView phase = kernel.phase(flow, CERTIFICATES);
        assertThat(phase.state()).isEqualTo(PhaseState.BLOCKED);
        assertThat(phase.actions()).containsExactly("Replace the CA");
        assertThat(phase.nextCheck()).isNotNull();

        // when
        kernel.phases.done("ensureCertificates");
        kernel.move(Duration.ofMinutes(2));

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(kernel.engine().getTaskService().createTaskQuery().count()).isZero();
    }

    @Test
    void aPhaseWithoutStuckTimerEscalatesTooWhenBlocked() {
        // given
        kernel.phases.always(
                "ensureNotPaused", Outcome.blocked(ErrorClass.IDENTITY, "UidChanged", "another object", "Abort"));

        // when
        FlowView flow = kernel.init(KernelHarness.cluster("a"));

        // then
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);
        assertThat(kernel.incidents(flow)).isEqualTo(1);
    }

    @Test
    void aBlockedPhaseThatMerelyWaitsAgainCanGetStuckAgain() {
        // given
        kernel.phases.always("ensureCertificates", Outcome.blocked(ErrorClass.INVALID, "CaExpired", "expired", "fix"));
        ClusterRef cluster = KernelHarness.cluster("a");
        FlowView flow = kernel.init(cluster);
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);

        // when: the API is away for a moment; then it is fixed from outside, but not there yet
        kernel.phases.script("ensureCertificates", context -> {
            throw Failure.of(ErrorClass.TRANSIENT, "ApiUnreachable", "refused");
        });
        kernel.wake(cluster);
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.RETRYING, "ApiUnreachable");
        assertThat(kernel.tasks(flow)).isEqualTo(1);
        kernel.phases.always("ensureCertificates", Outcome.waiting("WaitingForSecret", "no secret a-ca"));
        kernel.wake(cluster);

        // then
        KernelHarness.until("task closes", () -> kernel.tasks(flow) == 0 && kernel.incidents(flow) == 0);
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.WAITING, "WaitingForSecret");
        assertThat(kernel.phase(flow, CERTIFICATES).stuck()).isFalse();

        // when
        kernel.move(Duration.ofMinutes(5).plusSeconds(1));

        // then
        KernelHarness.until("task opens again", () -> kernel.tasks(flow) == 1);
    }

    @Test
    void theOperatorsTaskNamesTheCauseAndNotAnErrorThatPassed() {
        // given: the stuck timer fires while a call happens to fail
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.script("ensureCertificates", context -> {
            throw Failure.of(ErrorClass.TRANSIENT, "ServerError", "the server answered 503");
        });
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.RETRYING, "ServerError");
        kernel.move(Duration.ofMinutes(5).plusSeconds(1));
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);

        // when
        kernel.phases.always("ensureCertificates", Outcome.waiting("WaitingForSecret", "no secret a-ca"));
        kernel.wake(cluster);

        // then
        KernelHarness.until("task names what is awaited", () -> description().contains("\nCause: WaitingForSecret: "));

        // when
        kernel.phases.always(
                "ensureCertificates", Outcome.blocked(ErrorClass.INVALID, "CaExpired", "a-ca expired", "Replace it"));
        kernel.wake(cluster);

        // then
        KernelHarness.until("task names what blocks", () -> description().contains("\nCause: CaExpired: a-ca expired"));
        assertThat(description()).contains("1. Replace it");

        // when
        kernel.phases.script("ensureCertificates", context -> {
            throw Failure.of(ErrorClass.TRANSIENT, "ServerError", "the server answered 503");
        });
        kernel.wake(cluster);
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.RETRYING, "ServerError");

        // then
        assertThat(description()).contains("\nCause: CaExpired: a-ca expired");
        assertThat(kernel.tasks(flow)).isEqualTo(1);
    }

    private String description() {
        return kernel.engine().getTaskService().createTaskQuery().singleResult().getDescription();
    }

    @Test
    @Tag("T67")
    void badCredentialsStopAllCallsAfterThreeTriesUntilAnOperatorActs() {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.script("ensureEndpoint", context -> {
            throw Failure.of(ErrorClass.AUTH, "Unauthorized", "401");
        });
        FlowView flow = kernel.init(cluster);
        for (int turn = 0; turn < 2; turn++) {
            int before = kernel.phases.runs("EnsureEndpoint").size();
            KernelHarness.until(
                    "failed", () -> kernel.phase(flow, "EnsureEndpoint").attempt() > 0);
            kernel.move(Duration.ofMinutes(1));
            KernelHarness.until(
                    "tried again", () -> kernel.phases.runs("EnsureEndpoint").size() > before);
        }
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);

        // when
        kernel.wake(cluster);
        kernel.move(Duration.ofHours(5));
        kernel.wake(cluster);
        FlowView other = kernel.awaitEnd(otherFlow());

        // then
        assertThat(other.result()).isEqualTo("Ready");
        assertThat(kernel.phases.runs("EnsureEndpoint").stream()
                        .filter(run -> run.flowId().equals(flow.id())))
                .hasSize(3);

        // when
        kernel.phases.done("ensureEndpoint");
        kernel.flows().retry(cluster.uid(), "alice", "new credentials");

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    private FlowView otherFlow() {
        kernel.phases.script("ensureEndpoint", context -> {
            if (context.cluster().name().equals("other")) {
                return Outcome.done("fine");
            }
            throw Failure.of(ErrorClass.AUTH, "Unauthorized", "401");
        });
        return kernel.init(KernelHarness.cluster("other"));
    }

    @Test
    void anUnexpectedExceptionIsTriedThreeTimesAndThenTheOperatorsBusiness() {
        // given
        kernel.phases.script("ensureEndpoint", context -> {
            throw new IllegalArgumentException("a bug");
        });
        FlowView flow = kernel.init(KernelHarness.cluster("a"));

        // when
        for (int turn = 0; turn < 2; turn++) {
            int before = kernel.phases.runs("EnsureEndpoint").size();
            KernelHarness.until(
                    "failed", () -> kernel.phase(flow, "EnsureEndpoint").attempt() > 0);
            kernel.move(Duration.ofMinutes(1));
            KernelHarness.until(
                    "tried again", () -> kernel.phases.runs("EnsureEndpoint").size() > before);
        }

        // then
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);
        assertThat(kernel.phase(flow, "EnsureEndpoint").lastError()).contains("a bug");
    }

    @Test
    void retryStartsThePhaseAnewSoThatItCanGetStuckAgain() {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.always("ensureCertificates", Outcome.waiting("WaitingForSecret", "no secret"));
        FlowView flow = kernel.init(cluster);
        for (int round = 0; round < 3; round++) {
            kernel.awaitPhase(flow, CERTIFICATES, PhaseState.WAITING, "WaitingForSecret");
            kernel.move(Duration.ofMinutes(5).plusSeconds(1));
            KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);

            // when
            List<String> restarted = kernel.flows().retry(cluster.uid(), "alice", "try again");

            // then
            assertThat(restarted).containsExactly(CERTIFICATES);
            assertThat(kernel.tasks(flow)).isZero();
            assertThat(kernel.incidents(flow)).isZero();
        }
        kernel.phases.done("ensureCertificates");
        kernel.wake(cluster);
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    @Test
    void completingTheOperatorsTaskWithRetryStartsThePhaseAnew() {
        // given
        kernel.phases.always("ensureCertificates", Outcome.blocked(ErrorClass.INVALID, "CaExpired", "expired", "fix"));
        FlowView flow = kernel.init(KernelHarness.cluster("a"));
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);
        kernel.phases.done("ensureCertificates");

        // when
        Task task = kernel.engine().getTaskService().createTaskQuery().singleResult();
        kernel.complete(task.getId(), Map.of("decision", "RETRY", "reason", "fixed"));

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(kernel.jdbc()
                        .sql("select state from slipway_decision")
                        .query(String.class)
                        .list())
                .containsExactly("APPLIED");
    }

    @Test
    void abortEndsTheFlow() {
        // given
        kernel.phases.always("ensureCertificates", Outcome.blocked(ErrorClass.INVALID, "CaExpired", "expired", "fix"));
        FlowView flow = kernel.init(KernelHarness.cluster("a"));
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);

        // when
        Task task = kernel.engine().getTaskService().createTaskQuery().singleResult();
        kernel.complete(task.getId(), Map.of("decision", "ABORT", "reason", "mistake"));

        // then
        FlowView ended = kernel.awaitEnd(flow);
        assertThat(ended.state()).isEqualTo(FlowState.ABORTED);
        assertThat(ended.result()).isEqualTo("Aborted");
        assertThat(kernel.phase(flow, CERTIFICATES).state()).isEqualTo(PhaseState.CANCELED);
    }

    @Test
    @Tag("T63")
    void aDeleteRequestEndsTheFlowInWhicheverPhaseItIs() {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, "EnsureEndpoint", PhaseState.WAITING, "WaitingForEndpoint");

        // when
        kernel.flows().requestDelete(cluster.uid());

        // then
        FlowView ended = kernel.awaitEnd(flow);
        assertThat(ended.state()).isEqualTo(FlowState.INTERRUPTED);
        assertThat(kernel.runner().knows(flow.id())).isFalse();
        assertThat(kernel.phase(flow, "EnsureEndpoint").state()).isEqualTo(PhaseState.CANCELED);
    }

    @Test
    void factsReachLaterPhases() {
        // given
        kernel.phases.always("ensureClusterApiObjects", Outcome.done("made").with("capiClusterUid", "u-1"));

        // when
        kernel.awaitEnd(kernel.init(KernelHarness.cluster("a")));

        // then
        assertThat(kernel.phases.runs(CERTIFICATES).get(0).fact("capiClusterUid"))
                .contains("u-1");
        assertThat(kernel.phases.runs("EnsureHealthy").get(0).fact("capiClusterUid"))
                .contains("u-1");
    }

    @Test
    void aDryRunEndsPlanned() {
        // given
        kernel.phases.always("ensureNotPaused", Outcome.done("planned").with("dryRun", "true"));

        // when
        FlowView flow = kernel.awaitEnd(kernel.init(KernelHarness.cluster("a")));

        // then
        assertThat(flow.result()).isEqualTo("Planned");
        assertThat(kernel.phases.runs("EnsureClusterApiObjects")).isEmpty();
    }

    @Test
    void ofManyStartsAtOnceOneWins() throws Exception {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.always("admit", Outcome.waiting("WaitingForNothing", "stay"));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        CountDownLatch go = new CountDownLatch(1);
        List<Future<FlowView>> starts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            starts.add(threads.submit(() -> {
                go.await();
                return kernel.flows().start("init", cluster, "slipway", cluster.uid() + "/init/created");
            }));
        }

        // when
        go.countDown();
        int started = 0;
        for (Future<FlowView> start : starts) {
            try {
                start.get();
                started++;
            } catch (java.util.concurrent.ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(Flows.FlowConflict.class);
            }
        }
        threads.shutdown();

        // then
        assertThat(started).isEqualTo(1);
        assertThat(kernel.engine()
                        .getRuntimeService()
                        .createProcessInstanceQuery()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aTriggerFiresOnceForEverWhileAPersonMayStartAgain() {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        String trigger = cluster.uid() + "/init/created";
        kernel.awaitEnd(kernel.flows().start("init", cluster, "slipway", trigger));

        // when, then
        assertThatThrownBy(() -> kernel.flows().start("init", cluster, "slipway", trigger))
                .isInstanceOf(Flows.FlowConflict.class);
        assertThat(kernel.awaitEnd(kernel.flows().start("init", cluster, "alice", null))
                        .result())
                .isEqualTo("Ready");
    }

    @Test
    void anUnknownFlowIsRefusedByName() {
        assertThatThrownBy(() -> kernel.flows().start("fly", KernelHarness.cluster("a"), "alice", null))
                .isInstanceOf(Flows.UnknownFlow.class)
                .hasMessageContaining("\"fly\"");
    }

    @Test
    void slowPhasesDoNotHoldUpQuickOnes() {
        // given
        CountDownLatch release = new CountDownLatch(1);
        kernel.phases.script("ensureEndpoint", context -> {
            if (context.cluster().name().startsWith("dead")) {
                waitFor(release);
                return Outcome.waiting("WaitingForEndpoint", "timed out");
            }
            return Outcome.done("fine");
        });
        for (int i = 0; i < 3; i++) {
            kernel.init(KernelHarness.cluster("dead-" + i));
        }
        KernelHarness.until(
                "dead ones hang", () -> kernel.phases.runs("EnsureEndpoint").size() == 3);

        // when
        FlowView healthy = kernel.init(KernelHarness.cluster("healthy"));

        // then
        assertThat(kernel.awaitEnd(healthy).result()).isEqualTo("Ready");
        release.countDown();
    }

    @Test
    void aRunBeyondItsDeadlineIsInterruptedAndTriedAgain() {
        // given
        kernel.phases.script("ensureEndpoint", context -> {
            if (context.attempt() == 1) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw Failure.of(ErrorClass.TRANSIENT, "ApiTimeout", "no answer");
                }
            }
            return Outcome.done("fine");
        });
        FlowView flow = kernel.init(KernelHarness.cluster("a"));

        // when
        kernel.awaitPhase(flow, "EnsureEndpoint", PhaseState.RETRYING, "ApiTimeout");
        kernel.move(Duration.ofMinutes(1));

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw Failure.of(ErrorClass.TRANSIENT, "ApiTimeout", "interrupted");
        }
    }
}
