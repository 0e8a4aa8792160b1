package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that crash, come back, and take over from each other; one database. */
class KernelNodesTest {

    private static final String ENDPOINT = "EnsureEndpoint";

    private final DataSource database = database();
    private final List<KernelHarness> nodes = new ArrayList<>();

    DataSource database() {
        return KernelHarness.memory();
    }

    @BeforeEach
    void resetTheClock() {
        ClockUtil.reset();
    }

    @AfterEach
    void stop() {
        nodes.forEach(KernelHarness::close);
        ClockUtil.reset();
    }

    private KernelHarness node(String name, KernelProperties.ClockMode clock) {
        KernelHarness node = KernelHarness.start(database, name, clock);
        nodes.add(node);
        return node;
    }

    @ParameterizedTest
    @EnumSource(names = {"ENGINE", "RUNNER"})
    void aCrashedNodeGoesOnInTheSamePhaseWithTheSameCounters(KernelProperties.ClockMode clock) {
        // given
        KernelHarness before = node("node-1", clock);
        before.phases.script("ensureEndpoint", run -> Outcome.waiting("WaitingForEndpoint", "run " + run.attempt()));
        FlowView flow = before.init(KernelHarness.cluster("a"));
        before.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");
        before.move(Duration.ofSeconds(13));
        KernelHarness.until("second run", () -> before.phase(flow, ENDPOINT).attempt() == 2);
        PhaseView seen = before.phase(flow, ENDPOINT);

        // when
        before.crash();
        KernelHarness after = node("node-1", clock);
        KernelHarness.until("third run", () -> after.phases.runs(ENDPOINT).size() == 1);

        // then
        assertThat(after.phases.runs(ENDPOINT).get(0).attempt()).isEqualTo(3);
        assertThat(after.phases.runs(ENDPOINT).get(0).since()).isEqualTo(seen.since());
        assertThat(after.phases.order()).doesNotContain("Admit", "EnsureCertificates");
        assertThat(after.awaitEnd(flow).result()).isEqualTo("Ready");
    }

    @Test
    void theOthersAdoptTheWaitsOfADeadNode() {
        // given
        KernelHarness first = node("node-1", KernelProperties.ClockMode.RUNNER);
        first.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = first.init(KernelHarness.cluster("a"));
        first.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");
        KernelHarness second = node("node-2", KernelProperties.ClockMode.RUNNER);
        assertThat(second.phases.order()).isEmpty();

        // when
        first.crash();

        // then
        assertThat(second.awaitEnd(flow).result()).isEqualTo("Ready");
        assertThat(second.phases.order()).startsWith(ENDPOINT);
    }

    @Test
    void aLivingNodeKeepsItsWaits() {
        // given
        KernelHarness first = node("node-1", KernelProperties.ClockMode.RUNNER);
        KernelHarness second = node("node-2", KernelProperties.ClockMode.RUNNER);
        first.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = first.init(KernelHarness.cluster("a"));
        first.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");

        // when: the other one has looked for waits to adopt many times
        FlowView other = second.awaitEnd(second.init(KernelHarness.cluster("b")));

        // then
        assertThat(other.result()).isEqualTo("Ready");
        assertThat(second.phases.runs(ENDPOINT))
                .allMatch(run -> run.cluster().name().equals("b"));
    }

    @Test
    void aDecisionThatWasRecordedBeforeACrashIsAppliedAfterwards() {
        // given
        KernelHarness before = node("node-1", KernelProperties.ClockMode.ENGINE);
        before.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        ClusterRef cluster = KernelHarness.cluster("a");
        FlowView flow = before.init(cluster);
        before.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");
        before.crash();
        PhaseRun run = new PhaseRunStore(before.jdbc()).openOfFlow(flow.id()).get(0);
        before.desk().record(run.id(), Decision.Wish.of(Choice.ABORT, "gone"), "alice");

        // when
        KernelHarness after = node("node-1", KernelProperties.ClockMode.ENGINE);

        // then
        assertThat(after.awaitEnd(flow).state()).isEqualTo(FlowState.ABORTED);
    }

    @Test
    void theRunnersClockWritesNothingPerCheck() {
        // given
        KernelHarness kernel = node("node-1", KernelProperties.ClockMode.RUNNER);
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = kernel.init(KernelHarness.cluster("a"));
        kernel.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");
        List<?> rowsBefore = rows(kernel);

        // when
        for (int check = 2; check <= 5; check++) {
            int wanted = check;
            kernel.move(Duration.ofSeconds(25));
            KernelHarness.until(
                    "check " + wanted, () -> kernel.phase(flow, ENDPOINT).attempt() >= wanted);
        }

        // then
        assertThat(rows(kernel)).isEqualTo(rowsBefore);
        assertThat(kernel.phase(flow, ENDPOINT).attempt()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void aNodeLetsGoOfAWaitThatAnotherOneHasTaken() {
        // given
        KernelHarness kernel = node("node-1", KernelProperties.ClockMode.RUNNER);
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForEndpoint", "none yet"));
        FlowView flow = kernel.init(KernelHarness.cluster("a"));
        kernel.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForEndpoint");
        String run =
                new PhaseRunStore(kernel.jdbc()).openOfFlow(flow.id()).get(0).id();
        assertThat(kernel.runner().knows(run)).isTrue();
        kernel.jdbc()
                .sql(
                        "insert into slipway_node values ('node-2', 'x', current_timestamp, timestamp '2100-01-01 00:00:00')")
                .update();
        kernel.jdbc()
                .sql("update slipway_phase_run set owner = 'node-2' where left_at is null")
                .update();

        // when: it has checked once more, and the time to store counters has come
        kernel.move(Duration.ofMinutes(4));
        KernelHarness.until("next check", () -> kernel.phases.runs(ENDPOINT).size() > 1);

        // then
        KernelHarness.until("it lets go", () -> {
            kernel.runner().flush();
            return !kernel.runner().knows(run);
        });
    }

    @Test
    void aSecondStartUnderTheSameNameTakesTheFirstOnesPlace() {
        // given
        node("node-1", KernelProperties.ClockMode.ENGINE);
        NodeRegistry first = registry();
        first.register();

        // when
        NodeRegistry second = registry();
        second.register();

        // then
        assertThat(second.beat()).isTrue();
        assertThat(first.beat()).isFalse();
    }

    private NodeRegistry registry() {
        return new NodeRegistry(
                nodes.get(0).jdbc(),
                new PhaseRunStore(nodes.get(0).jdbc()),
                new NodeProperties("node-x", Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(30)));
    }

    private static List<?> rows(KernelHarness kernel) {
        return kernel.jdbc()
                .sql("select attempt, last_check, next_check, duedate_ from slipway_phase_run r join act_ru_job j"
                        + " on j.id_ = r.timer_id where left_at is null")
                .query()
                .listOfRows();
    }
}
