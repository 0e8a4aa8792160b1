package dev.slipway.kubernetes;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the way to the management cluster.
 *
 * <p>In this order: the configured file, the first existing file of {@code KUBECONFIG}, {@code ~/.kube/config}, the
 * ServiceAccount of the pod.
 */
final class ManagementAccess {

    private static final Logger LOG = LoggerFactory.getLogger(ManagementAccess.class);
    private static final Path POD_TOKEN = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token");

    private final Map<String, String> environment;
    private final Path home;
    private final Path podToken;

    ManagementAccess(Map<String, String> environment, Path home, Path podToken) {
        this.environment = environment;
        this.home = home;
        this.podToken = podToken;
    }

    static ManagementAccess ofThisProcess() {
        return new ManagementAccess(System.getenv(), Path.of(System.getProperty("user.home", "")), POD_TOKEN);
    }

    /**
     * Makes a client of the management cluster. Makes no call.
     *
     * @param configured the configured kubeconfig; if given, nothing else is tried
     * @throws NoKubernetesAccessException if there is no way, saying which were tried
     */
    ApiClient client(@Nullable Path configured) {
        if (configured != null) {
            return ofFile(configured, "slipway.kubernetes.kubeconfig");
        }
        List<String> tried = new ArrayList<>();
        tried.add("slipway.kubernetes.kubeconfig is not set");
        Optional<Path> file = fromEnvironment(tried).or(() -> fromHome(tried));
        if (file.isPresent()) {
            return ofFile(file.get(), "kubeconfig");
        }
        return ofPod(tried);
    }

    private Optional<Path> fromEnvironment(List<String> tried) {
        String value = environment.getOrDefault("KUBECONFIG", "");
        if (value.isEmpty()) {
            tried.add("KUBECONFIG is not set");
            return Optional.empty();
        }
        for (String part : value.split(File.pathSeparator, -1)) {
            if (!part.isEmpty() && Files.isRegularFile(Path.of(part))) {
                return Optional.of(Path.of(part));
            }
        }
        tried.add("KUBECONFIG names no existing file (" + value + ")");
        return Optional.empty();
    }

    private Optional<Path> fromHome(List<String> tried) {
        Path file = home.resolve(".kube").resolve("config");
        if (Files.isRegularFile(file)) {
            return Optional.of(file);
        }
        tried.add(file + " does not exist");
        return Optional.empty();
    }

    private ApiClient ofPod(List<String> tried) {
        if (environment.containsKey("KUBERNETES_SERVICE_HOST") && Files.isRegularFile(podToken)) {
            try {
                return ClientBuilder.cluster().build();
            } catch (IOException | RuntimeException e) {
                throw new NoKubernetesAccessException(
                        "The ServiceAccount of the pod cannot be used: " + e.getMessage(), e);
            }
        }
        tried.add("this is no pod with a ServiceAccount token");
        throw new NoKubernetesAccessException(
                "No access to a management cluster: " + String.join("; ", tried) + ".", null);
    }

    private static ApiClient ofFile(Path file, String setting) {
        try (Reader reader = Files.newBufferedReader(file)) {
            KubeConfig config = KubeConfig.loadKubeConfig(reader);
            config.setFile(file.toFile());
            if (!config.verifySSL()) {
                throw new NoKubernetesAccessException(
                        "The " + setting + " " + file + " asks for insecure-skip-tls-verify: put the CA into it.",
                        null);
            }
            ApiClient client = ClientBuilder.kubeconfig(config).build();
            LOG.info(
                    "Using kubeconfig file={} context={} server={}",
                    file,
                    config.getCurrentContext(),
                    config.getServer());
            return client;
        } catch (NoKubernetesAccessException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new NoKubernetesAccessException(
                    "The " + setting + " " + file + " cannot be used: "
                            + e.getClass().getSimpleName() + ": " + e.getMessage(),
                    e);
        }
    }
}
