package dev.slipway.api;

import dev.slipway.diagnosis.EventLog;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What controllers say about a cluster. */
@RestController
@Tag(name = "Clusters")
class ClusterEventsController {

    private static final int MOST = 500;

    private final ClusterResolver clusters;
    private final EventLog log;

    ClusterEventsController(ClusterResolver clusters, EventLog log) {
        this.clusters = clusters;
        this.log = log;
    }

    /**
     * An Event, which may stand for many of the same.
     *
     * @param at when it happened last
     * @param type Normal or Warning
     * @param reason UpperCamel
     * @param message the controller's words
     * @param object what it is about
     * @param count how often it happened
     * @param source which controller says it
     */
    @Schema(name = "ClusterEvent")
    record EventInfo(
            Instant at,
            @Schema(
                            example = "Warning",
                            allowableValues = {"Normal", "Warning"})
                    String type,
            @Schema(example = "FailedCreate") String reason,
            String message,
            @Schema(example = "Machine/c1-cp-0") String object,
            @Schema(example = "3") long count,
            @Schema(example = "slipway") @Nullable String source) {

        static EventInfo of(EventLog.Told told) {
            return new EventInfo(
                    told.at(),
                    told.warning() ? "Warning" : "Normal",
                    told.reason(),
                    told.message(),
                    told.kind() + "/" + told.name(),
                    told.count(),
                    told.source().isEmpty() ? null : told.source());
        }
    }

    /**
     * Events.
     *
     * @param items the newest first
     */
    @Schema(name = "ClusterEvents")
    record Page(@Schema(description = "The newest first, at most 500") List<EventInfo> items) {}

    @Operation(
            operationId = "listClusterEvents",
            summary = "List a cluster's Events",
            description = "The Kubernetes Events of the cluster's objects, machines included, live; as long as the API"
                    + " server keeps them.")
    @ApiResponse(responseCode = "200", description = "The Events")
    @ApiResponse(responseCode = "404", description = "There is no such cluster", content = @Content)
    @GetMapping(path = "/api/v1/clusters/{namespace}/{name}/events", produces = MediaType.APPLICATION_JSON_VALUE)
    Page list(@PathVariable String namespace, @PathVariable String name) {
        return new Page(log.of(clusters.resolve(namespace, name).ref()).stream()
                .limit(MOST)
                .map(EventInfo::of)
                .toList());
    }
}
