package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.kernel.Decision.Wish;
import dev.slipway.phase.Outcome;
import java.time.Duration;
import java.util.List;
import org.camunda.bpm.engine.runtime.Incident;
import org.camunda.bpm.engine.runtime.Job;
import org.junit.jupiter.api.Test;

/** Nothing is without a driver, not even after somebody has pulled out a part by hand. */
class WatchdogTest extends OneKernel {

    private static final String ENDPOINT = "EnsureEndpoint";

    WatchdogTest() {
        super(KernelProperties.ClockMode.ENGINE);
    }

    @Test
    void aHealthyFlowIsLeftAlone() {
        // given
        FlowView flow = waiting();
        String run = kernel.phase(flow, ENDPOINT).run();

        // when
        kernel.watchdog().look();

        // then
        assertThat(kernel.phase(flow, ENDPOINT).run()).isEqualTo(run);
        assertThat(incidents(flow)).isEmpty();
    }

    @Test
    void aLostRequeueTimerMakesThePhaseStartAnew() {
        // given
        FlowView flow = waiting();
        String run = kernel.phase(flow, ENDPOINT).run();
        kernel.engine().getManagementService().deleteJob(timer(flow).getId());

        // when
        kernel.watchdog().look();

        // then
        assertThat(kernel.phase(flow, ENDPOINT).run()).isNotEqualTo(run);
        kernel.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");
        kernel.phases.done("ensureEndpoint");
        kernel.move(Duration.ofSeconds(15));
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    @Test
    void aTimerWithoutRetriesIsTriedAgainAndAPersonIsAsked() {
        // given
        FlowView flow = waiting();
        kernel.engine().getManagementService().setJobRetries(timer(flow).getId(), 0);

        // when
        kernel.watchdog().look();

        // then
        assertThat(timer(flow).getRetries()).isEqualTo(3);
        KernelHarness.until("task opens", () -> kernel.tasks(flow) == 1);
        assertThat(kernel.desk().stuck()).singleElement().satisfies(group -> assertThat(group.reason())
                .isEqualTo("JobFailed"));
    }

    @Test
    void aWaitWithoutATokenEndsAndItsFlowBecomesAnIncident() {
        // given
        FlowView flow = waitingWithoutDriver();

        // when
        kernel.watchdog().look();

        // then
        assertThat(kernel.phase(flow, ENDPOINT).state()).isEqualTo(PhaseState.CANCELED);
        assertThat(incidents(flow)).singleElement().satisfies(incident -> assertThat(incident.getIncidentMessage())
                .contains("Nothing drives the flow init of default/a"));
        assertThat(kernel.flows().find(flow.id()).orElseThrow().incident()).contains("Nothing drives");

        // when: it looks again, and then an operator decides
        kernel.watchdog().look();
        assertThat(incidents(flow)).hasSize(1);
        assertThatThrownBy(() -> kernel.desk().decideForFlow(flow.id(), Wish.of(Choice.RETRY, null), "alice"))
                .isInstanceOf(Decisions.NotAllowed.class)
                .hasMessageContaining("RETRY_FROM, ABORT");
        kernel.phases.done("ensureEndpoint");
        Decision decision = kernel.desk()
                .decideForFlow(flow.id(), new Wish(Choice.RETRY_FROM, ENDPOINT, null, "go on", false, null), "alice");

        // then
        assertThat(decision.state()).isEqualTo(Decision.State.APPLIED);
        KernelHarness.until(
                "phases go on", () -> kernel.phase(flow, "EnsureHealthy").state() == PhaseState.DONE);
    }

    @Test
    void aFlowThatNothingDrivesCanBeEnded() {
        // given
        FlowView flow = waitingWithoutDriver();
        kernel.watchdog().look();

        // when
        kernel.desk().decideForFlow(flow.id(), Wish.of(Choice.ABORT, "give up"), "alice");

        // then
        FlowView ended = kernel.awaitEnd(flow);
        assertThat(ended.state()).isEqualTo(FlowState.ABORTED);
        assertThat(ended.result()).isEqualTo("Aborted");
        assertThatThrownBy(() -> kernel.desk().decideForFlow(flow.id(), Wish.of(Choice.ABORT, "again"), "bob"))
                .isInstanceOf(Decisions.Conflict.class)
                .hasMessageContaining("ended at");
    }

    @Test
    void aDecisionForAFlowIsRefusedWhileAPhaseWaits() {
        // given
        FlowView flow = waiting();

        // then
        assertThatThrownBy(() -> kernel.desk().decideForFlow(flow.id(), Wish.of(Choice.ABORT, "x"), "alice"))
                .isInstanceOf(Decisions.Conflict.class)
                .hasMessageContaining(kernel.phase(flow, ENDPOINT).run());
    }

    private FlowView waiting() {
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = kernel.init(KernelHarness.cluster("a"));
        kernel.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");
        return flow;
    }

    /** What only a defect, or an edited database, can bring about. */
    private FlowView waitingWithoutDriver() {
        FlowView flow = waiting();
        kernel.jdbc()
                .sql("update slipway_phase_run set execution_id = 'gone' where flow_id = :id and left_at is null")
                .param("id", flow.id())
                .update();
        kernel.jdbc()
                .sql("delete from act_ru_job where process_instance_id_ = :id")
                .param("id", flow.id())
                .update();
        return flow;
    }

    private Job timer(FlowView flow) {
        return kernel.engine()
                .getManagementService()
                .createJobQuery()
                .processInstanceId(flow.id())
                .activityId("requeue_endpoint")
                .singleResult();
    }

    private List<Incident> incidents(FlowView flow) {
        return kernel.engine()
                .getRuntimeService()
                .createIncidentQuery()
                .processInstanceId(flow.id())
                .list();
    }
}
