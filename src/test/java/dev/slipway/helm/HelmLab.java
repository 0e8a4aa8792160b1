package dev.slipway.helm;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.helm.HelmRuns.Limits;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Helm unpacked once for all tests of this package, and a workload cluster. */
final class HelmLab {

    static final Limits PATIENT = new Limits(2, Duration.ofSeconds(60), Duration.ofMinutes(5));

    static final Limits IMPATIENT = new Limits(1, Duration.ofSeconds(2), Duration.ofSeconds(6));

    /** A chart of one ConfigMap and one Deployment. */
    static final Map<String, String> WEB = Map.of(
            "values.yaml",
            "greeting: hello\nreplicas: 1\n",
            "values.schema.json",
            "{\"type\":\"object\",\"properties\":{\"replicas\":{\"type\":\"integer\"}}}",
            "templates/config.yaml",
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: {{ .Release.Name }}
            data:
              greeting: {{ .Values.greeting | quote }}
            """,
            "templates/deployment.yaml",
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: {{ .Release.Name }}
            spec:
              replicas: {{ .Values.replicas }}
              selector:
                matchLabels: {app: {{ .Values.app | default "web" }}}
              template:
                metadata:
                  labels: {app: {{ .Values.app | default "web" }}}
                spec:
                  containers: [{name: web, image: web}]
            """);

    private HelmLab() {}

    static HelmRuntime runtime() {
        return Unpacked.INSTANCE;
    }

    static Workload workload() {
        return open(ControlPlane.shared().adminKubeconfig());
    }

    static Workload open(String kubeconfig) {
        KubeObject secret = KubeObject.named(ResourceType.SECRETS, "team", "prod-kubeconfig");
        byte[] text = kubeconfig.getBytes(StandardCharsets.UTF_8);
        secret.json().putObject("data").put("value", Base64.getEncoder().encodeToString(text));
        return RealWorkloads.clusters().open("uid", secret);
    }

    static ReleaseTarget target(Workload workload, String namespace) {
        return new ReleaseTarget("uid", workload, new ReleaseName(namespace, "web"));
    }

    static Values values(String yaml) {
        return new Values(List.of(new Values.Part("the test", yaml, false)));
    }

    private static final class Unpacked {

        private static final HelmRuntime INSTANCE = HelmRuntime.unpack();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(INSTANCE::close));
        }
    }
}
