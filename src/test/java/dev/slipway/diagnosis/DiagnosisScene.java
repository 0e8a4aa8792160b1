package dev.slipway.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.TcpProbe;
import dev.slipway.cluster.WorkloadApi;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.controlplane.Kubeconfig;
import dev.slipway.controlplane.Pki;
import dev.slipway.imports.CredentialProof;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportSettings;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.kubernetes.WorkloadClusters;
import dev.slipway.phase.ClusterRef;
import dev.slipway.platform.CredentialRanking;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformLab;
import dev.slipway.platform.PlatformSettings;
import dev.slipway.sentry.SentrySettings;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** The cluster c1 with everything that belongs to it, in a namespace of its own, with a real API of its own. */
final class DiagnosisScene implements AutoCloseable {

    static final String CAPI = "cluster.x-k8s.io";
    static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io";
    static final String INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io";
    static final Pki.Pem AUTHORITY = Pki.authority("c1-ca");

    private static final ImportSettings IMPORTS = new ImportSettings(
            true, "", CredentialRanking.Policy.AUTO, Duration.ofMinutes(10), "", true, Duration.ofMinutes(10));
    private static final SentrySettings SENTRY = new SentrySettings(
            "cpaas-system",
            "sentry",
            "cluster-admin",
            List.of("* *.*"),
            SentrySettings.TokenKind.SECRET,
            "sentry-token",
            Duration.ofHours(1));

    final ClusterLab lab;
    /** Which pods are the infrastructure provider's. */
    String providerSelector = "";

    final FlowsInMemory flows = new FlowsInMemory();
    final DecisionsInMemory decisions = new DecisionsInMemory();
    private final String old = Instant.now()
            .minus(1, ChronoUnit.HOURS)
            .truncatedTo(ChronoUnit.SECONDS)
            .toString();

    private DiagnosisScene(ClusterLab lab) {
        this.lab = lab;
    }

    /** Nothing but a namespace. */
    static DiagnosisScene empty() {
        return new DiagnosisScene(ClusterLab.open("diagnosis"));
    }

    /** A cluster with one control plane machine, all of it well; its flow has ended. */
    static DiagnosisScene healthy() {
        return healthy(empty());
    }

    /** The same in a management cluster that serves a platform, which knows nothing of the cluster. */
    static DiagnosisScene healthyOnPlatform() {
        return healthy(new DiagnosisScene(ClusterLab.open(PlatformLab.plane(), "diagnosis")));
    }

    private static DiagnosisScene healthy(DiagnosisScene scene) {
        WorkloadCluster declared = scene.lab.declare("c1", "version: v1.36.3\ntopology: {class: small}\n");
        scene.flows.start("init", declared.ref(), "slipway", null);
        scene.flows.end("flow-1", FlowState.COMPLETED, "Ready");
        scene.clusterObjects();
        scene.secrets();
        scene.kubeconfig(Workload.INSTANCE.server());
        scene.node("c1-node-0", "True", "kubelet is posting ready status");
        return scene;
    }

    /** The API of the workload cluster: trusts c1's authority, and serves no kind of Cluster API's. */
    static ControlPlane workload() {
        return Workload.INSTANCE;
    }

    String namespace() {
        return lab.namespace();
    }

    /** Takes a diagnosis by name. */
    Diagnosis diagnose() {
        return diagnose(lab.client(), RealWorkloads.clusters(), Diagnoses.Limits.STANDARD);
    }

    /** Takes a diagnosis of another name. */
    Diagnosis diagnose(ClusterRef cluster) {
        return diagnose(cluster, lab.client(), RealWorkloads.clusters(), Diagnoses.Limits.STANDARD);
    }

    /** Takes a diagnosis by name with that access to the management cluster. */
    Diagnosis diagnose(LiveReader reader, WorkloadClusters workloads, Diagnoses.Limits limits) {
        return diagnose(new ClusterRef(namespace(), "c1", ""), reader, workloads, limits);
    }

    private Diagnosis diagnose(
            ClusterRef cluster, LiveReader reader, WorkloadClusters workloads, Diagnoses.Limits limits) {
        ClusterApi api = new ClusterApi(reader);
        PlatformApi platforms = new PlatformApi(reader, lab.client(), new PlatformSettings(PlatformSettings.Api.AUTO));
        ClusterAccess access =
                new ClusterAccess(api, new WorkloadApi(reader, workloads), new ImportAccess(reader, workloads));
        Clock clock = Clock.systemUTC();
        List<Step> steps = List.of(
                new ClusterApiStep(reader, api, clock),
                new MachinesStep(reader, access, clock),
                new CertificatesStep(reader, api, workloads, clock),
                new ReachabilityStep(api, access, new TcpProbe()),
                new EventsStep(new EventLog(reader, api)),
                new FlowsStep(() -> flows, () -> decisions),
                new ProviderStep(reader, api, new DiagnosisSettings("cpaas-system", providerSelector)),
                new InvariantsStep(api, platforms, access, IMPORTS, SENTRY, clock),
                new CredentialsStep(api, platforms, access, new CredentialProof(SENTRY), IMPORTS, clock));
        try (Diagnoses diagnoses = new Diagnoses(steps, limits, clock)) {
            return diagnoses.take(cluster, Duration.ZERO);
        } catch (Diagnoses.TooMany e) {
            throw new AssertionError(e);
        }
    }

    private void clusterObjects() {
        URI server = URI.create(Workload.INSTANCE.server());
        lab.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: c1}
                spec:
                  controlPlaneEndpoint: {host: %s, port: %d}
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: c1-cp}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: c1}
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                kind: DevCluster
                metadata: {name: c1}
                spec: {backend: {inMemory: {}}}
                ---
                apiVersion: controlplane.cluster.x-k8s.io/v1beta2
                kind: KubeadmControlPlane
                metadata: {name: c1-cp}
                spec:
                  replicas: 1
                  version: v1.36.3
                  machineTemplate:
                    spec:
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachineTemplate, name: c1}
                  kubeadmConfigSpec: {clusterConfiguration: {apiServer: {certSANs: [localhost]}}}
                """
                        .formatted(server.getHost(), server.getPort()));
        lab.patchStatus(
                CAPI,
                "Cluster",
                "c1",
                "phase: Provisioned\ninitialization: {controlPlaneInitialized: true}\n"
                        + conditions(
                                condition("Available", "True", "Available", ""),
                                condition("Paused", "False", "NotPaused", "")));
        lab.patchStatus(
                CONTROL_PLANE,
                "KubeadmControlPlane",
                "c1-cp",
                "replicas: 1\nreadyReplicas: 1\n" + conditions(condition("Available", "True", "Available", "")));
        machine("c1-cp-0");
        lab.patchStatus(
                CAPI,
                "Machine",
                "c1-cp-0",
                "phase: Running\nnodeRef: {name: c1-node-0}\ninitialization: {infrastructureProvisioned: true}\n"
                        + conditions(condition("Ready", "True", "Ready", "")));
    }

    /** A control plane machine of which nothing is known yet. */
    void machine(String name) {
        lab.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata:
                  name: %s
                  labels: {cluster.x-k8s.io/cluster-name: c1, cluster.x-k8s.io/control-plane: ""}
                spec:
                  clusterName: c1
                  bootstrap: {dataSecretName: x}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachine, name: %s-infra}
                """
                        .formatted(name, name));
    }

    /** {@code conditions: […]} of a status. */
    static String conditions(String... conditions) {
        return "conditions: [" + String.join(", ", conditions) + "]\n";
    }

    /** One condition, an hour old. */
    String condition(String type, String status, String reason, String message) {
        return "{type: " + type + ", status: '" + status + "', reason: " + reason + ", message: '" + message
                + "', lastTransitionTime: '" + old + "'}";
    }

    private void secrets() {
        keyPair("ca", AUTHORITY);
        keyPair("etcd", Pki.authority("etcd-ca"));
        keyPair("proxy", Pki.authority("front-proxy-ca"));
        keyPair("sa", Pki.keyPair());
    }

    void keyPair(String purpose, Pki.Pem pem) {
        secret("c1-" + purpose, "tls.crt: " + base64(pem.certificate()) + ", tls.key: " + base64(pem.key()));
    }

    /** The kubeconfig of an administrator for that server. */
    void kubeconfig(String server) {
        Pki.Pem admin = Pki.client(AUTHORITY, "kubernetes-admin", "system:masters");
        kubeconfigText(Kubeconfig.of("c1", server, AUTHORITY.certificate(), admin));
    }

    void kubeconfigText(String text) {
        secret("c1-kubeconfig", "value: " + base64(text));
    }

    void secret(String name, String data) {
        lab.apply("apiVersion: v1\nkind: Secret\ntype: cluster.x-k8s.io/secret\nmetadata: {name: " + name
                + ", labels: {cluster.x-k8s.io/cluster-name: c1}}\ndata: {" + data + "}\n");
    }

    /** A node of the workload cluster. */
    void node(String name, String ready, String message) {
        JsonApi api = Workload.INSTANCE.json();
        api.create("/api/v1/nodes", JsonApi.parse("{\"metadata\":{\"name\":\"" + name + "\"}}"));
        String conditions = conditions(condition("Ready", ready, "KubeletSays", message));
        api.merge(
                "/api/v1/nodes/" + name + "/status",
                JsonApi.parseYaml("status:\n" + conditions.indent(2)).get(0));
    }

    /** A Warning Event about an object, minutes old. */
    void event(String kind, String name, String reason, String message, int minutes, int count) {
        String time = Instant.now()
                .minus(minutes, ChronoUnit.MINUTES)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        lab.apply("apiVersion: v1\nkind: Event\nmetadata: {name: " + name + "." + reason.toLowerCase(Locale.ROOT)
                + "}\ninvolvedObject: {kind: " + kind + ", name: " + name + ", namespace: " + namespace()
                + "}\ntype: Warning\nreason: " + reason + "\nmessage: \"" + message + "\"\ncount: " + count
                + "\nlastTimestamp: '" + time + "'\n");
    }

    /** Moves the API server, for the Cluster and for the kubeconfig, to that loopback port. */
    void endpoint(int port) {
        lab.patch(CAPI, "Cluster", "c1", "spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: " + port + "}}");
        kubeconfig("https://127.0.0.1:" + port);
    }

    /** The name of the pattern that a diagnosis shows. */
    static String signature(Diagnosis diagnosis) {
        assertThat(diagnosis.signature()).as(Page.text(diagnosis)).isNotNull();
        return diagnosis.signature().name();
    }

    /** The one finding about an object. */
    static Finding only(Diagnosis diagnosis, String object) {
        return assertThat(diagnosis.findings().stream()
                        .filter(finding -> finding.object().equals(object))
                        .toList())
                .as(Page.text(diagnosis))
                .singleElement()
                .actual();
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        JsonApi api = Workload.INSTANCE.json();
        api.list("/api/v1/nodes")
                .forEach(node ->
                        api.delete("/api/v1/nodes/" + node.at("/metadata/name").asText()));
        api.delete("/api/v1/namespaces/cpaas-system/serviceaccounts/sentry");
    }

    private static final class Workload {
        static final ControlPlane INSTANCE = start();

        private static ControlPlane start() {
            ControlPlane plane = ControlPlane.builder()
                    .etcd(ControlPlane.shared().etcd())
                    .authority(AUTHORITY)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(plane::close));
            return plane;
        }
    }
}
