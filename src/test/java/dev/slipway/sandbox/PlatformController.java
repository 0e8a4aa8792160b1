package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ApiError;
import dev.slipway.controlplane.JsonApi;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Plays the platform's controller: tries the credential of each imported cluster, and says what came of it.
 *
 * <p>Does nothing where the platform's kinds are not served.
 */
final class PlatformController implements AutoCloseable {

    private static final String CLUSTERS = "/apis/platform.tkestack.io/v1/clusters";
    private static final String CREDENTIALS = "/apis/platform.tkestack.io/v1/clustercredentials/";
    private static final String RUNNING = "Running";
    private static final int UNAUTHORIZED = 401;
    private static final int PACE_SECONDS = 2;

    private final JsonApi api;
    private final Clock clock = Clock.systemUTC();
    private final Consumer<String> report;
    private final ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "platform-controller");
        thread.setDaemon(true);
        return thread;
    });

    private PlatformController(JsonApi api, Consumer<String> report) {
        this.api = api;
        this.report = report;
    }

    /** Starts playing; problems are reported, a line each. */
    static PlatformController start(JsonApi api, Consumer<String> report) {
        PlatformController controller = new PlatformController(api, report);
        var unused = controller.schedule.scheduleWithFixedDelay(controller::run, 0, PACE_SECONDS, TimeUnit.SECONDS);
        return controller;
    }

    /** Looks once at each cluster that is not running yet. */
    private void run() {
        try {
            api.get(CLUSTERS).ifPresent(clusters -> clusters.path("items").forEach(this::look));
        } catch (ApiError | UncheckedIOException e) {
            report.accept("Looks at platform clusters later: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        schedule.shutdownNow();
    }

    private void look(JsonNode cluster) {
        JsonNode address = cluster.path("status").path("addresses").path(0);
        String credential = cluster.at("/spec/clusterCredentialRef/name").asText();
        if (RUNNING.equals(cluster.at("/status/phase").asText()) || address.isMissingNode() || credential.isEmpty()) {
            return;
        }
        String problem = api.get(CREDENTIALS + credential)
                .map(found -> problem(address, found))
                .orElse("ClusterCredential " + credential + " not found");
        String before = cluster.at("/status/conditions/0/message").asText("none");
        if (!problem.equals(before)) {
            api.merge(CLUSTERS + "/" + cluster.at("/metadata/name").asText() + "/status", status(problem));
        }
    }

    private static String problem(JsonNode address, JsonNode credential) {
        try {
            String ca = credential.path("caCert").asText();
            new CoreV1Api(new ClientBuilder()
                            .setBasePath("https://" + address.path("host").asText() + ":"
                                    + address.path("port").asInt())
                            .setCertificateAuthority(Base64.getDecoder().decode(ca))
                            .setAuthentication(new AccessTokenAuthentication(
                                    credential.path("token").asText()))
                            .build())
                    .readNamespace("kube-system")
                    .execute();
            return "";
        } catch (ApiException e) {
            return switch (e.getCode()) {
                case 0 -> "the cluster does not answer";
                case UNAUTHORIZED -> "Unauthorized";
                default -> "the cluster answers " + e.getCode();
            };
        }
    }

    private ObjectNode status(String problem) {
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode status = patch.putObject("status");
        if (problem.isEmpty()) {
            status.put("phase", RUNNING);
        }
        status.putArray("conditions")
                .addObject()
                .put("type", "HealthCheck")
                .put("status", problem.isEmpty() ? "True" : "False")
                .put("lastProbeTime", now)
                .put("lastTransitionTime", now)
                .put("reason", problem.isEmpty() ? "" : "HealthCheckFailed")
                .put("message", problem);
        return patch;
    }
}
