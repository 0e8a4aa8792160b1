package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.PhaseContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two good answers some seconds apart, remembered by what the phase last reported. */
class SecondProbeTest {

    private static final Instant SINCE = Instant.parse("2030-01-01T00:00:00Z");

    @Test
    void asksAgainAfterTheFirstGoodAnswer() {
        assertThat(SecondProbe.of(context(1, 10, Map.of()))).contains(Duration.ofSeconds(5));
        assertThat(SecondProbe.of(context(7, 10, last("WaitingForNodes", 9)))).contains(Duration.ofSeconds(5));
    }

    @Test
    void isContentWithTheSecond() {
        assertThat(SecondProbe.of(context(2, 15, last("WaitingForSecondProbe", 10))))
                .isEmpty();
    }

    @Test
    void takesTwoAnswersInTheSameMomentForOne() {
        assertThat(SecondProbe.of(context(2, 12, last("WaitingForSecondProbe", 10))))
                .contains(Duration.ofSeconds(5));
    }

    @Test
    void isContentWithASecondAnswerThatJitterBroughtForward() {
        assertThat(SecondProbe.of(context(2, 14, last("WaitingForSecondProbe", 10))))
                .isEmpty();
    }

    @Test
    void isNotKeptForEverByAStreamOfEvents() {
        assertThat(SecondProbe.of(context(40, 61, last("WaitingForSecondProbe", 60))))
                .isEmpty();
    }

    private static Map<String, String> last(String reason, long second) {
        return Map.of(
                PhaseContext.LAST_REASON,
                reason,
                PhaseContext.LAST_CHECK,
                SINCE.plusSeconds(second).toString());
    }

    private static PhaseContext context(int attempt, long second, Map<String, String> facts) {
        return new PhaseContext(
                new ClusterRef("ns", "c", "u"),
                "cluster-init",
                "1",
                "EnsureHealthy",
                attempt,
                SINCE,
                SINCE.plusSeconds(second),
                Duration.ofSeconds(30),
                facts);
    }
}
