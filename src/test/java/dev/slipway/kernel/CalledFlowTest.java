package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.phase.Directive;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Flows that call others, go back to earlier phases, and hand directives to phases; on the real diagrams. */
class CalledFlowTest extends OneKernel {

    private static final String REACHABLE = "EnsureControlPlaneReachable";
    private static final String INVARIANTS = "VerifyInvariants";

    CalledFlowTest() {
        super(KernelProperties.ClockMode.ENGINE);
    }

    // Calling

    @Test
    void aCalledFlowBeginsWithTheCallersFactsAndItsEndLetsTheCallerGoOn() {
        // given
        wanted();
        kernel.phases.always("ensureCertificates", Outcome.done("made").with("ca", "sha"));
        kernel.phases.always("ensureControlPlaneReachable", Outcome.waiting("WaitingForApi", "refused"));
        FlowView init = kernel.init(KernelHarness.cluster("a"));

        // when
        FlowView called = awaitCalled(init, REACHABLE, "WaitingForApi");

        // then
        assertThat(called.cluster()).isEqualTo(init.cluster());
        assertThat(called.startedBy()).isEqualTo("slipway");
        assertThat(kernel.phases.runs(REACHABLE).get(0).fact("ca")).contains("sha");
        assertThat(kernel.phases.runs("EnsureHealthy")).isEmpty();
        kernel.watchdog().look();
        assertThat(now(init).incident()).as("the called flow drives its caller").isNull();

        // when
        kernel.phases.done("ensureControlPlaneReachable");
        kernel.move(Duration.ofMinutes(2));

        // then
        assertThat(kernel.awaitEnd(called).result()).isEqualTo("Imported");
        assertThat(kernel.awaitEnd(init).result()).isEqualTo("Ready");
    }

    @Test
    void abortingTheCalledFlowAbortsItsCaller() {
        // given
        FlowView init = waitingInImport();
        FlowView called = awaitCalled(init, REACHABLE, "WaitingForApi");

        // when
        kernel.desk().decide(run(called, REACHABLE), Decision.Wish.of(Choice.ABORT, "a mistake"), "alice");

        // then
        assertThat(kernel.awaitEnd(called).state()).isEqualTo(FlowState.ABORTED);
        assertThat(kernel.awaitEnd(init).state()).isEqualTo(FlowState.ABORTED);
        assertThat(kernel.phases.runs("EnsureHealthy")).isEmpty();
    }

    @Test
    void aRequestedDeletionInterruptsCallerAndCalledFlow() {
        // given
        FlowView init = waitingInImport();
        FlowView called = awaitCalled(init, REACHABLE, "WaitingForApi");

        // when
        kernel.flows().requestDelete(init.cluster().uid());

        // then
        assertThat(kernel.awaitEnd(init).state()).isEqualTo(FlowState.INTERRUPTED);
        assertThat(kernel.awaitEnd(called).state()).isEqualTo(FlowState.INTERRUPTED);
        assertThat(kernel.phases.runs("EnsureHealthy")).isEmpty();
        assertThat(kernel.tasks(called)).isZero();
    }

    @Test
    void initAndImportOfOneClusterDoNotRunSideBySide() {
        // given
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForIt", "not there"));
        FlowView init = kernel.init(KernelHarness.cluster("a"));

        // then
        assertThatThrownBy(() -> kernel.flows().start("import", init.cluster(), "alice", null))
                .isInstanceOf(Flows.FlowConflict.class)
                .hasMessage("The flow \"import\" of default/a does not start: init is active");
        assertThat(kernel.flows()
                        .start("import", KernelHarness.cluster("b"), "alice", null)
                        .parent())
                .isNull();
    }

    @Test
    void whoWaitsForACalledFlowTellsWhichOneToDecideAbout() {
        // given
        FlowView init = waitingInImport();
        FlowView called = awaitCalled(init, REACHABLE, "WaitingForApi");

        // then
        assertThatThrownBy(() -> kernel.desk().decideForFlow(init.id(), Decision.Wish.of(Choice.ABORT, "x"), "alice"))
                .isInstanceOf(Decisions.Conflict.class)
                .hasMessageContaining("import")
                .hasMessageContaining(called.id());
    }

    // Going back

    @Test
    void whatDoesNotHoldAnyMoreIsRepairedByTheEarlierPhaseAtOnceThenSpacedThenByAPerson() {
        // given
        wanted();
        kernel.phases.always("verifyInvariants", Outcome.back("EnsureSentry", "SentryAbsent", "no sentry"));
        FlowView flow = imported("a");

        // then: at once
        KernelHarness.until("it went back", () -> entered("EnsureSentry") == 2);
        assertThat(entered("CommitImported")).isBetween(1, 2);

        // then: 1, 5 and 15 minutes after the time before
        int times = 2;
        for (long minutes : List.of(1, 5, 15)) {
            kernel.awaitPhase(flow, INVARIANTS, PhaseState.WAITING, "SentryAbsent");
            assertThat(kernel.phase(flow, INVARIANTS).message()).contains("goes back to EnsureSentry at ");
            assertThat(entered("EnsureSentry")).isEqualTo(times);
            Instant looked = kernel.phase(flow, INVARIANTS).lastCheck();
            kernel.move(Duration.ofMinutes(minutes).minusSeconds(20));
            kernel.wake(flow.cluster());
            // Only then: a pause that is being noted while the clock moves would begin anew.
            KernelHarness.until(
                    "it looked again",
                    () -> kernel.phase(flow, INVARIANTS).lastCheck().isAfter(looked));
            assertThat(entered("EnsureSentry")).isEqualTo(times);
            kernel.move(Duration.ofSeconds(21));
            times++;
            int expected = times;
            KernelHarness.until("it went back", () -> entered("EnsureSentry") == expected);
        }

        // then: a person
        kernel.awaitPhase(flow, INVARIANTS, PhaseState.BLOCKED, "SentryAbsent");
        assertThat(kernel.phase(flow, INVARIANTS).message()).contains("repaired 4 times and did not last");
        KernelHarness.until("a person is asked", () -> kernel.tasks(flow) == 1);

        // when
        kernel.desk().decide(run(flow, INVARIANTS), Decision.Wish.of(Choice.RETRY, null), "alice");

        // then: counted anew
        KernelHarness.until("it went back", () -> entered("EnsureSentry") == 6);
        KernelHarness.until("nobody is asked", () -> kernel.tasks(flow) == 0);
    }

    @Test
    void aPhaseThatIsNotDrawnBeforeCannotBeGoneBackTo() {
        // given
        wanted();
        kernel.phases.always("ensureSentry", Outcome.back(INVARIANTS, "SentryAbsent", "no sentry"));
        FlowView flow = imported("a");

        // then
        kernel.awaitPhase(flow, "EnsureSentry", PhaseState.RETRYING, "NoSuchPhase");
        assertThat(kernel.phase(flow, "EnsureSentry").message())
                .contains("VerifyInvariants")
                .contains("no sentry");
    }

    // Directives

    @Test
    void aDirectiveReachesThePhaseWithItsArgumentAndStaysKnown() {
        // given
        wanted();
        kernel.phases.always("ensureControlPlaneReachable", Outcome.waiting("WaitingForApi", "refused"));
        FlowView flow = imported("a");
        kernel.awaitPhase(flow, REACHABLE, PhaseState.WAITING, "WaitingForApi");

        // when
        kernel.phases.script("ensureControlPlaneReachable", context -> context.directive(Directive.SUPPLY_CREDENTIALS)
                .<Outcome>map(secret -> Outcome.done("with " + secret))
                .orElseGet(() -> Outcome.waiting("WaitingForApi", "refused")));
        Decision decision = decide(flow, REACHABLE, Choice.SUPPLY_CREDENTIALS, null, " other-access ");

        // then
        assertThat(decision.state()).isEqualTo(Decision.State.APPLIED);
        assertThat(decision.wish().argument()).isEqualTo("other-access");
        kernel.awaitEnd(flow);
        assertThat(kernel.phase(flow, REACHABLE).message()).isEqualTo("with other-access");
        assertThat(kernel.phases.runs(INVARIANTS).get(0).directive(Directive.SUPPLY_CREDENTIALS))
                .contains("other-access");
    }

    @Test
    void aResetBeginsAnewAndIsToldApartFromTheNextOne() {
        // given
        wanted();
        kernel.phases.always("verifyInvariants", Outcome.waiting("WaitingForNodes", "none is ready"));
        FlowView flow = imported("a");
        kernel.awaitPhase(flow, INVARIANTS, PhaseState.WAITING, "WaitingForNodes");

        // when
        Decision first = decide(flow, INVARIANTS, Choice.RESET_IMPORT, "start over", null);
        KernelHarness.until("begins anew", () -> entered("AdmitImport") == 2);
        kernel.awaitPhase(flow, INVARIANTS, PhaseState.WAITING, "WaitingForNodes");
        Decision second = decide(flow, INVARIANTS, Choice.RESET_IMPORT, "once more", null);
        KernelHarness.until("begins anew", () -> entered("AdmitImport") == 3);

        // then
        assertThat(kernel.phases.runs("AdmitImport").stream()
                        .map(run -> run.directive(Directive.RESET_IMPORT).orElse("none"))
                        .distinct())
                .containsExactly("none", first.id(), second.id());
    }

    @Test
    void wrongArgumentsAreRefused() {
        // given
        wanted();
        kernel.phases.always("ensureControlPlaneReachable", Outcome.waiting("WaitingForApi", "refused"));
        FlowView flow = imported("a");
        kernel.awaitPhase(flow, REACHABLE, PhaseState.WAITING, "WaitingForApi");

        // then
        refused(flow, Choice.SUPPLY_CREDENTIALS, null, null, "needs an argument", "the name of a Secret");
        refused(flow, Choice.SUPPLY_CREDENTIALS, null, "Not_A_Name", "cannot use", "the name of a Secret");
        refused(flow, Choice.ACCEPT_CA, "asked the owner", "AB:CD", "cannot use", "32 pairs");
        refused(flow, Choice.RESET_IMPORT, "start over", "all", "takes no argument", "Leave it out");
        refused(flow, Choice.RESET_IMPORT, null, null, "needs a reason", "Say why");
        assertThatThrownBy(() -> decide(flow, REACHABLE, Choice.KEEP, null, "cc-a"))
                .isInstanceOf(Decisions.NotAllowed.class)
                .hasMessageContaining("SUPPLY_CREDENTIALS, ACCEPT_CA, RESET_IMPORT");
        assertThat(kernel.desk().ofCluster(flow.cluster().uid())).isEmpty();
    }

    @Test
    void fingerprintsAreReadAsPeopleWriteThem() {
        // then
        String hex = "0a1b".repeat(16);
        assertThat(Choice.ACCEPT_CA.checked(hex))
                .startsWith("0A:1B:0A")
                .hasSize(95)
                .endsWith("1B");
        assertThat(Choice.ACCEPT_CA.checked(Choice.ACCEPT_CA.checked(hex))).isEqualTo(Choice.ACCEPT_CA.checked(hex));
        assertThat(Choice.COLLECT_ORPHANS.checked("cc-1, cc-2")).isEqualTo("cc-1,cc-2");
    }

    private void refused(FlowView flow, Choice choice, String reason, String argument, String text, String remedy) {
        assertThatThrownBy(() -> decide(flow, REACHABLE, choice, reason, argument))
                .isInstanceOfSatisfying(Decisions.Invalid.class, e -> {
                    assertThat(e.getMessage()).contains(text);
                    assertThat(e.remedy()).contains(remedy);
                });
    }

    private Decision decide(FlowView flow, String phase, Choice choice, String reason, String argument) {
        return kernel.desk()
                .decide(run(flow, phase), Decision.Wish.of(choice, reason).about(argument), "alice");
    }

    /** Import is to be done, as where a platform is served. */
    private void wanted() {
        kernel.phases.script("admitImport", context -> Outcome.done("fine").with("importMode", "import"));
    }

    private FlowView imported(String name) {
        return kernel.flows().start("import", KernelHarness.cluster(name), "test", null, Map.of());
    }

    private FlowView waitingInImport() {
        wanted();
        kernel.phases.always("ensureControlPlaneReachable", Outcome.waiting("WaitingForApi", "refused"));
        return kernel.init(KernelHarness.cluster("a"));
    }

    private FlowView awaitCalled(FlowView caller, String phase, String reason) {
        KernelHarness.until("the import is called", () -> called(caller).size() == 1);
        FlowView called = called(caller).get(0);
        kernel.awaitPhase(called, phase, PhaseState.WAITING, reason);
        return called;
    }

    private List<FlowView> called(FlowView caller) {
        return kernel.flows().latest(caller.cluster().uid()).stream()
                .filter(flow -> caller.id().equals(flow.parent()))
                .toList();
    }

    private FlowView now(FlowView flow) {
        return kernel.flows().find(flow.id()).orElseThrow();
    }

    private String run(FlowView flow, String phase) {
        return String.valueOf(kernel.phase(flow, phase).run());
    }

    private int entered(String phase) {
        return (int) kernel.phases.runs(phase).stream()
                .map(PhaseContext::since)
                .distinct()
                .count();
    }
}
