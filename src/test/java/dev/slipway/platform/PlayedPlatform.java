package dev.slipway.platform;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ApiError;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A platform on an API server that had none: its kinds, and a controller that lets each new record run.
 *
 * <p>Closing it takes the kinds away again, with all their objects.
 */
public final class PlayedPlatform implements AutoCloseable {

    private static final String RECORDS = "/apis/" + PlatformApi.GROUP + "/v1/clusters";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int PACE_MILLIS = 200;

    private final JsonApi api;
    private final ScheduledExecutorService controller = Executors.newSingleThreadScheduledExecutor();
    private volatile boolean resting;

    private PlayedPlatform(ControlPlane plane) {
        this.api = plane.json();
    }

    /** Installs it, and waits until it is served. */
    public static PlayedPlatform install(ControlPlane plane) {
        plane.installCrds("classpath*:platform/crds/*.yaml");
        PlayedPlatform platform = new PlayedPlatform(plane);
        var unused =
                platform.controller.scheduleWithFixedDelay(platform::letRun, 0, PACE_MILLIS, TimeUnit.MILLISECONDS);
        return platform;
    }

    /** Whether its controller does nothing for now. */
    public void rest(boolean rest) {
        resting = rest;
    }

    private void letRun() {
        if (resting) {
            return;
        }
        try {
            for (ObjectNode record : api.list(RECORDS)) {
                String phase = record.at("/status/phase").asText();
                if (phase.isEmpty() || phase.equals("Initializing")) {
                    api.merge(
                            RECORDS + "/" + record.at("/metadata/name").asText() + "/status",
                            "{\"status\": {\"phase\": \"Running\"}}");
                }
            }
        } catch (ApiError | UncheckedIOException e) {
            // A record that has just gone; the next look is soon.
            return;
        }
    }

    @Override
    public void close() {
        controller.shutdownNow();
        List<String> kinds = List.of("clusters", "clustercredentials");
        kinds.forEach(kind -> api.delete(DEFINITIONS + kind + "." + PlatformApi.GROUP));
        await("the platform is gone").atMost(PATIENCE).until(() -> kinds.stream()
                .noneMatch(kind ->
                        api.get(DEFINITIONS + kind + "." + PlatformApi.GROUP).isPresent()));
    }
}
