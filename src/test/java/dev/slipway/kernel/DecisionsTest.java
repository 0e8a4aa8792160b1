package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.kernel.Decision.State;
import dev.slipway.kernel.Decision.Wish;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.camunda.bpm.engine.ProcessEngineException;
import org.camunda.bpm.engine.form.FormField;
import org.camunda.bpm.engine.task.Task;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators decide about phases of the real diagram. */
class DecisionsTest extends OneKernel {

    private static final String CERTIFICATES = "EnsureCertificates";
    private static final String ENDPOINT = "EnsureEndpoint";
    private static final String READY = "EnsureControlPlaneReady";

    DecisionsTest() {
        super(KernelProperties.ClockMode.ENGINE);
    }

    @Test
    void everyPhaseAllowsTheCommonChoicesAndOnlyDrawnOnesBesides() {
        // given
        FlowView flow = waitingIn("ensureEndpoint", ENDPOINT, KernelHarness.cluster("a"));
        FlowView first = waitingIn("admit", "Admit", KernelHarness.cluster("b"));

        // then
        assertThat(kernel.phase(flow, ENDPOINT).choices())
                .containsExactlyInAnyOrder(
                        Choice.RETRY, Choice.RETRY_FROM, Choice.WAIT_MORE, Choice.SKIP, Choice.PAUSE, Choice.ABORT);
        assertThat(kernel.phase(first, "Admit").choices())
                .containsExactlyInAnyOrder(Choice.RETRY, Choice.WAIT_MORE, Choice.PAUSE, Choice.ABORT);
        assertThat(kernel.phase(flow, "Admit").choices()).isEmpty();
    }

    @Test
    void aChoiceThatThePhaseDoesNotAllowIsRefusedWithThoseThatItDoes() {
        // given
        FlowView flow = waitingIn("ensureFinalizer", "EnsureFinalizer", KernelHarness.cluster("a"));
        String run = run(flow, "EnsureFinalizer");

        // then
        assertThatThrownBy(() -> kernel.desk().decide(run, Wish.of(Choice.SKIP, "why not"), "alice"))
                .isInstanceOf(Decisions.NotAllowed.class)
                .hasMessageContaining("EnsureFinalizer of default/a does not allow SKIP")
                .hasMessageContaining("RETRY, RETRY_FROM, WAIT_MORE, PAUSE, ABORT");
        assertThatThrownBy(() -> kernel.desk().decide(run, Wish.of(Choice.RESUME, null), "alice"))
                .isInstanceOf(Decisions.NotAllowed.class);
        assertThat(kernel.desk().ofCluster(flow.cluster().uid())).isEmpty();
    }

    @Test
    void wrongParametersAreRefusedByField() {
        // given
        FlowView flow = waitingIn("ensureEndpoint", ENDPOINT, KernelHarness.cluster("a"));
        String run = run(flow, ENDPOINT);

        // then
        refused(run, new Wish(Choice.RETRY_FROM, null, null, null, false, null), "from", "Admit, EnsureFinalizer");
        refused(
                run,
                new Wish(Choice.RETRY_FROM, "EnsureHealthy", null, null, false, null),
                "from",
                "up to the current");
        refused(run, new Wish(Choice.WAIT_MORE, null, Duration.ZERO, null, false, null), "duration", "PT1S");
        refused(run, new Wish(Choice.WAIT_MORE, null, Duration.ofDays(31), null, false, null), "duration", "PT1S");
        refused(run, Wish.of(Choice.SKIP, " "), "reason", "needs a reason");
        refused(run, Wish.of(Choice.ABORT, null), "reason", "needs a reason");
        refused("nonsense", Wish.of(Choice.RETRY, null), "run", "There is no run nonsense");
        refused(run, Wish.of(Choice.RETRY, "x".repeat(2001)), "reason", "at most 2000");
    }

    private void refused(String run, Wish wish, String field, String text) {
        assertThatThrownBy(() -> kernel.desk().decide(run, wish, "alice"))
                .isInstanceOfSatisfying(Decisions.Invalid.class, e -> {
                    assertThat(e.field()).isEqualTo(field);
                    assertThat(e.getMessage() + " " + e.remedy()).contains(text);
                });
    }

    @Test
    void retryFromStartsAnEarlierPhaseAndGoesOnFromThere() {
        // given
        FlowView flow = waitingIn("ensureEndpoint", ENDPOINT, KernelHarness.cluster("a"));
        kernel.phases.done("ensureEndpoint");

        // when
        Decision decision = kernel.desk()
                .decide(
                        run(flow, ENDPOINT),
                        new Wish(Choice.RETRY_FROM, CERTIFICATES, null, "look", false, null),
                        "alice");

        // then
        assertThat(decision.state()).isEqualTo(State.APPLIED);
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(entered(CERTIFICATES)).isEqualTo(2);
        assertThat(entered("EnsureKubeconfig")).isEqualTo(2);
        assertThat(entered("EnsureFinalizer")).isEqualTo(1);
    }

    @Test
    void waitMoreAsksAgainOnlyAfterThatTime() {
        // given
        FlowView flow = stuckIn("ensureCertificates", CERTIFICATES, KernelHarness.cluster("a"));

        // when
        kernel.desk()
                .decide(
                        run(flow, CERTIFICATES),
                        new Wish(Choice.WAIT_MORE, null, Duration.ofHours(3), null, false, null),
                        "alice");

        // then
        assertThat(kernel.tasks(flow)).isZero();
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.WAITING, "WaitingForIt");
        assertThat(Duration.between(
                        kernel.phase(flow, CERTIFICATES).since(),
                        kernel.phase(flow, CERTIFICATES).stuckAt()))
                .isBetween(
                        Duration.ofHours(3).minusSeconds(5), Duration.ofHours(3).plusSeconds(5));

        // when: more than the drawn time, less than the decided one
        int runs = kernel.phases.runs(CERTIFICATES).size();
        kernel.move(Duration.ofHours(2));
        KernelHarness.until(
                "it went on trying", () -> kernel.phases.runs(CERTIFICATES).size() > runs);
        assertThat(kernel.tasks(flow)).isZero();
        kernel.move(Duration.ofMinutes(61));

        // then
        KernelHarness.until("task opens again", () -> kernel.tasks(flow) == 1);
    }

    @Test
    void markDoneGoesOnIfTheLiveCheckPassesAndKeepsItsFacts() {
        // given
        FlowView flow = heldIn("ensureCertificates", CERTIFICATES, KernelHarness.cluster("a"));
        kernel.phases.always("ensureCertificates", Outcome.done("own CA found").with("ca", "own"));

        // when
        Decision decision = kernel.desk().decide(run(flow, CERTIFICATES), Wish.of(Choice.MARK_DONE, null), "alice");

        // then
        assertThat(decision.state()).isEqualTo(State.APPLIED);
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(kernel.phases.runs("EnsureKubeconfig").get(0).fact("ca")).contains("own");
        assertThat(kernel.phase(flow, CERTIFICATES).state()).isEqualTo(PhaseState.DONE);
    }

    @Test
    void markDoneIsRefusedWhileTheCheckFailsAndOverriddenOnlyWithAReason() {
        // given
        FlowView flow = stuckIn("ensureCertificates", CERTIFICATES, KernelHarness.cluster("a"));
        String run = run(flow, CERTIFICATES);

        // when
        Decision refused = kernel.desk().decide(run, Wish.of(Choice.MARK_DONE, "looks fine"), "alice");

        // then
        assertThat(refused.state()).isEqualTo(State.REFUSED);
        assertThat(refused.result()).contains("does not pass: WaitingForIt: not there");
        assertThat(kernel.phase(flow, CERTIFICATES).state()).isEqualTo(PhaseState.WAITING);
        assertThat(kernel.tasks(flow)).isEqualTo(1);
        refused(run, new Wish(Choice.MARK_DONE, null, null, null, true, null), "reason", "needs a reason");

        // when
        Decision forced =
                kernel.desk().decide(run, new Wish(Choice.MARK_DONE, null, null, "I looked myself", true, null), "bob");

        // then
        assertThat(forced.state()).isEqualTo(State.APPLIED);
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(kernel.phase(flow, CERTIFICATES).message())
                .contains("WaitingForIt")
                .contains("by bob: I looked myself");
    }

    @Test
    void skipGoesOnWithoutTheGoalUnlessThePhaseSaysThatItIsUnsafe() {
        // given
        FlowView flow = stuckIn("ensureControlPlaneReady", READY, KernelHarness.cluster("a"));
        kernel.phases.always(
                "ensureControlPlaneReady",
                Outcome.waiting("WaitingForIt", "1 of 3").unskippable("1 of 3: etcd has no quorum"));

        // when
        Decision refused = kernel.desk().decide(run(flow, READY), Wish.of(Choice.SKIP, "hurry"), "alice");

        // then
        assertThat(refused.state()).isEqualTo(State.REFUSED);
        assertThat(refused.result()).contains("etcd has no quorum");
        assertThat(kernel.tasks(flow)).isEqualTo(1);

        // when
        kernel.phases.script("ensureControlPlaneReady", context -> {
            throw Failure.of(ErrorClass.TRANSIENT, "ApiUnreachable", "refused");
        });
        Decision blind = kernel.desk().decide(run(flow, READY), Wish.of(Choice.SKIP, "hurry"), "alice");

        // then
        assertThat(blind.state()).isEqualTo(State.REFUSED);
        assertThat(blind.result()).contains("ApiUnreachable");

        // when
        kernel.phases.always("ensureControlPlaneReady", Outcome.waiting("WaitingForIt", "2 of 3"));
        Decision skipped = kernel.desk().decide(run(flow, READY), Wish.of(Choice.SKIP, "hurry"), "alice");

        // then
        assertThat(skipped.state()).isEqualTo(State.APPLIED);
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(kernel.phase(flow, READY).state()).isEqualTo(PhaseState.SKIPPED);
        assertThat(kernel.phase(flow, READY).message()).contains("2 of 3").contains("by alice: hurry");
    }

    @Test
    void aPausedPhaseDoesNotRunWhateverHappensUntilItIsResumed() {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        FlowView flow = heldIn("ensureCertificates", CERTIFICATES, cluster);

        // when
        kernel.desk().decide(run(flow, CERTIFICATES), Wish.of(Choice.PAUSE, "maintenance"), "alice");
        int runs = kernel.phases.runs(CERTIFICATES).size();
        kernel.phases.done("ensureCertificates");
        kernel.wake(cluster);
        kernel.move(Duration.ofDays(2));
        kernel.wake(cluster);
        FlowView other = kernel.awaitEnd(kernel.init(KernelHarness.cluster("other")));

        // then
        assertThat(other.result()).isEqualTo("Ready");
        assertThat(kernel.phases.runs(CERTIFICATES).stream()
                        .filter(run -> run.flowId().equals(flow.id())))
                .hasSize(runs);
        PhaseView paused = kernel.phase(flow, CERTIFICATES);
        assertThat(paused.state()).isEqualTo(PhaseState.PAUSED);
        assertThat(paused.message()).isEqualTo("by alice: maintenance");
        assertThat(paused.stuck()).isFalse();
        assertThat(paused.nextCheck()).isNull();
        assertThat(kernel.tasks(flow)).isZero();
        assertThat(kernel.incidents(flow)).isZero();
        assertThat(paused.choices()).contains(Choice.RESUME).doesNotContain(Choice.PAUSE, Choice.MARK_DONE);

        // when
        kernel.desk().decide(run(flow, CERTIFICATES), Wish.of(Choice.RESUME, null), "bob");

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    @Test
    void aRunThatEndsWhileItsPhaseIsPausedChangesNothing() throws Exception {
        // given
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        kernel.phases.script("ensureCertificates", context -> {
            running.countDown();
            await(goOn);
            return Outcome.done("fine");
        });
        FlowView flow = kernel.init(KernelHarness.cluster("a"));
        running.await();

        // when
        kernel.desk().decide(run(flow, CERTIFICATES), Wish.of(Choice.PAUSE, "wait"), "alice");
        goOn.countDown();
        kernel.awaitEnd(kernel.init(KernelHarness.cluster("other")));

        // then
        assertThat(kernel.phase(flow, CERTIFICATES).state()).isEqualTo(PhaseState.PAUSED);
    }

    @Test
    void ofTwoOperatorsWhoDecideAtOnceOneWinsAndTheOtherIsTold() throws Exception {
        // given
        FlowView flow = stuckIn("ensureCertificates", CERTIFICATES, KernelHarness.cluster("a"));
        String run = run(flow, CERTIFICATES);
        ExecutorService operators = Executors.newFixedThreadPool(2);
        CountDownLatch go = new CountDownLatch(1);

        // when
        List<Future<Decision>> answers = new ArrayList<>();
        for (String who : List.of("alice", "bob")) {
            answers.add(operators.submit(() -> {
                go.await();
                return kernel.desk().decide(run, Wish.of(Choice.RETRY, "mine"), who);
            }));
        }
        go.countDown();
        List<String> winners = new ArrayList<>();
        List<String> conflicts = new ArrayList<>();
        for (Future<Decision> answer : answers) {
            try {
                winners.add(answer.get().by());
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOf(Decisions.Conflict.class);
                conflicts.add(e.getCause().getMessage());
            }
        }
        operators.shutdown();

        // then
        assertThat(winners).hasSize(1);
        assertThat(conflicts).singleElement().asString().contains(winners.get(0) + " decided RETRY at ");
    }

    @Test
    void aTaskThatIsCompletedWithAForbiddenChoiceStaysOpen() {
        // given
        FlowView flow = stuckIn("ensureFinalizer", "EnsureFinalizer", KernelHarness.cluster("a"));
        Task task = task(flow);

        // then
        assertThatThrownBy(() -> kernel.engine()
                        .getTaskService()
                        .complete(task.getId(), Map.of("decision", "SKIP", "reason", "hurry")))
                .hasStackTraceContaining("Allowed here: RETRY, RETRY_FROM, WAIT_MORE, PAUSE, ABORT");
        assertThat(kernel.tasks(flow)).isEqualTo(1);
        assertThatThrownBy(() -> kernel.engine().getTaskService().complete(task.getId(), Map.of("decision", "FLY")))
                .hasStackTraceContaining("There is no choice FLY");
        assertThat(kernel.tasks(flow)).isEqualTo(1);
    }

    @Test
    void theTasksFormOffersOnlyWhatThePhaseAllows() {
        // given
        FlowView flow = stuckIn("ensureCertificates", CERTIFICATES, KernelHarness.cluster("a"));

        // when
        FormField decision =
                kernel.engine().getFormService().getTaskFormData(task(flow).getId()).getFormFields().stream()
                        .filter(field -> field.getId().equals("decision"))
                        .findFirst()
                        .orElseThrow();

        // then
        assertThat(((Map<?, ?>) decision.getType().getInformation("values"))
                        .keySet().stream().map(String::valueOf))
                .containsExactly("RETRY", "RETRY_FROM", "WAIT_MORE", "MARK_DONE", "PAUSE", "ABORT");
    }

    @Test
    void aRefusedDecisionFromTheTaskOpensItAgainAndSaysWhy() {
        // given
        FlowView flow = stuckIn("ensureCertificates", CERTIFICATES, KernelHarness.cluster("a"));
        String first = task(flow).getId();

        // when
        kernel.complete(first, Map.of("decision", "MARK_DONE", "reason", "I am sure", "override", false));

        // then
        KernelHarness.until(
                "task is there again",
                () -> kernel.tasks(flow) == 1 && !task(flow).getId().equals(first));
        assertThat(task(flow).getDescription()).startsWith("The decision MARK_DONE of unknown was refused");
        assertThat(kernel.incidents(flow)).isEqualTo(1);
        assertThat(kernel.jdbc()
                        .sql("select count(*) from slipway_escalation")
                        .query(Long.class)
                        .single())
                .isEqualTo(1);

        // when: what the first form said must not meet the second one
        kernel.phases.always("ensureCertificates", Outcome.waiting("WaitingForIt", "still not"));
        kernel.complete(task(flow).getId(), Map.of("decision", "RETRY"));

        // then
        KernelHarness.until("task closes", () -> kernel.tasks(flow) == 0);
        Decision retry = kernel.desk().ofCluster(flow.cluster().uid()).get(0);
        assertThat(retry.wish()).isEqualTo(Wish.of(Choice.RETRY, null));
        assertThat(kernel.engine().getRuntimeService().getVariables(flow.id()))
                .doesNotContainKeys("decision", "reason", "override");
    }

    @Test
    @Tag("S1")
    void theTaskTellsCauseAttemptsActionsAndChoicesAndNeverAMereConflict() {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.always("ensureCertificates", Outcome.waiting("WaitingForSecret", "no secret a-ca"));
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.WAITING, "WaitingForSecret");
        kernel.phases.script("ensureCertificates", context -> {
            throw Failure.of(ErrorClass.CONTENTION, "Conflict", "the object has been modified");
        });
        kernel.wake(cluster);
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.RETRYING, "Conflict");

        // when
        kernel.move(Duration.ofMinutes(5).plusSeconds(1));
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);

        // then
        assertThat(task(flow).getDescription())
                .contains("Cause: WaitingForSecret: no secret a-ca")
                .doesNotContain("Cause: Conflict")
                .contains("In this phase since ")
                .contains("attempts")
                .contains("1. Put the CA that the message asks for into the secret, then RETRY")
                .contains("Allowed here: RETRY, RETRY_FROM, WAIT_MORE, MARK_DONE, PAUSE, ABORT");
        assertThat(kernel.phase(flow, CERTIFICATES).cause().code()).isEqualTo("WaitingForSecret");
        assertThat(kernel.desk().stuck()).singleElement().satisfies(group -> assertThat(group.reason())
                .isEqualTo("WaitingForSecret"));
    }

    @Test
    void theTaskGetsADiagnosisUnlessBadCredentialsStoppedAllCalls() {
        // given
        FlowView stuck = stuckIn("ensureCertificates", CERTIFICATES, KernelHarness.cluster("a"));
        kernel.phases.done("ensureCertificates");
        FlowView held = heldIn("ensureEndpoint", ENDPOINT, KernelHarness.cluster("b"));
        FlowView blocked = kernel.init(blockedCluster());
        KernelHarness.until("task opens", () -> kernel.tasks(blocked) == 1);

        // then
        KernelHarness.until(
                "diagnoses are there", () -> task(blocked).getDescription().endsWith("\n\nLooked around default/c"));
        assertThat(kernel.phases.diagnosed()).contains("default/a", "default/c").doesNotContain("default/b");
        assertThat(task(held).getDescription()).doesNotContain("Looked around");
        assertThat(stuck.id()).isNotEqualTo(held.id());
    }

    private ClusterRef blockedCluster() {
        kernel.phases.always("ensureFinalizer", Outcome.blocked(ErrorClass.INVALID, "Bad", "bad input", "Correct it"));
        return KernelHarness.cluster("c");
    }

    @Test
    void flowsThatAreStuckForTheSameReasonAreRetriedTogether() {
        // given
        List<FlowView> flows = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            flows.add(heldIn("ensureCertificates", CERTIFICATES, KernelHarness.cluster(name)));
        }
        kernel.phases.always("ensureEndpoint", Outcome.blocked(ErrorClass.TRUST, "CaUnknown", "who?", "look"));
        kernel.phases.done("ensureCertificates");
        FlowView other = kernel.init(KernelHarness.cluster("d"));
        KernelHarness.until("task opens", () -> kernel.tasks(other) == 1);

        // then
        List<StuckGroup> groups = kernel.desk().stuck();
        assertThat(groups).extracting(StuckGroup::reason).containsExactly("Unauthorized", "CaUnknown");
        assertThat(groups.get(0).stuck())
                .extracting(member -> member.cluster().name())
                .containsExactly("a", "b", "c");

        // when
        kernel.phases.done("ensureEndpoint");
        List<Decision> decisions = kernel.desk().retryAll(CERTIFICATES, "Unauthorized", "alice", "fixed for all");

        // then
        assertThat(decisions).hasSize(3).allMatch(decision -> decision.state() == State.APPLIED);
        flows.forEach(flow -> assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready"));
        assertThat(kernel.tasks(other)).isEqualTo(1);
        assertThat(kernel.desk().retryAll(CERTIFICATES, "Unauthorized", "alice", null))
                .isEmpty();
    }

    @Test
    void whoWhenAndWhyAreKept() {
        // given
        FlowView flow = waitingIn("ensureEndpoint", ENDPOINT, KernelHarness.cluster("a"));
        kernel.desk().decide(run(flow, ENDPOINT), Wish.of(Choice.PAUSE, "night"), "alice");
        kernel.desk().decide(run(flow, ENDPOINT), Wish.of(Choice.RESUME, "morning"), "bob");
        kernel.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForIt");

        // when
        List<Decision> kept = kernel.desk().ofCluster(flow.cluster().uid());

        // then
        assertThat(kept).extracting(Decision::by).containsExactly("bob", "alice");
        assertThat(kept).extracting(decision -> decision.wish().reason()).containsExactly("morning", "night");
        assertThat(kept).allSatisfy(decision -> {
            assertThat(decision.phase()).isEqualTo(ENDPOINT);
            assertThat(decision.at()).isNotNull();
            assertThat(decision.appliedAt()).isNotNull();
        });
    }

    private long entered(String phase) {
        return kernel.phases.runs(phase).stream()
                .map(PhaseContext::since)
                .distinct()
                .count();
    }

    private FlowView waitingIn(String bean, String phase, ClusterRef cluster) {
        kernel.phases.always(bean, Outcome.waiting("WaitingForIt", "not there"));
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, phase, PhaseState.WAITING, "WaitingForIt");
        return flow;
    }

    private FlowView stuckIn(String bean, String phase, ClusterRef cluster) {
        FlowView flow = waitingIn(bean, phase, cluster);
        kernel.move(Duration.between(
                        new EngineClock().instant(), kernel.phase(flow, phase).stuckAt())
                .plusSeconds(1));
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);
        return flow;
    }

    /** Blocked for a reason that nothing but a decision makes it look at again. */
    private FlowView heldIn(String bean, String phase, ClusterRef cluster) {
        kernel.phases.always(bean, Outcome.blocked(ErrorClass.AUTH, "Unauthorized", "not accepted", "Supply new ones"));
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, phase, PhaseState.BLOCKED, "Unauthorized");
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);
        return flow;
    }

    private String run(FlowView flow, String phase) {
        return kernel.phase(flow, phase).run();
    }

    private Task task(FlowView flow) {
        return kernel.engine()
                .getTaskService()
                .createTaskQuery()
                .processInstanceId(flow.id())
                .singleResult();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new ProcessEngineException("interrupted", e);
        }
    }
}
