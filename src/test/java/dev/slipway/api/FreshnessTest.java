package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FreshnessTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({"PT0.01S, PT1S", "PT0.1S, PT1S", "PT0.4S, PT4S", "PT5S, PT30S"})
    void takesATenthOfTheTimeAtMost(Duration took, Duration lasts) {
        // when
        Freshness freshness = Freshness.costing(took, NOW);

        // then
        assertThat(freshness.holds(NOW.plus(lasts).minusMillis(1))).isTrue();
        assertThat(freshness.holds(NOW.plus(lasts))).isFalse();
    }

    @Test
    void waitsTenTimesAsLongAsItTookAndNeverLessThanTheShortest() {
        // when, then
        assertThat(Freshness.tenfold(Duration.ofSeconds(60), Duration.ofSeconds(15)))
                .isEqualTo(Duration.ofMinutes(10));
        assertThat(Freshness.tenfold(Duration.ofSeconds(1), Duration.ofSeconds(15)))
                .isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void doesNotOutlastAClockThatIsSetBack() {
        // given
        Freshness freshness = Freshness.lasting(Duration.ofMinutes(1), NOW);

        // when, then
        assertThat(freshness.holds(NOW)).isTrue();
        assertThat(freshness.holds(NOW.minusSeconds(1))).isFalse();
    }
}
