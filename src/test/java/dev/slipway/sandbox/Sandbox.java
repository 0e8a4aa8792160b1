package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.Slipway;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.ProjectFolder;
import dev.slipway.faults.FaultInjector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.core.io.ClassPathResource;

/**
 * Slipway with everything it needs to be tried: a management cluster, a simulated Cluster API, samples.
 *
 * <p>Needs no account and no container runtime, listens on loopback only, and leaves nothing running behind.
 */
public final class Sandbox {

    static final String PASSWORD = "slipway-sandbox";
    private static final String NAMESPACE = "default";
    private static final String STUCK_SCALE = "0.02";
    private static final String ORPHAN_AGE = "1m";
    private static final int FIRST_PORT = 8080;

    private final SandboxOptions options;
    private final SandboxFolder folder;
    private final long started = System.nanoTime();

    private Sandbox(SandboxOptions options, SandboxFolder folder) {
        this.options = options;
        this.folder = folder;
    }

    /** Starts the sandbox; it runs until the JVM ends. */
    public static void main(String[] arguments) throws InterruptedException {
        Sandbox sandbox;
        try {
            sandbox = new Sandbox(SandboxOptions.parse(arguments), SandboxFolder.open());
        } catch (IllegalArgumentException | IllegalStateException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        try {
            sandbox.run(sandbox.startManagement());
        } catch (ControlPlane.StartFailed e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        // Without Slipway no other thread would keep the JVM.
        new CountDownLatch(1).await();
    }

    private void run(ControlPlane management) {
        SimulatedProvider provider = SimulatedProvider.start(
                management,
                new SimulatedProvider.Options(
                        options.delay(),
                        namespace -> true,
                        options.maximumServers(),
                        line -> say("Simulated provider: " + line)));
        PlatformController platform =
                PlatformController.start(management.json(), line -> say("Platform's controller: " + line));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            platform.close();
                            provider.close();
                            management.close();
                        },
                        "close-sandbox"));
        SandboxCharts.serve(management.json(), NAMESPACE).ifPresent(Sandbox::say);
        Path kubeconfig = management.writeKubeconfig(folder.path().resolve("kubeconfig"));
        Path kubeconfigOfSlipway = startFaults(management).orElse(kubeconfig);
        if (options.onlyControlPlane()) {
            System.out.println(Banner.controlPlaneOnly(kubeconfig, arguments(kubeconfigOfSlipway, FIRST_PORT)));
            return;
        }
        int port = options.gives("server.port") ? 0 : freePort();
        long slipwayStarted = System.nanoTime();
        var slipway = SpringApplication.from(Slipway::main)
                .run(arguments(kubeconfigOfSlipway, port).toArray(String[]::new));
        say("Slipway is up after " + seconds(slipwayStarted));
        String actual = slipway.getApplicationContext().getEnvironment().getProperty("local.server.port", "" + port);
        System.out.println(Banner.everything(kubeconfig, Integer.parseInt(actual), options.sample()));
        if (options.sample()) {
            applySample(management);
        }
    }

    /** Puts the fault injector before the management API, if faults are wanted; people go past it. */
    private Optional<Path> startFaults(ControlPlane management) {
        if (options.faults().empty()) {
            return Optional.empty();
        }
        FaultInjector faults = FaultInjector.before(management);
        options.faults().startIn(faults);
        say("Slipway reaches the management cluster through the fault injector: " + faults.server());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> say("Faults: " + faults.injected()), "tell-faults"));
        return Optional.of(faults.writeKubeconfig(folder.path().resolve("kubeconfig-with-faults")));
    }

    private ControlPlane startManagement() {
        boolean controllers = options.controllers() && controllersAvailable();
        say("Starting the management cluster, Kubernetes " + ControlPlane.kubernetesVersion());
        ControlPlane management =
                ControlPlane.builder().controllers(controllers).start();
        say("The management cluster is up after " + seconds(started) + ": " + management.server());
        management.installCrds();
        management.installCrds("classpath*:platform/crds/*.yaml");
        management.json().applyYaml(resource("sandbox/cluster-class.yaml"), NAMESPACE);
        say("The kinds of Cluster API, of the platform and of Slipway are installed after " + seconds(started));
        return management;
    }

    /** The sandbox works without them; only deleted namespaces would stay. */
    private boolean controllersAvailable() {
        try {
            ControlPlane.prepareControllers();
            return true;
        } catch (ControlPlane.StartFailed e) {
            say(e.getMessage());
            say("Going on without kube-controller-manager: deleted namespaces will stay in Terminating");
            return false;
        }
    }

    private List<String> arguments(Path kubeconfig, int port) {
        List<String> arguments = new ArrayList<>(List.of(
                "--slipway.kubernetes.kubeconfig=" + kubeconfig,
                "--slipway.data-directory=" + folder.path().resolve("data"),
                "--slipway.security.admin-password=" + PASSWORD,
                "--slipway.phases.stuck-scale=" + STUCK_SCALE,
                "--slipway.import.orphan-age=" + ORPHAN_AGE,
                // The password is known to everybody: nobody from outside may try it.
                "--server.address=127.0.0.1"));
        if (port != 0) {
            arguments.add("--server.port=" + port);
        }
        arguments.addAll(options.forSlipway());
        return arguments;
    }

    private void applySample(ControlPlane management) {
        String yaml;
        try {
            yaml = Files.readString(ProjectFolder.resolve("deploy/samples/ready.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ObjectNode sample = management.json().applyYaml(yaml, NAMESPACE).get(0);
        long applied = System.nanoTime();
        String path = management.json().pathOf(sample, NAMESPACE);
        say("Applied deploy/samples/ready.yaml");
        Thread watcher = new Thread(() -> tellProgress(management, path, applied), "sandbox-progress");
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Says each phase of the sample, until it is Ready. */
    private void tellProgress(ControlPlane management, String path, long applied) {
        String last = "";
        while (true) {
            Optional<ObjectNode> cluster = management.json().get(path);
            if (cluster.isEmpty()) {
                return;
            }
            String phase =
                    cluster.get().path("status").path("flow").path("phase").asText();
            if (cluster.get().path("status").path("ready").asBoolean()) {
                say("The cluster \"ready\" is Ready " + seconds(applied) + " after it was applied, " + seconds(started)
                        + " after the start of the sandbox");
                return;
            }
            if (!phase.isEmpty() && !phase.equals(last)) {
                say("The cluster \"ready\": " + phase);
                last = phase;
            }
            try {
                Thread.sleep(Duration.ofMillis(200).toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** 8080 if nobody has it. */
    private static int freePort() {
        for (int port : new int[] {FIRST_PORT, 0}) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                say("Port " + port + " is taken: " + e.getMessage());
            }
        }
        throw new IllegalStateException("No free port on loopback");
    }

    private static String seconds(long since) {
        return "%.1f s".formatted((System.nanoTime() - since) / 1e9);
    }

    private static void say(String line) {
        System.out.println("[sandbox] " + line);
    }

    private static String resource(String path) {
        try {
            return new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
