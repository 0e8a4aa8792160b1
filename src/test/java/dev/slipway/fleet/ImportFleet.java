package dev.slipway.fleet;

import dev.slipway.SlipwayProcess;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.controlplane.Kubeconfig;
import dev.slipway.controlplane.Pki;
import dev.slipway.faults.TlsFronts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/**
 * Imports a fleet of which some clusters never answer, and prints how long the others took.
 *
 * <p>The management cluster is a real API server. The workload clusters are one real API server behind a TLS front for each,
 * which gives it an identity of its own and answers 50 ms late. The dead ones accept connections and say nothing.
 *
 * <p>Arguments: number of clusters, how many of them are dead; 300 and 10 by default.
 */
public final class ImportFleet {

    private static final Duration DELAY = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final String CLUSTERS = "/apis/cluster.x-k8s.io/v1beta2/namespaces/";

    private final JsonApi api;
    private final String namespace;

    private ImportFleet(ControlPlane management) {
        this.api = management.json();
        this.namespace = management.newNamespace("fleet");
    }

    /** Runs it; ends with 1 if not all living clusters were imported. */
    public static void main(String[] arguments) throws Exception {
        int clusters = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 300;
        int dead = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
        Path folder = Path.of("target", "fleet").toAbsolutePath();
        FileSystemUtils.deleteRecursively(folder);
        Files.createDirectories(folder);
        boolean complete;
        try (ControlPlane management = ControlPlane.builder().start();
                ControlPlane workload = ControlPlane.builder()
                        .etcd(management.etcd())
                        .prefix("/workloads")
                        .controllers(true)
                        .start();
                TlsFronts fronts = TlsFronts.before(workload);
                ServerSocket silent = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress())) {
            management.installCrds();
            management.installCrds("classpath*:platform/crds/*.yaml");
            complete = new ImportFleet(management)
                    .run(
                            clusters,
                            dead,
                            fronts,
                            silent.getLocalPort(),
                            management.writeKubeconfig(folder.resolve("kubeconfig")));
        }
        System.exit(complete ? 0 : 1);
    }

    private boolean run(int clusters, int dead, TlsFronts fronts, int silent, Path kubeconfig) throws Exception {
        Pki.Pem authority = Pki.authority("fleet");
        Pki.Pem admin = Pki.client(authority, "fleet-admin", "");
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < clusters; i++) {
            // Spread, so that dead ones come first, last and in between.
            boolean alive = dead == 0 || i % (clusters / dead) != 0 || i / (clusters / dead) >= dead;
            ports.add(
                    alive
                            ? fronts.open(authority, UUID.randomUUID().toString(), DELAY)
                                    .port()
                            : silent);
        }
        for (int i = 0; i < clusters; i++) {
            create("c%03d".formatted(i), ports.get(i), authority, admin);
        }
        System.out.println("[fleet] " + clusters + " Clusters are provisioned, " + dead + " of them do not answer");
        try (SlipwayProcess slipway =
                SlipwayProcess.launch(kubeconfig.getParent(), kubeconfig, List.of("slipway.import.network=false"))) {
            slipway.awaitAnswer();
            Duration start = slipway.processorTime();
            boolean complete = watch(clusters - dead, slipway);
            System.out.println("[fleet] processor time of Slipway: "
                    + slipway.processorTime().minus(start).toSeconds() + " s, after " + start.toSeconds()
                    + " s for its start; most memory: " + slipway.peakMemory());
            return complete;
        }
    }

    private boolean watch(int expected, SlipwayProcess slipway) throws InterruptedException {
        long begun = System.nanoTime();
        CountDownLatch never = new CountDownLatch(1);
        int shown = -1;
        while (System.nanoTime() - begun < PATIENCE.toNanos() && slipway.alive()) {
            int imported = imported();
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            if (imported / 50 != shown / 50 || imported == expected) {
                System.out.println("[fleet] " + imported + " of " + expected + " are imported after " + seconds + " s");
                shown = imported;
            }
            if (imported >= expected) {
                return imported == expected;
            }
            if (never.await(500, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("Nobody counts it down");
            }
        }
        return false;
    }

    private int imported() {
        return (int) api.list(CLUSTERS + namespace + "/clusters").stream()
                .filter(cluster -> cluster.at("/metadata/labels").has("capi.cpaas.io/imported"))
                .count();
    }

    private void create(String name, int port, Pki.Pem authority, Pki.Pem admin) throws IOException {
        api.applyYaml(
                """
                apiVersion: v1
                kind: Secret
                metadata: {name: %1$s-kubeconfig, labels: {cluster.x-k8s.io/cluster-name: %1$s}}
                type: cluster.x-k8s.io/secret
                data: {value: %2$s}
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: %1$s}
                spec:
                  controlPlaneEndpoint: {host: 127.0.0.1, port: %3$d}
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: %1$s}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: SandboxCluster, name: %1$s}
                """
                        .formatted(
                                name,
                                base64(Kubeconfig.of(
                                        name, "https://127.0.0.1:" + port, authority.certificate(), admin)),
                                port),
                namespace);
        api.merge(
                CLUSTERS + namespace + "/clusters/" + name + "/status",
                """
                {"status": {"phase": "Provisioned",
                  "initialization": {"infrastructureProvisioned": true, "controlPlaneInitialized": true}}}
                """);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
