package dev.slipway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The chaos run's arguments. */
class ChaosOptionsTest {

    @Test
    void isLongByDefault() {
        // when
        ChaosOptions options = ChaosOptions.parse();

        // then
        assertThat(options.clusters()).isEqualTo(50);
        assertThat(options.faults().empty()).isFalse();
        assertThat(options.postgres()).isFalse();
    }

    @Test
    void takesEachArgument() {
        // when
        ChaosOptions options = ChaosOptions.parse(
                "--clusters=8",
                "--broken=2",
                "--kills=1",
                "--time=30",
                "--faults=none",
                "--seed=7",
                "--database=postgres");

        // then
        assertThat(options.clusters()).isEqualTo(8);
        assertThat(options.broken()).isEqualTo(2);
        assertThat(options.kills()).isEqualTo(1);
        assertThat(options.time()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.faults().empty()).isTrue();
        assertThat(options.seed()).isEqualTo(7);
        assertThat(options.postgres()).isTrue();
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        // then
        assertThatThrownBy(() -> ChaosOptions.parse("--speed=9")).hasMessageContaining("--clusters=50");
        assertThatThrownBy(() -> ChaosOptions.parse("--kills=many")).hasMessageContaining("--kills=many: not a number");
        assertThatThrownBy(() -> ChaosOptions.parse("--database=oracle")).hasMessageContaining("oracle");
        assertThatThrownBy(() -> ChaosOptions.parse("--clusters=2", "--broken=3"))
                .hasMessageContaining("--broken");
    }
}
