package dev.slipway.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short chaos run; docs/testing.md has the long one. */
class ChaosIT {

    @TempDir
    private Path folder;

    @Test
    void losesAndDoublesNothingUnderFaultsAndKills() throws Exception {
        // given
        ChaosOptions options = ChaosOptions.parse(
                "--clusters=8",
                "--broken=3",
                "--kills=2",
                "--time=40",
                "--settle=180",
                "--stuck-scale=0.01",
                "--folder=" + folder.resolve("chaos"));

        // when
        ChaosReport report;
        try (ChaosRun run = new ChaosRun(options, line -> System.out.println("[chaos] " + line))) {
            report = run.run();
        }

        // then
        System.out.println(report.text());
        assertThat(report.violations()).isEmpty();
        assertThat(report.ready()).isEqualTo(5);
        assertThat(report.kills()).isEqualTo(2);
        assertThat(report.faults()).as("kinds of faults").hasSizeGreaterThan(10);
    }
}
