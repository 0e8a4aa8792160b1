package dev.slipway.controlplane;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds the binaries with the Go toolchain: minutes, but only modules are needed, no release archive. */
final class GoBuild implements Binaries.Source {

    private static final Map<String, String> PACKAGES = Map.of(
            "etcd", "go.etcd.io/etcd/server/v3",
            "kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver",
            "kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager");
    private static final Duration PROGRESS = Duration.ofSeconds(15);
    private static final Duration DEADLINE = Duration.ofHours(1);

    private final GoModule module;

    GoBuild(GoModule module) {
        this.module = module;
    }

    @Override
    public String describe() {
        return "build with Go from " + module.folder();
    }

    @Override
    public void provide(String binary, Path target) throws IOException, InterruptedException {
        requireGo();
        String version = module.kubernetesVersion();
        String[] numbers = version.substring(1).split("\\.", -1);
        String variable = "-X k8s.io/component-base/version.";
        String linkerFlags = "-s -w " + variable + "gitVersion=" + version + " " + variable + "gitMajor=" + numbers[0]
                + " " + variable + "gitMinor=" + numbers[1];
        List<String> command = List.of(
                "go",
                "build",
                "-v",
                "-trimpath",
                "-buildvcs=false",
                "-ldflags",
                linkerFlags,
                "-o",
                target.toString(),
                PACKAGES.get(binary));
        Path log = target.resolveSibling("build-" + binary + ".log");
        Files.deleteIfExists(log);
        Path workspace = module();
        Binaries.report("Building %s for Kubernetes %s with Go, once; this takes minutes. Log: %s"
                .formatted(binary, version, log));
        try (SupervisedProcess build = SupervisedProcess.startIn(
                workspace, "go build " + binary, command, Map.of("CGO_ENABLED", "0", "GOWORK", "off"), log)) {
            await(binary, build);
            if (build.exitCode() != 0) {
                throw new IOException(build.describe());
            }
        } finally {
            Files.deleteIfExists(workspace.resolve("go.mod"));
            Files.deleteIfExists(workspace.resolve("go.sum"));
            Files.deleteIfExists(workspace);
        }
        Binaries.report("Built " + binary);
    }

    private static void requireGo() throws IOException, InterruptedException {
        try {
            Process go = new ProcessBuilder("go", "version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (go.waitFor() != 0) {
                throw new IOException("\"go version\" ends with code " + go.exitValue());
            }
        } catch (IOException e) {
            throw new IOException("no working Go toolchain on the PATH (" + e.getMessage() + ")", e);
        }
    }

    /** A copy: Go may want to write to the module's files, and the work tree must stay as it is. */
    private Path module() throws IOException {
        Path workspace = Files.createTempDirectory("slipway-control-plane-module");
        for (String file : List.of("go.mod", "go.sum")) {
            Files.copy(module.folder().resolve(file), workspace.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        return workspace;
    }

    private static void await(String binary, SupervisedProcess build) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (!build.await(PROGRESS)) {
            Duration passed = Duration.ofNanos(System.nanoTime() - start);
            if (passed.compareTo(DEADLINE) > 0) {
                throw new IOException("no result after " + DEADLINE + "; " + build.describe());
            }
            List<String> lines = new ArrayList<>(build.logText().lines().toList());
            String last = lines.isEmpty() ? "starting" : lines.get(lines.size() - 1);
            Binaries.report("%s: %d min %d s, %d steps, now %s"
                    .formatted(binary, passed.toMinutes(), passed.toSecondsPart(), lines.size(), last));
        }
    }
}
