package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.camunda.bpm.engine.runtime.Job;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
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

    @Test
    void endsAnInitThatAnotherNodeStartsAtThatMoment() throws Exception {
        // given
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        String drawn = new ClassPathResource("bpmn/cluster-import.bpmn").getContentAsString(StandardCharsets.UTF_8);
        kernel.engine()
                .getRepositoryService()
                .createDeployment()
                .addString("cluster-delete.bpmn", drawn.replace("\"cluster-import\"", "\"cluster-delete\""))
                .deploy();
        ClusterRef cluster = KernelHarness.cluster("a");
        AtomicReference<FlowView> init = new AtomicReference<>();

        // when: it is started, but that is not committed yet
        CompletableFuture<FlowView> deletion = new TransactionTemplate(kernel.transactions()).execute(status -> {
            init.set(kernel.init(cluster));
            CompletableFuture<FlowView> other =
                    CompletableFuture.supplyAsync(() -> kernel.flows().start(Flows.DELETE, cluster, "alice", null));
            KernelHarness.until("it waits for the key", this::somebodyStarts);
            return other;
        });

        // then
        FlowView deleting = deletion.get(20, TimeUnit.SECONDS);
        assertThat(kernel.awaitEnd(init.get()).state()).isEqualTo(FlowState.INTERRUPTED);
        assertThat(kernel.flows().find(deleting.id())).isPresent();
    }

    private boolean somebodyWaits() {
        return kernel.jdbc()
                        .sql("select count(*) from information_schema.sessions where blocker_id is not null")
                        .query(Long.class)
                        .single()
                > 0;
    }

    /** H2 asks again and again whether a key is taken: nobody blocks it. */
    private boolean somebodyStarts() {
        return kernel.jdbc()
                        .sql("select count(*) from information_schema.sessions"
                                + " where executing_statement like 'insert into slipway_flow%'")
                        .query(Long.class)
                        .single()
                > 0;
    }
}
