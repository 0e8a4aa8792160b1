package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.helm.ChartRepository;
import java.util.Map;
import java.util.Optional;

/** The sandbox's chart repository: HTTPS with an authority of its own, which the ConfigMap {@code sandbox-charts} holds. */
final class SandboxCharts {

    /** The samples name it. */
    private static final int PORT = 8879;

    private static final Map<String, String> HELLO = Map.of(
            "values.yaml",
            "greeting: hello\n",
            "templates/config.yaml",
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: {{ .Release.Name }}
            data:
              greeting: {{ .Values.greeting | quote }}
              version: {{ .Chart.Version }}
            """);

    private SandboxCharts() {}

    /** Serves it until the process ends; says where, or why not. */
    static Optional<String> serve(JsonApi management, String namespace) {
        try {
            ChartRepository charts =
                    ChartRepository.at(PORT).with("hello", "1.0.0", HELLO).with("hello", "1.1.0", HELLO);
            Runtime.getRuntime().addShutdownHook(new Thread(charts::close, "close-charts"));
            ObjectNode map = JsonApi.parse("{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\"}");
            map.putObject("metadata").put("name", "sandbox-charts").put("namespace", namespace);
            map.putObject("data").put("ca.crt", charts.authorityPem());
            management.apply("/api/v1/namespaces/" + namespace + "/configmaps/sandbox-charts", map);
            return Optional.of("Charts are served at " + charts.url() + ", CA in the ConfigMap sandbox-charts");
        } catch (Exception e) {
            return Optional.of("No charts: port " + PORT + " cannot be used: " + e.getMessage());
        }
    }
}
