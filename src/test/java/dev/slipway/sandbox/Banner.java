package dev.slipway.sandbox;

import java.nio.file.Path;
import java.util.List;

/** What the sandbox says when all is up. */
final class Banner {

    private static final String LINE = "-".repeat(96);

    private Banner() {}

    /** For a sandbox with Slipway in it. */
    static String everything(Path kubeconfig, int port, boolean sample) {
        String base = "http://127.0.0.1:" + port;
        return """

                %1$s
                Slipway's sandbox is up. Everything is on this machine, and ends with this process (Ctrl-C).

                  Console    %2$s/
                  Cockpit    %2$s/camunda/app/cockpit/
                  REST       %2$s/api/v1/clusters
                  Sign in    admin / %3$s

                  export KUBECONFIG=%4$s
                  %6$s
                  kubectl get wlc -w

                %5$s
                %1$s
                """
                .formatted(
                        LINE,
                        base,
                        Sandbox.PASSWORD,
                        kubeconfig,
                        samples(),
                        sample
                                ? "# deploy/samples/ready.yaml is applied already"
                                : "kubectl apply -f deploy/samples/ready.yaml");
    }

    /** For a sandbox that waits for a Slipway from elsewhere. */
    static String controlPlaneOnly(Path kubeconfig, List<String> arguments) {
        return """

                %1$s
                The management cluster and the simulated Cluster API are up; they end with this process (Ctrl-C).
                Start Slipway against them, as often as you like:

                  java -jar target/slipway-*.jar \\
                    %2$s

                  Sign in    admin / %3$s

                  export KUBECONFIG=%4$s
                  kubectl apply -f deploy/samples/ready.yaml     becomes Ready
                  kubectl get wlc -w

                %5$s
                %1$s
                """
                .formatted(LINE, String.join(" \\\n    ", arguments), Sandbox.PASSWORD, kubeconfig, samples());
    }

    private static String samples() {
        return """
                Samples, one command away:
                  kubectl apply -f deploy/samples/template.yaml    a cluster from a template in a ConfigMap
                  kubectl apply -f deploy/samples/stuck.yaml       stuck at its control plane, until
                  kubectl annotate wlc stuck sandbox.slipway.dev/fail-at-
                  kubectl apply -f deploy/samples/bad-input.yaml   refused, with field and remedy
                  kubectl apply -f deploy/samples/work-item.yaml   a chart and manifests on the cluster "ready"
                  kubectl apply -f deploy/samples/ready-with-work-item.yaml
                                                                   a cluster that brings a chart along
                  kubectl apply -f deploy/samples/import.yaml      its network comes with the import
                  kubectl apply -f deploy/samples/import-failed.yaml
                                                                   an import that failed eight times: eight credentials,
                                                                   nodes NotReady""";
    }
}
