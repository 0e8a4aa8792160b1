package dev.slipway.api;

import dev.slipway.api.EventStream.Interest;
import dev.slipway.security.Action;
import dev.slipway.security.Standing;
import dev.slipway.security.Standings;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Live changes, as server-sent events. */
@RestController
@Tag(name = "Events", description = "Live changes, as server-sent events")
class EventsController {

    static final String PATH = "/api/v1/events";

    private static final Pattern CLUSTER = Pattern.compile("[a-z0-9][-.a-z0-9]{0,252}/[a-z0-9][-.a-z0-9]{0,252}");

    private final EventStreams streams;
    private final Standings standings;

    EventsController(EventStreams streams, Standings standings) {
        this.streams = streams;
        this.standings = standings;
    }

    @Operation(
            operationId = "listen",
            summary = "Listen to changes",
            description =
                    "hello comes first: read the lists after it. clusters: what changed, as in the list. cluster: with"
                            + " ?cluster=, read its details again. work-items: these changed. reset: too much changed, or the"
                            + " Last-Event-ID is not known here; read everything again. A comment every 15 seconds shows that the"
                            + " connection lives. A stream ends after some minutes: connect again.")
    @ApiResponse(
            responseCode = "200",
            description = "The stream",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(type = "string"),
                            examples =
                                    @ExampleObject(
                                            """
                    id: 5f1c2a90-0
                    event: hello
                    data: {"at":"2026-01-01T11:00:00Z"}

                    id: 5f1c2a90-1
                    event: clusters
                    data: {"changed":[],"gone":["demo/c1"],"counts":{"Ready":97}}

                    """)))
    @GetMapping(path = PATH, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void listen(
            @Parameter(description = "Only of this namespace", example = "demo")
                    @RequestParam(required = false)
                    @Nullable
                    String namespace,
            @Parameter(
                            description = "Only of this cluster, namespace/name",
                            example = "demo/c1",
                            schema =
                                    @Schema(
                                            type = "string",
                                            pattern = "^[a-z0-9][-.a-z0-9]{0,252}/[a-z0-9][-.a-z0-9]{0,252}$"))
                    @RequestParam(required = false)
                    @Nullable
                    String cluster,
            @Parameter(description = "The last event that was received before the connection broke off")
                    @RequestHeader(name = "Last-Event-ID", required = false)
                    @Nullable
                    String lastEventId,
            @Parameter(hidden = true) Principal user,
            @Parameter(hidden = true) HttpServletRequest request,
            @Parameter(hidden = true) HttpServletResponse response)
            throws IOException {
        Interest interest = new Interest(user.getName(), Params.text(namespace), cluster(cluster));
        try {
            streams.requireRoom(interest);
        } catch (EventStreams.TooMany e) {
            throw new ApiProblem(
                            e.own() ? HttpStatus.TOO_MANY_REQUESTS : HttpStatus.SERVICE_UNAVAILABLE,
                            "TooManyStreams",
                            String.valueOf(e.getMessage()))
                    .remedy(e.own() ? "Close one, or raise slipway.events.per-user" : "Ask again in some seconds");
        }
        Standing standing = standing(request, interest);
        response.setStatus(HttpStatus.OK.value());
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding("UTF-8");
        // Proxies that collect answers would hold back each event.
        response.setHeader("X-Accel-Buffering", "no");
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        streams.add(
                new EventStream(async, interest, new EventStream.Terms(streams.ends(), standing), streams::remove),
                lastEventId);
    }

    private Standing standing(HttpServletRequest request, Interest interest) {
        String cluster = interest.cluster();
        if (cluster == null) {
            String namespace = interest.namespace();
            return standings.of(request, Action.READ, namespace == null ? "" : namespace, "");
        }
        int slash = cluster.indexOf('/');
        return standings.of(request, Action.READ, cluster.substring(0, slash), cluster.substring(slash + 1));
    }

    private static @Nullable String cluster(@Nullable String given) {
        String text = Params.text(given);
        if (text != null && !CLUSTER.matcher(text).matches()) {
            throw new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "\"" + text + "\" names no cluster")
                    .field("cluster")
                    .remedy("Write it as namespace/name");
        }
        return text;
    }
}
