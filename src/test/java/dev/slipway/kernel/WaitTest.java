package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.PhaseContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a phase is told about its own past. */
class WaitTest {

    private static final Instant TIME = Instant.parse("2030-01-01T00:00:00Z");

    @Test
    void tellsThePhaseWhatItReportedLast() {
        // given
        Progress looked = new Progress(
                PhaseState.WAITING,
                false,
                new Progress.Counters(1, 0, 0, null, 0, null),
                "WaitingForSecondProbe",
                "m",
                null,
                null,
                List.of(),
                TIME,
                null);

        // then
        assertThat(facts(looked))
                .containsEntry("capiClusterUid", "u2")
                .containsEntry(PhaseContext.LAST_REASON, "WaitingForSecondProbe")
                .containsEntry(PhaseContext.LAST_CHECK, "2030-01-01T00:00:00Z");
        assertThat(facts(Progress.entered()))
                .containsEntry(PhaseContext.LAST_REASON, "")
                .doesNotContainKey(PhaseContext.LAST_CHECK);
    }

    private static Map<String, String> facts(Progress progress) {
        PhaseRun run = new PhaseRun(
                "1",
                "f",
                "cluster-init",
                "d",
                new ClusterRef("ns", "c", "u"),
                "phase_healthy",
                "EnsureHealthy",
                "e",
                "s",
                null,
                "n",
                null,
                TIME,
                null,
                null,
                progress);
        PhaseDefinition phase = new PhaseDefinition(
                "phase_healthy",
                "task_ensureHealthy",
                "EnsureHealthy",
                "ensureHealthy",
                "Healthy",
                Duration.ofSeconds(30),
                null,
                null,
                List.of(),
                Set.of());
        return new Wait(run, phase, Map.of("capiClusterUid", "u2")).facts();
    }
}
