package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** How Slipway finds its management cluster, and what it says when there is no way. */
class ManagementAccessTest {

    @TempDir
    private Path folder;

    @Test
    void takesTheConfiguredFileAndNothingElse() throws Exception {
        // given
        Path configured = kubeconfig("configured", "");
        Map<String, String> environment =
                Map.of("KUBECONFIG", kubeconfig("other", "").toString());

        // then
        assertThat(access(environment).client(configured).getBasePath()).isEqualTo("https://configured:6443");
        NoKubernetesAccessException missing = catchThrowableOfType(
                NoKubernetesAccessException.class, () -> access(environment).client(folder.resolve("none")));
        assertThat(missing)
                .hasMessageContaining("slipway.kubernetes.kubeconfig")
                .hasMessageContaining("none");
    }

    @Test
    void takesTheFirstExistingFileOfTheEnvironmentThenTheHome() throws Exception {
        // given
        Files.createDirectories(folder.resolve(".kube"));
        Files.copy(kubeconfig("home", ""), folder.resolve(".kube").resolve("config"));
        String list = folder.resolve("none") + File.pathSeparator + kubeconfig("environment", "");

        // then
        assertThat(access(Map.of("KUBECONFIG", list)).client(null).getBasePath())
                .isEqualTo("https://environment:6443");
        assertThat(access(Map.of()).client(null).getBasePath()).isEqualTo("https://home:6443");
    }

    @Test
    void saysEverythingThatWasTried() {
        // when
        NoKubernetesAccessException failure = catchThrowableOfType(
                NoKubernetesAccessException.class, () -> access(Map.of()).client(null));

        // then
        assertThat(failure)
                .hasMessageContaining("slipway.kubernetes.kubeconfig is not set")
                .hasMessageContaining("KUBECONFIG is not set")
                .hasMessageContaining("config does not exist")
                .hasMessageContaining("no pod");
        assertThat(new NoKubernetesAccessAnalyzer().analyze(failure).getAction())
                .contains("KUBECONFIG");
    }

    @Test
    void refusesToTrustAnyServerAndNamesABrokenFile() throws Exception {
        // given
        Path unsafe = kubeconfig("unsafe", "insecure-skip-tls-verify: true");
        Path broken = Files.writeString(folder.resolve("broken"), "no: kubeconfig");

        // then
        assertThat(catchThrowableOfType(NoKubernetesAccessException.class, () -> access(Map.of())
                        .client(unsafe)))
                .hasMessageContaining("insecure-skip-tls-verify");
        assertThat(catchThrowableOfType(NoKubernetesAccessException.class, () -> access(Map.of())
                        .client(broken)))
                .hasMessageContaining("broken");
    }

    @Test
    void wiresEverythingFromTheConfiguration() throws Exception {
        new ApplicationContextRunner()
                .withUserConfiguration(Wiring.class)
                .withPropertyValues(
                        "slipway.kubernetes.kubeconfig=" + kubeconfig("wired", ""),
                        "slipway.kubernetes.watch.enabled=false",
                        "slipway.kubernetes.call-timeout=3s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).hasSingleBean(LiveReader.class);
                    assertThat(context).hasSingleBean(KubeWriter.class);
                    assertThat(context).hasSingleBean(WorkloadClusters.class);
                    assertThat(context.getBean(ClusterWatches.class).isRunning())
                            .isFalse();
                    assertThat(context.getBean(KubernetesProperties.class).callTimeout())
                            .hasSeconds(3);
                });
    }

    @Test
    void refusesAConfigurationThatCannotWork() throws Exception {
        new ApplicationContextRunner()
                .withUserConfiguration(Wiring.class)
                .withPropertyValues(
                        "slipway.kubernetes.kubeconfig=" + kubeconfig("wired", ""),
                        "slipway.kubernetes.call-timeout=0s",
                        "slipway.kubernetes.workload-clients=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("callTimeout")
                        .hasMessageContaining("workloadClients"));
    }

    private ManagementAccess access(Map<String, String> environment) {
        return new ManagementAccess(environment, folder, folder.resolve("token"));
    }

    private Path kubeconfig(String host, String extra) throws Exception {
        String authority =
                Base64.getEncoder().encodeToString(TestTls.authority("ca").pem().getBytes(StandardCharsets.UTF_8));
        String text =
                """
                apiVersion: v1
                kind: Config
                clusters:
                - name: c
                  cluster:
                    server: https://%s:6443
                    certificate-authority-data: %s
                    %s
                users:
                - name: c
                  user: {token: t}
                contexts:
                - name: c
                  context: {cluster: c, user: c}
                current-context: c
                """
                        .formatted(host, authority, extra);
        return write(folder.resolve(host), text);
    }

    private static Path write(Path file, String text) throws IOException {
        return Files.writeString(file, text);
    }

    /** What the application scans for by itself. */
    @EnableConfigurationProperties(KubernetesProperties.class)
    static class Wiring extends KubernetesConfiguration {}
}
