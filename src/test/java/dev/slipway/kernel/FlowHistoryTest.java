package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.audit.AuditAction;
import dev.slipway.audit.AuditBook;
import dev.slipway.audit.AuditEntry;
import dev.slipway.audit.AuditQuestion;
import dev.slipway.kernel.Decision.Wish;
import dev.slipway.kernel.FlowHistory.EscalationQuestion;
import dev.slipway.kernel.FlowHistory.FlowQuestion;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.camunda.bpm.engine.OptimisticLockingException;
import org.junit.jupiter.api.Test;

/** What is shown of what happened: flows, runs, escalations, statistics, and who did it. */
class FlowHistoryTest extends OneKernel {

    private static final String CERTIFICATES = "EnsureCertificates";

    FlowHistoryTest() {
        super(KernelProperties.ClockMode.ENGINE);
    }

    @Test
    void flowsAreFoundByWhatTheyAreAndPaged() {
        // given
        Instant before = Instant.now().minusSeconds(1);
        String name = "paged-" + System.nanoTime();
        FlowView first = blocked(name);
        FlowView second = blocked(name);

        // when
        FlowQuestion ofName = new FlowQuestion("init", FlowState.RUNNING, "default", name, before);
        Sliced<FlowView> page = history().flows(ofName, new Slice(0, 1));

        // then
        assertThat(page.total()).isEqualTo(2);
        assertThat(page.items()).extracting(FlowView::id).containsExactly(second.id());
        assertThat(history().flows(ofName, new Slice(1, 1)).items())
                .extracting(FlowView::id)
                .containsExactly(first.id());
        assertThat(history()
                        .flows(new FlowQuestion("import", null, null, name, null), Slice.first(9))
                        .total())
                .isZero();
        assertThat(history()
                        .flows(
                                new FlowQuestion(
                                        null, null, null, name, Instant.now().plusSeconds(60)),
                                Slice.first(9))
                        .items())
                .isEmpty();
    }

    @Test
    void eachTimeThatAPhaseWasEnteredIsARun() {
        // given
        FlowView flow = blocked("runs");
        String run = String.valueOf(kernel.phase(flow, CERTIFICATES).run());

        // when
        kernel.desk().decide(run, Wish.of(Choice.RETRY, null), "alice");
        KernelHarness.until("it is entered again", () -> runs(flow).size() == 2);

        // then
        RunView first = runs(flow).get(0);
        assertThat(first.run()).isEqualTo(run);
        assertThat(first.title()).isEqualTo("Certificates");
        assertThat(first.leftAt()).isNotNull();
        assertThat(first.reason()).isEqualTo("CaExpired");
        assertThat(runs(flow).get(1).leftAt()).isNull();
        assertThat(history().runs("no-such-flow")).isEmpty();
    }

    @Test
    void statisticsCountFlowsDurationsFailuresAndEscalations() {
        // given
        FlowView flow = blocked("counted");
        EscalationQuestion open = new EscalationQuestion(true, "default", "counted", null, null);
        KernelHarness.until(
                "it is escalated",
                () -> history().escalations(open, Slice.first(9)).total() == 1);
        kernel.context(RetryCounts.class).flush();

        // when
        Statistics hour = history().statistics(now().minus(Duration.ofHours(1)), "init");
        Statistics year = history().statistics(now().minus(Duration.ofDays(300)), null);

        // then
        assertThat(hour.flows()).anySatisfy(count -> {
            assertThat(count.kind()).isEqualTo("init");
            assertThat(count.state()).isEqualTo(FlowState.RUNNING);
            assertThat(count.count()).isPositive();
        });
        assertThat(hour.phases())
                .filteredOn(phase -> phase.phase().equals("Admit"))
                .singleElement()
                .satisfies(phase -> {
                    assertThat(phase.kind()).isEqualTo("init");
                    assertThat(phase.count()).isPositive();
                    assertThat(phase.p50()).isNotNull().isLessThanOrEqualTo(phase.p95());
                    assertThat(phase.p95()).isLessThanOrEqualTo(phase.max());
                });
        assertThat(hour.phases())
                .filteredOn(phase -> phase.phase().equals(CERTIFICATES))
                .singleElement()
                .satisfies(phase -> {
                    assertThat(phase.title()).isEqualTo("Certificates");
                    assertThat(phase.running()).isPositive();
                    assertThat(phase.failures()).isPositive();
                    assertThat(phase.stuck()).isPositive();
                });
        assertThat(hour.bucket()).isEqualTo(Duration.ofHours(1));
        assertThat(hour.retries()).anySatisfy(retry -> {
            assertThat(retry.code()).isEqualTo("CaExpired");
            assertThat(retry.count()).isPositive();
        });
        assertThat(year.bucket()).isEqualTo(Duration.ofDays(1));
        assertThat(year.retries()).isNotEmpty();
        assertThat(history()
                        .statistics(now().minus(Duration.ofHours(1)), "delete")
                        .phases())
                .isEmpty();
        assertThat(flow.kind()).isEqualTo("init");
    }

    @Test
    void escalationsStayWhenTheyAreOver() {
        // given
        FlowView flow = blocked("escalated");
        EscalationQuestion open = new EscalationQuestion(true, "default", "escalated", CERTIFICATES, null);
        KernelHarness.until(
                "it is escalated",
                () -> history().escalations(open, Slice.first(9)).total() == 1);

        // when
        kernel.phases.done("ensureCertificates");
        kernel.desk()
                .decide(String.valueOf(kernel.phase(flow, CERTIFICATES).run()), Wish.of(Choice.RETRY, null), "alice");
        KernelHarness.until(
                "it is over", () -> history().escalations(open, Slice.first(9)).total() == 0);

        // then
        EscalationQuestion over = new EscalationQuestion(false, "default", "escalated", null, null);
        assertThat(history().escalations(over, Slice.first(9)).items())
                .singleElement()
                .satisfies(escalation -> {
                    assertThat(escalation.reason()).isEqualTo("CaExpired");
                    assertThat(escalation.outcome()).isEqualTo("RETRY");
                });
    }

    @Test
    void whoStartsDecidesAndEndsIsNoted() {
        // given
        FlowView flow = blocked("audited");

        // when
        kernel.desk()
                .decide(String.valueOf(kernel.phase(flow, CERTIFICATES).run()), Wish.of(Choice.ABORT, "enough"), "bob");
        kernel.awaitEnd(flow);

        // then
        List<AuditEntry> noted = kernel
                .context(AuditBook.class)
                .read(new AuditQuestion(null, null, "default", "audited", null, null), Slice.first(9))
                .items()
                .stream()
                .map(deed -> deed.entry())
                .toList();
        assertThat(noted)
                .extracting(AuditEntry::action)
                .containsExactly(AuditAction.END, AuditAction.DECIDE, AuditAction.START);
        assertThat(noted.get(1)).satisfies(decision -> {
            assertThat(decision.by()).isEqualTo("bob");
            assertThat(decision.what()).isEqualTo("ABORT");
            assertThat(decision.reason()).isEqualTo("enough");
            assertThat(decision.result()).isEqualTo(AuditEntry.RECORDED);
            assertThat(decision.subject().phase()).isEqualTo(CERTIFICATES);
            assertThat(decision.subject().flow()).isEqualTo(flow.id());
        });
        assertThat(noted.get(2).by()).isEqualTo("test");
        assertThat(noted.get(2).what()).isEqualTo("init");
    }

    @Test
    void whoDeletesAProcessInstanceIsNotedToo() {
        // given
        FlowView flow = blocked("deleted");

        // when
        KernelHarness.until("it is deleted", () -> deletedBy("eve", flow));

        // then
        assertThat(kernel.context(AuditBook.class)
                        .read(new AuditQuestion("eve", AuditAction.END, null, null, null, null), Slice.first(9))
                        .items())
                .singleElement()
                .satisfies(deed -> assertThat(deed.entry().message()).isEqualTo("InstanceDeleted"));
    }

    /** As a person does: once more, if the engine works on it at that moment. */
    private boolean deletedBy(String user, FlowView flow) {
        kernel.engine().getIdentityService().setAuthenticatedUserId(user);
        try {
            kernel.engine().getRuntimeService().deleteProcessInstance(flow.id(), "in Cockpit");
            return true;
        } catch (OptimisticLockingException e) {
            return false;
        } finally {
            kernel.engine().getIdentityService().clearAuthentication();
        }
    }

    private FlowView blocked(String name) {
        kernel.phases.always(
                "ensureCertificates", Outcome.blocked(ErrorClass.INVALID, "CaExpired", "the CA has expired"));
        FlowView flow = kernel.init(KernelHarness.cluster(name));
        kernel.awaitPhase(flow, CERTIFICATES, PhaseState.BLOCKED, "CaExpired");
        return flow;
    }

    private List<RunView> runs(FlowView flow) {
        return history().runs(flow.id()).orElseThrow().stream()
                .filter(run -> run.phase().equals(CERTIFICATES))
                .toList();
    }

    private Instant now() {
        return kernel.context(Clock.class).instant();
    }

    private FlowHistory history() {
        return kernel.context(FlowHistory.class);
    }
}
