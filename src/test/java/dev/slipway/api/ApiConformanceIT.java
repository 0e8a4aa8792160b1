package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.WholeApplication;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The REST API keeps to its description, whatever it is asked: thousands of odd requests by schemathesis. */
class ApiConformanceIT extends WholeApplication {

    private static final String BUDGET = System.getProperty("slipway.conformance.seconds", "25");

    @Test
    void keepsToItsDescriptionWhateverItIsAsked(@LocalServerPort int port, @TempDir Path folder) throws Exception {
        // given
        Optional<Path> tool = tool();
        assumeTrue(tool.isPresent(), "There is no schemathesis on the PATH: pip install 'schemathesis>=4,<5'");

        // when
        Path log = folder.resolve("log");
        Process run = new ProcessBuilder(command(tool.get(), port))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = run.waitFor(Long.parseLong(BUDGET) + 60, TimeUnit.SECONDS);
        run.destroyForcibly();

        // then
        String said = Files.readString(log);
        assertThat(ended).as(said).isTrue();
        assertThat(run.exitValue()).as(said).isZero();
    }

    private static List<String> command(Path tool, int port) throws IOException {
        return List.of(
                tool.toString(),
                "--config-file",
                Path.of("src", "test", "schemathesis.toml").toRealPath().toString(),
                "run",
                "http://127.0.0.1:" + port + "/v3/api-docs",
                "--auth",
                "admin:" + PASSWORD,
                "--checks",
                "all",
                // Wrong passwords are slowed down on purpose, for all that follow.
                "--exclude-checks",
                "ignored_auth",
                "--phases",
                "examples,coverage,fuzzing",
                "--max-examples",
                "5",
                "--max-time",
                BUDGET,
                "--request-timeout",
                "20",
                "--seed",
                "1");
    }

    private static Optional<Path> tool() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "schemathesis"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
