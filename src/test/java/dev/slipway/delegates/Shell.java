package dev.slipway.delegates;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs the commands that Slipway advises, as a person would. */
final class Shell {

    private final Path folder;
    private final Path kubeconfig;

    Shell(Path folder, Path kubeconfig) {
        this.folder = folder;
        this.kubeconfig = kubeconfig;
        assumeTrue(installed("kubectl"), "kubectl is not installed");
        assumeTrue(installed("openssl"), "openssl is not installed");
    }

    private static boolean installed(String program) {
        return Files.isExecutable(Path.of("/usr/bin", program))
                || Files.isExecutable(Path.of("/usr/local/bin", program));
    }

    Shell with(String file, String text) {
        try {
            Files.writeString(folder.resolve(file), text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a script; gives what it printed, or fails with it. */
    String run(String script) {
        try {
            ProcessBuilder builder = new ProcessBuilder("sh", "-e", "-c", script)
                    .directory(folder.toFile())
                    .redirectErrorStream(true);
            builder.environment().put("KUBECONFIG", kubeconfig.toString());
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(script + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
