package dev.slipway.faults;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Knows which resource version the API server's store had when.
 *
 * <p>The server itself then tells the old state: it lists exactly that version, as long as etcd keeps it (5 min).
 */
final class Past {

    private static final Duration SAMPLE = Duration.ofMillis(250);
    private static final Duration KEPT = Duration.ofMinutes(4);

    private final Vertx vertx;
    private final Upstream upstream;
    private final Clock clock = Clock.systemUTC();
    private final Deque<Moment> moments = new ArrayDeque<>();
    private boolean remembering;

    Past(Vertx vertx, Upstream upstream) {
        this.vertx = vertx;
        this.upstream = upstream;
    }

    /** Reads of which an older state can be told: not continued lists, not those that name a version themselves. */
    static boolean canTell(ApiCall call) {
        boolean read = call.verb().equals("get") || call.verb().equals("list");
        return read
                && !call.resource().isEmpty()
                && call.subresource().isEmpty()
                && !call.has("continue")
                && !call.has("resourceVersion");
    }

    /** Begins to note versions. */
    synchronized void remember() {
        if (!remembering) {
            remembering = true;
            sample();
            vertx.setPeriodic(SAMPLE.toMillis(), id -> sample());
        }
    }

    /** The version of that long ago, or the oldest that is known; empty if none is known yet. */
    synchronized Optional<String> version(Duration age) {
        Instant then = clock.instant().minus(age);
        Moment found = moments.peekFirst();
        for (Moment moment : moments) {
            if (moment.at().isAfter(then)) {
                break;
            }
            found = moment;
        }
        return Optional.ofNullable(found).map(Moment::version);
    }

    private void sample() {
        upstream.client()
                .request(HttpMethod.GET, "/api/v1/namespaces?limit=1")
                .compose(request -> request.send())
                .compose(response -> response.body())
                .onSuccess(body -> Bodies.object(body)
                        .map(list ->
                                list.path("metadata").path("resourceVersion").asText())
                        .filter(version -> !version.isEmpty())
                        .ifPresent(this::note));
    }

    private synchronized void note(String version) {
        Instant now = clock.instant();
        moments.addLast(new Moment(now, version));
        while (moments.getFirst().at().isBefore(now.minus(KEPT))) {
            moments.removeFirst();
        }
    }

    private record Moment(Instant at, String version) {}
}
