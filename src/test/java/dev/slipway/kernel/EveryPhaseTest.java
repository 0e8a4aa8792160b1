package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for each phase of init with either clock, though no watch ever tells anything. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryPhaseTest {

    /** The longest requeue, and a fifth. */
    private static final Duration LONGEST = Duration.ofSeconds(72);

    private static final Map<String, List<String>> KINDS = Map.of(
            Flows.INIT, KernelHarness.BEANS,
            Flows.IMPORT, KernelHarness.IMPORT_BEANS,
            Flows.DELETE, KernelHarness.DELETE_BEANS,
            Flows.ITEM_INSTALL, KernelHarness.ITEM_INSTALL_BEANS,
            Flows.ITEM_DELETE, KernelHarness.ITEM_DELETE_BEANS);

    private static final Map<String, String> RESULTS = Map.of(
            Flows.INIT, "Ready",
            Flows.IMPORT, "Imported",
            Flows.DELETE, "Deleted",
            Flows.ITEM_INSTALL, "Installed",
            Flows.ITEM_DELETE, "Deleted");

    private final Map<KernelProperties.ClockMode, KernelHarness> kernels =
            new EnumMap<>(KernelProperties.ClockMode.class);

    @BeforeAll
    void start() {
        for (KernelProperties.ClockMode clock :
                List.of(KernelProperties.ClockMode.ENGINE, KernelProperties.ClockMode.RUNNER)) {
            kernels.put(clock, KernelHarness.start(KernelHarness.memory(), "node-1", clock));
        }
    }

    @AfterEach
    void clear() {
        kernels.values().forEach(KernelHarness::clear);
    }

    @AfterAll
    void stop() {
        kernels.values().forEach(KernelHarness::close);
    }

    Stream<Arguments> cases() {
        // Both clocks take turns: they are compared elsewhere, here each phase of the diagrams is looked at.
        List<KernelProperties.ClockMode> clocks = List.copyOf(kernels.keySet());
        return KINDS.entrySet().stream().flatMap(kind -> kind.getValue().stream()
                .map(bean -> Arguments.of(
                        bean, kind.getKey(), clocks.get(kind.getValue().indexOf(bean) % clocks.size()))));
    }

    @ParameterizedTest(name = "{0} of {1} with the clock {2}")
    @MethodSource("cases")
    @Tag("S2")
    @Tag("T08")
    @Tag("T35")
    void looksAgainInTimeTellsWhatItSawAsksAPersonOnceStuckAndEndsOnlyWhenDone(
            String bean, String kind, KernelProperties.ClockMode clock) {
        // given
        KernelHarness kernel = kernels.get(clock);
        String name = Character.toUpperCase(bean.charAt(0)) + bean.substring(1);
        String mode = bean.equals("resetImport") ? "reset" : "import";
        kernel.phases.script("admitImport", context -> Outcome.done("fine").with("importMode", mode));
        kernel.phases.always(bean, Outcome.waiting("WaitingForIt", "c-1 is not there"));
        FlowView flow = kernel.flows().start(kind, KernelHarness.cluster("a"), "test", null);
        kernel.awaitPhase(flow, name, PhaseState.WAITING, "WaitingForIt");
        assertNextCheckIn(kernel.phase(flow, name));

        // when: it looks again, and the call fails
        kernel.phases.script(bean, context -> {
            throw Failure.of(ErrorClass.TRANSIENT, "ApiUnreachable", "refused by 10.0.0.1");
        });
        kernel.move(LONGEST);
        kernel.awaitPhase(flow, name, PhaseState.RETRYING, "ApiUnreachable");

        // then
        PhaseView failed = kernel.phase(flow, name);
        assertThat(failed.lastError()).contains("10.0.0.1");
        assertThat(failed.cause().code()).as("what is awaited").isEqualTo("WaitingForIt");
        assertNextCheckIn(failed);

        // when: and then it waits for ever
        kernel.phases.always(bean, Outcome.waiting("WaitingForIt", "c-1 is not there"));
        kernel.move(LONGEST);
        kernel.awaitPhase(flow, name, PhaseState.WAITING, "WaitingForIt");
        PhaseView waiting = kernel.phase(flow, name);
        assertThat(waiting.message()).isEqualTo("c-1 is not there");
        assertThat(waiting.lastError()).contains("10.0.0.1");
        if (waiting.stuckAt() != null) {
            kernel.move(Duration.between(new EngineClock().instant(), waiting.stuckAt())
                    .plusSeconds(1));
            Instant moved = new EngineClock().instant();
            KernelHarness.until("a person is asked", () -> kernel.tasks(flow) == 1);
            // A pause that is being noted while the clock moves once more would begin anew.
            KernelHarness.until(
                    "it looked again",
                    () -> !kernel.phase(flow, name).lastCheck().isBefore(moved));
        }

        // then
        assertThat(kernel.flows().find(flow.id()).orElseThrow().state()).isEqualTo(FlowState.RUNNING);

        // when
        kernel.phases.script(
                bean, context -> Outcome.done("fine").with("importMode", mode).with("dryRun", "false"));
        kernel.move(LONGEST);

        // then
        assertThat(kernel.awaitEnd(flow).result()).isEqualTo(RESULTS.get(kind));
        assertThat(kernel.tasks(flow)).isZero();
    }

    private static void assertNextCheckIn(PhaseView phase) {
        assertThat(phase.nextCheck())
                .isBetween(phase.lastCheck(), phase.lastCheck().plus(LONGEST));
    }
}
