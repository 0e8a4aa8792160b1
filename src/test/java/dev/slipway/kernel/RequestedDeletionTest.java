package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import java.util.Date;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.camunda.bpm.engine.runtime.Job;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;

/** A request to delete that meets a phase at work. */
class RequestedDeletionTest {

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
    @Tag("T63")
    void endsTheFlowThoughARunOfThePhaseIsBeingStoredAtThatMoment() throws Exception {
        // given
        ClusterRef cluster = KernelHarness.cluster("a");
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");
        String run = kernel.phase(flow, ENDPOINT).run();
        Job timer = kernel.engine().getManagementService().createJobQuery().processInstanceId(flow.id()).list().stream()
                .filter(job -> job.getDuedate()
                        .before(Date.from(kernel.phase(flow, ENDPOINT).stuckAt())))
                .findFirst()
                .orElseThrow();

        // when: as storing the outcome of a run does, its row is locked and its timer moved
        CompletableFuture<Void> deletion = new TransactionTemplate(kernel.transactions()).execute(status -> {
            assertThat(new PhaseRunStore(kernel.jdbc()).lock(run)).isPresent();
            kernel.engine().getManagementService().setJobDuedate(timer.getId(), new Date(), false);
            CompletableFuture<Void> other =
                    CompletableFuture.runAsync(() -> kernel.flows().requestDelete(cluster.uid()));
            KernelHarness.until("it waits for the row", this::somebodyWaits);
            return other;
        });

        // then
        deletion.get(20, TimeUnit.SECONDS);
        assertThat(kernel.awaitEnd(flow).state()).isEqualTo(FlowState.INTERRUPTED);
    }

    private boolean somebodyWaits() {
        return kernel.jdbc()
                        .sql("select count(*) from information_schema.sessions where blocker_id is not null")
                        .query(Long.class)
                        .single()
                > 0;
    }
}
