package dev.slipway;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.faults.FaultInjector;
import dev.slipway.sandbox.SimulatedProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * The whole application on a real API server of its own, with the simulated provider playing Cluster API.
 *
 * <p>The one Spring context of the integration tests: subclasses add nothing to its configuration.
 */
@SpringBootTest(classes = Slipway.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
public abstract class WholeApplication {

    protected static final String PASSWORD = "only-in-tests";

    @DynamicPropertySource
    static void settings(DynamicPropertyRegistry settings) throws IOException {
        Path folder = Files.createTempDirectory("slipway-whole-");
        Path kubeconfig = faults().writeKubeconfig(folder.resolve("kubeconfig"));
        settings.add("slipway.kubernetes.kubeconfig", kubeconfig::toString);
        settings.add("slipway.data-directory", () -> folder.resolve("data").toString());
        settings.add("slipway.security.admin-password", () -> PASSWORD);
        // As in a pod: a proxy says what it terminates.
        settings.add("server.forward-headers-strategy", () -> "native");
        identityProvider().configure(settings);
        settings.add("slipway.node.id", () -> "whole-application");
        // As quick as it may be; nothing is imported where no platform is served.
        settings.add("slipway.events.heartbeat", () -> "1s");
        settings.add("slipway.import.drift", () -> "10s");
        settings.add("slipway.work-items.drift", () -> "5s");
    }

    /** The management cluster, with all resource definitions but the platform's: see {@link ImportIT}. */
    protected static ControlPlane management() {
        return Management.INSTANCE;
    }

    /** Stands between Slipway and the management cluster; a test clears what it has scripted. */
    protected static FaultInjector faults() {
        return Management.FAULTS;
    }

    /** Where people sign in who are no users of the engine. */
    protected static IdentityProvider identityProvider() {
        return People.PROVIDER;
    }

    /** Where the management cluster writes down each request to delete something. */
    protected static Path auditOfDeletes() {
        return Management.AUDIT;
    }

    private static final class People {
        static final IdentityProvider PROVIDER = IdentityProvider.start();
    }

    private static final class Management {
        static final Path AUDIT = auditLog();
        static final ControlPlane INSTANCE = start();
        static final FaultInjector FAULTS = FaultInjector.before(INSTANCE);

        /** Not the shared API server: objects of other tests there would start flows here. */
        private static ControlPlane start() {
            ControlPlane management = ControlPlane.builder()
                    .etcd(ControlPlane.shared().etcd())
                    .prefix("/whole-application")
                    .auditOfDeletes(AUDIT)
                    .start();
            management.installCrds();
            SimulatedProvider provider = SimulatedProvider.start(
                    management,
                    new SimulatedProvider.Options(
                            Duration.ZERO,
                            namespace -> true,
                            3,
                            line -> System.err.println("[simulated provider] " + line)));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                provider.close();
                management.close();
            }));
            return management;
        }

        private static Path auditLog() {
            try {
                return Files.createTempDirectory("slipway-audit-").resolve("deletes.log");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
