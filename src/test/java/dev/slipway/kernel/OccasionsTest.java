package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.kernel.Decision.Wish;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Decisions for occasions that are heard of more than once. */
class OccasionsTest extends OneKernel {

    private static final String ENDPOINT = "EnsureEndpoint";
    private static final Wish RETRY = Wish.of(Choice.RETRY, "asked for");

    OccasionsTest() {
        super(KernelProperties.ClockMode.ENGINE);
    }

    @Test
    void anOccasionIsDecidedOnceThoughItIsHeardOfAgainAboutTheNextRun() {
        // given
        FlowView flow = waiting(KernelHarness.cluster("a"));
        List<Decision> first = kernel.occasions().decide("o1", List.of(run(flow)), RETRY, "ada");
        kernel.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForIt");

        // when
        List<Decision> again = kernel.occasions().decide("o1", List.of(run(flow)), RETRY, "ada");

        // then
        assertThat(first).singleElement().satisfies(decision -> {
            assertThat(decision.state()).isEqualTo(Decision.State.APPLIED);
            assertThat(decision.id()).startsWith(Occasions.PREFIX);
            assertThat(decision.by()).isEqualTo("ada");
        });
        assertThat(again).isEmpty();
        assertThat(kernel.occasions().isDecided("o1")).isTrue();
        assertThat(kernel.desk().ofCluster(flow.cluster().uid())).hasSize(1);
    }

    @Test
    void ofManyWhoHearOfItAtOnceOneDecides() throws Exception {
        // given
        FlowView flow = waiting(KernelHarness.cluster("a"));
        String run = run(flow);
        ExecutorService nodes = Executors.newFixedThreadPool(4);
        Callable<Integer> hear = () -> {
            try {
                return kernel.occasions()
                        .decide("o2", List.of(run), RETRY, "ada")
                        .size();
            } catch (Decisions.Conflict e) {
                // The other one is just being applied: who hears this looks again.
                return 0;
            }
        };

        // when
        int decided = 0;
        for (Future<Integer> one : nodes.invokeAll(List.of(hear, hear, hear, hear))) {
            decided += one.get();
        }
        nodes.shutdown();

        // then
        assertThat(decided).isEqualTo(1);
        assertThat(kernel.desk().ofCluster(flow.cluster().uid())).hasSize(1);
    }

    @Test
    void whatCannotBeDecidedAboutOneRunIsDecidedAboutNone() {
        // given
        FlowView flow = waiting(KernelHarness.cluster("a"));
        FlowView paused = waiting(KernelHarness.cluster("b"));
        kernel.desk().decide(run(paused), Wish.of(Choice.PAUSE, null), "bob");
        Wish pause = Wish.of(Choice.PAUSE, null);
        List<String> both = List.of(run(flow), run(paused));

        // then
        assertThatThrownBy(() -> kernel.occasions().decide("o3", both, pause, "ada"))
                .isInstanceOf(Decisions.NotAllowed.class);
        assertThat(kernel.occasions().isDecided("o3")).isFalse();
        assertThat(kernel.desk().ofCluster(flow.cluster().uid())).isEmpty();
    }

    private FlowView waiting(ClusterRef cluster) {
        kernel.phases.always("ensureEndpoint", Outcome.waiting("WaitingForIt", "not there"));
        FlowView flow = kernel.init(cluster);
        kernel.awaitPhase(flow, ENDPOINT, PhaseState.WAITING, "WaitingForIt");
        return flow;
    }

    private String run(FlowView flow) {
        return String.valueOf(kernel.phase(flow, ENDPOINT).run());
    }
}
