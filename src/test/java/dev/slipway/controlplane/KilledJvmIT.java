package dev.slipway.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nothing of a control plane outlives its JVM. */
class KilledJvmIT {

    @Test
    void endsEveryProcessWhenTheJvmIsKilledByForce() throws Exception {
        // given
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DoomedJvm.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<ProcessHandle> processes = processesNamedBy(jvm);
        // For each of etcd and the API server: itself, its supervisor and the supervisor's watcher.
        assertThat(processes).hasSize(6).allMatch(ProcessHandle::isAlive);

        // when
        jvm.destroyForcibly();

        // then
        for (ProcessHandle process : processes) {
            process.onExit().get(30, TimeUnit.SECONDS);
        }
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
    }

    private static List<ProcessHandle> processesNamedBy(Process jvm) throws Exception {
        BufferedReader output = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("processes ")) {
                return Arrays.stream(line.split(" "))
                        .skip(1)
                        .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                        .toList();
            }
        }
        throw new AssertionError("The JVM ended with code " + jvm.waitFor() + " before it named its processes");
    }
}
