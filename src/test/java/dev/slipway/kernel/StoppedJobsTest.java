package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import java.time.Duration;
import org.camunda.bpm.engine.impl.jobexecutor.JobExecutor;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.camunda.bpm.engine.runtime.Job;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.Status;

/** The engine stops to look for due jobs: phases are looked at all the same, and it is started anew. */
class StoppedJobsTest {

    private static final String ENDPOINT = "EnsureEndpoint";

    private KernelHarness kernel;

    @BeforeEach
    void start() {
        ClockUtil.reset();
        kernel = KernelHarness.start(KernelHarness.memory(), "node-1", KernelProperties.ClockMode.ENGINE);
    }

    @AfterEach
    void stop() {
        kernel.close();
    }

    @Test
    void phasesAreLookedAtWithoutTheirTimers() {
        // given
        FlowView flow = waiting();
        executor().shutdown();
        kernel.phases.done("ensureEndpoint");

        // when
        kernel.move(Duration.ofSeconds(45));

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    @Test
    void anAcquisitionThatHasDiedWhileTheExecutorCallsItselfActiveIsStartedAnew() {
        // given
        FlowView flow = waiting();
        kernel.acquisition().look();
        kernel.killAcquisition();
        assertThat(executor().isActive()).isTrue();
        kernel.move(Duration.ofMinutes(3));
        assertThat(kernel.health().health().getStatus()).isEqualTo(Status.DOWN);

        // when
        kernel.acquisition().look();
        kernel.acquisition().look();
        kernel.move(Duration.ofMinutes(3));
        kernel.acquisition().look();

        // then: its timers fire again, the stuck timer among them
        KernelHarness.until("task opens", () -> {
            kernel.move(Duration.ofMinutes(16));
            return kernel.tasks(flow) == 1;
        });
        KernelHarness.until("healthy again", () -> {
            kernel.acquisition().look();
            return kernel.health().health().getStatus().equals(Status.UP);
        });
    }

    @Test
    void anExecutorThatWasStoppedOnPurposeStaysStopped() {
        // given
        kernel.acquisition().look();
        executor().shutdown();
        kernel.move(Duration.ofMinutes(5));

        // when
        kernel.acquisition().look();

        // then
        assertThat(executor().isActive()).isFalse();
    }

    private FlowView waiting() {
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");
        Job timer = kernel.engine()
                .getManagementService()
                .createJobQuery()
                .processInstanceId(flow.id())
                .activityId("requeue_endpoint")
                .singleResult();
        assertThat(timer.getRetries()).isPositive();
        return flow;
    }

    private JobExecutor executor() {
        return kernel.jobExecutor();
    }
}
