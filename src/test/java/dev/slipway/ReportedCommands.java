package dev.slipway;

import dev.slipway.controlplane.JsonApi;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a person sees who checks an imported cluster by hand: the four commands of the platform's troubleshooting guide.
 *
 * <p>Without {@code kubectl} and {@code jq} on the path the same is asked of the API servers.
 */
final class ReportedCommands {

    private static final String LABEL = "capi.cpaas.io/imported";

    private final Path kubeconfig;
    private final JsonApi management;

    /**
     * What they print.
     *
     * @param platformCluster whether the platform has the cluster
     * @param label {@code missing}, or {@code present} with the value
     * @param credentials the names of the cluster's credentials
     * @param sentry whether the workload cluster has the account
     */
    record Printed(boolean platformCluster, String label, List<String> credentials, boolean sentry) {

        Printed {
            credentials = List.copyOf(credentials);
        }
    }

    /** Where a command ended. */
    private record Ended(boolean well, String output) {}

    /**
     * Commands about clusters of that management cluster.
     *
     * @param kubeconfig of the management cluster
     */
    ReportedCommands(Path kubeconfig, JsonApi management) {
        this.kubeconfig = kubeconfig;
        this.management = management;
    }

    /** Runs the four for a cluster. */
    Printed run(String namespace, String cluster, String workloadKubeconfig) {
        return Stream.of("kubectl", "jq").allMatch(ReportedCommands::installed)
                ? commands(namespace, cluster, workloadKubeconfig)
                : calls(namespace, cluster, workloadKubeconfig);
    }

    private Printed commands(String namespace, String cluster, String workloadKubeconfig) {
        try {
            Path workload = kubeconfig.resolveSibling("workload-" + cluster);
            Files.writeString(workload, workloadKubeconfig);
            String label = printed(
                    """
                    kubectl get clusters.cluster.x-k8s.io %s -n %s -o json | \\
                      jq -r 'if (.metadata.labels | has("capi.cpaas.io/imported"))
                             then "present (value=\\"\\(.metadata.labels["capi.cpaas.io/imported"])\\")"
                             else "missing"
                             end'
                    """
                            .formatted(cluster, namespace));
            String credentials = printed(
                    """
                    kubectl get clustercredentials.platform.tkestack.io -o json | \\
                      jq -r --arg c %s \\
                        '.items[] | select(.metadata.labels["cluster.x-k8s.io/cluster-name"]==$c) | .metadata.name'
                    """
                            .formatted(cluster));
            return new Printed(
                    sh("kubectl get clusters.platform.tkestack.io " + cluster).well(),
                    label,
                    credentials.lines().toList(),
                    sh("kubectl --kubeconfig " + workload + " -n cpaas-system get serviceaccount sentry")
                            .well());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Printed calls(String namespace, String cluster, String workloadKubeconfig) {
        var labels = management
                .get("/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters/" + cluster)
                .orElseThrow()
                .at("/metadata/labels");
        return new Printed(
                management
                        .get("/apis/platform.tkestack.io/v1/clusters/" + cluster)
                        .isPresent(),
                labels.has(LABEL) ? "present (value=\"" + labels.path(LABEL).asText() + "\")" : "missing",
                management.list("/apis/platform.tkestack.io/v1/clustercredentials").stream()
                        .filter(one -> cluster.equals(one.at("/metadata/labels")
                                .path("cluster.x-k8s.io/cluster-name")
                                .asText()))
                        .map(one -> one.at("/metadata/name").asText())
                        .toList(),
                workload(workloadKubeconfig)
                        .get("/api/v1/namespaces/cpaas-system/serviceaccounts/sentry")
                        .isPresent());
    }

    /** Asks a workload cluster. */
    static JsonApi workload(String kubeconfig) {
        try {
            return new JsonApi(ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig)))
                    .build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String printed(String script) throws IOException {
        Ended ended = sh("set -o pipefail\n" + script);
        if (!ended.well()) {
            throw new AssertionError(script + " failed: " + ended.output());
        }
        return ended.output().strip();
    }

    private Ended sh(String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            return new Ended(process.waitFor() == 0, output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static boolean installed(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
