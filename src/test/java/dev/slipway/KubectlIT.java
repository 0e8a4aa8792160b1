package dev.slipway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.controlplane.JsonApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The everyday commands of docs/kubectl.md, with the {@code kubectl} of this machine. */
class KubectlIT extends WholeApplication {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String CLASS_OF_NOBODY =
            """
            apiVersion: slipway.dev/v1alpha1
            kind: WorkloadCluster
            metadata: {name: odd}
            spec:
              version: v1.36.3
              topology: {class: no-such-class}
            """;

    @TempDir
    private static Path folder;

    private static Path kubeconfig;

    private final JsonApi api = management().json();
    private final String namespace = management().newNamespace("kubectl");

    /** What a command wrote, and how it ended. */
    private record Ended(int code, String output) {}

    @BeforeAll
    static void writeKubeconfig() {
        assumeTrue(
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "kubectl"))),
                "No kubectl on the PATH");
        kubeconfig = management().writeKubeconfig(folder.resolve("kubeconfig"));
    }

    @BeforeEach
    void aClass() {
        api.applyYaml(SandboxYaml.resource("sandbox/cluster-class.yaml"), namespace);
    }

    @Test
    void aClusterIsAppliedAwaitedListedDeletedAndAwaitedAgain() throws IOException {
        // given
        Path file = Files.writeString(
                folder.resolve("cluster.yaml"),
                SandboxYaml.cluster("c1", "")
                        + """
                          workItems:
                            - name: hello
                              manifests:
                                inline: |
                                  apiVersion: v1
                                  kind: ConfigMap
                                  metadata: {name: hello}
                        """);

        // when
        kubectl("apply", "-f", file.toString());
        kubectl("wait", "--for=condition=Ready", "wlc/c1", "--timeout=120s");

        // then
        List<String> table = kubectl("get", "wlc,wi").lines().map(String::strip).toList();
        assertThat(table.get(0).split(" {2,}"))
                .containsExactly("NAME", "PHASE", "READY", "FLOW PHASE", "SINCE", "VERSION", "AGE");
        assertThat(table.get(1)).matches("workloadcluster.slipway.dev/c1 +Ready +true +EnsureHealthy +.*v1\\.36\\.3.*");
        assertThat(table)
                .anySatisfy(line -> assertThat(line.split(" {2,}"))
                        .containsExactly("NAME", "CLUSTER", "CHART", "VERSION", "PHASE", "AGE"))
                .anySatisfy(line -> assertThat(line).matches("workitem.slipway.dev/c1-hello +c1 +.*Installed.*"));

        // when
        kubectl("delete", "wlc/c1", "--wait=false");
        kubectl("wait", "--for=delete", "wlc/c1", "--timeout=120s");

        // then
        assertThat(kubectl("get", "wlc,wi", "--ignore-not-found")).isBlank();
    }

    @Test
    void aStuckClusterTellsItsStoryAndListensToAnnotations() throws IOException {
        // given
        kubectl(
                "apply",
                "-f",
                Files.writeString(folder.resolve("odd.yaml"), CLASS_OF_NOBODY).toString());
        kubectl("wait", "--for=condition=Stuck", "wlc/odd", "--timeout=60s");

        // then
        assertThat(kubectl("get", "wlc", "odd", "-o", "wide")).contains("Stuck", "Admit", "ClassUnknown");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(kubectl("describe", "wlc", "odd"))
                .containsSubsequence(
                        "Conditions:", "ClassUnknown", "no-such-class", "Events:", "Warning", "ClassUnknown"));

        // when
        kubectl("annotate", "wlc", "odd", "slipway.dev/paused=true");

        // then
        kubectl("wait", "--for=jsonpath={.status.phase}=Paused", "wlc/odd", "--timeout=30s");

        // when
        kubectl("annotate", "wlc", "odd", "slipway.dev/paused-");
        kubectl("wait", "--for=jsonpath={.status.phase}=Stuck", "wlc/odd", "--timeout=30s");
        kubectl("annotate", "wlc", "odd", "slipway.dev/retry=now");

        // then
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(kubectl("events", "--for", "workloadcluster/odd"))
                .contains("kubernetes (kubectl-annotate) asked for a retry: Admit starts anew"));
    }

    private String kubectl(String... arguments) {
        Ended ended = run(arguments);
        assertThat(ended.code()).as(ended.output()).isZero();
        return ended.output();
    }

    private Ended run(String... arguments) {
        List<String> command = new ArrayList<>(List.of("kubectl", "-n", namespace));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
