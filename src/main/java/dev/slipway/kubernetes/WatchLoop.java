package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.phase.Failure;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists one kind, then hears of its changes, for ever; comes back by itself whatever breaks.
 *
 * <p>Keeps no objects: what it remembers says whether something changed, not what it is.
 */
final class WatchLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(WatchLoop.class);
    /** After so many failures in a row nothing that was known is relied on. */
    private static final int FAILURES_BEFORE_LIST = 3;

    private static final Duration SHORT_LIVED = Duration.ofSeconds(1);

    private final WatchTarget target;
    private final String namespace;
    private final WatchSource source;
    private final WatchListener listener;
    private final Clock clock;
    private final SeenObjects objects;
    private final Operation operation;
    private final CountDownLatch stop = new CountDownLatch(1);

    private volatile @Nullable Call current;
    private volatile WatchHealth health;
    private String resourceVersion = "";
    private final Backoff backoff = new Backoff();

    WatchLoop(WatchTarget target, String namespace, WatchSource source, WatchListener listener, Clock clock) {
        this.target = target;
        this.namespace = namespace;
        this.source = source;
        this.listener = listener;
        this.clock = clock;
        this.objects = new SeenObjects(target);
        this.operation = new Operation("watch", null, namespace, target.display());
        this.health = WatchHealth.starting(target.display(), namespace);
    }

    WatchHealth health() {
        return health;
    }

    /** Ends the loop soon; may be called from any thread, again too. */
    void stop() {
        stop.countDown();
        Call call = current;
        if (call != null) {
            call.cancel();
        }
    }

    @Override
    public void run() {
        while (!stopping()) {
            try {
                round();
            } catch (Failure e) {
                broken(e.code(), e.message(), e.retryAfter().orElse(Duration.ZERO));
            } catch (RuntimeException e) {
                LOG.error("Watching {} met a bug", target.display(), e);
                resourceVersion = "";
                broken("Bug", String.valueOf(e.getMessage()), Duration.ZERO);
            }
        }
        health = health.now(WatchHealth.State.STOPPED);
    }

    private void round() {
        Optional<ResourceType> type = source.discovery().find(target.group(), target.kind());
        if (type.isEmpty()) {
            absent();
            return;
        }
        try {
            if (resourceVersion.isEmpty()) {
                list(type.get());
            }
            watch(type.get());
        } catch (Failure e) {
            if (CallError.OBJECT_ABSENT.is(e)) {
                source.discovery().forget(type.get());
                absent();
                return;
            }
            forgetPlace(e);
            throw e;
        }
    }

    /** A place in the server's history is kept over breaks of the connection, not over refusals of that place. */
    private void forgetPlace(Failure e) {
        boolean overload = CallError.TOO_MANY_REQUESTS.is(e) || CallError.SERVER_ERROR.is(e);
        boolean connection = CallError.API_UNREACHABLE.is(e) || CallError.API_TIMEOUT.is(e);
        if (!connection && (!overload || backoff.failures() >= FAILURES_BEFORE_LIST)) {
            resourceVersion = "";
        }
    }

    private void absent() {
        if (health.state() != WatchHealth.State.KIND_ABSENT) {
            LOG.warn("Waiting for the kind to be installed kind={}", target.display());
        }
        resourceVersion = "";
        forget(objects.retain(Set.of()), new LinkedHashSet<>());
        health = health.knows(0).now(WatchHealth.State.KIND_ABSENT);
        pause(source.settings().discoveryInterval().toMillis());
    }

    private void list(ResourceType type) {
        Set<String> keys = new HashSet<>();
        Set<ClusterName> changed = new LinkedHashSet<>();
        RestRequest first = target.request(type, namespace, false)
                .with("limit", Integer.toString(CallSettings.DEFAULTS.pageSize()));
        String next = "";
        String version;
        do {
            Answer answer = source.rest().succeed(operation, next.isEmpty() ? first : first.with("continue", next));
            ObjectNode page = source.rest().object(operation, answer);
            for (JsonNode item : page.path("items")) {
                KubeObject object = new KubeObject((ObjectNode) item);
                keys.add(SeenObjects.key(object));
                arrived(object, changed);
                listener.seen(object);
            }
            next = page.path("metadata").path("continue").asText("");
            version = page.path("metadata").path("resourceVersion").asText("");
        } while (!next.isEmpty());
        forget(objects.retain(keys), changed);
        resourceVersion = version;
        health = health.knows(objects.size()).listed(clock.instant());
        wake(changed);
    }

    private void watch(ResourceType type) {
        RestRequest request = target.request(type, namespace, true)
                .with("watch", "true")
                .with("allowWatchBookmarks", "true")
                .with("timeoutSeconds", Long.toString(source.timeoutSeconds()))
                .with("resourceVersion", resourceVersion);
        Call call = source.rest().newCall(source.http(), request);
        current = call;
        Instant opened = clock.instant();
        // A stop that came before the call was known could not cancel it.
        if (stopping()) {
            return;
        }
        try (Response response = RestClient.execute(call)) {
            if (!response.isSuccessful()) {
                Answer answer = new Answer(
                        response.code(), response.headers(), response.body().string());
                throw source.rest().errors().refused(operation, answer);
            }
            if (backoff.failures() > 1) {
                LOG.info("Watching {} works again", target.display());
            }
            health = health.now(WatchHealth.State.WATCHING);
            follow(response.body().source());
        } catch (IOException e) {
            if (!stopping()) {
                throw source.rest()
                        .errors()
                        .unanswered(operation, URI.create(source.rest().server()), e);
            }
        } finally {
            current = null;
        }
        ended(opened);
    }

    /** The server ends each watch after its time; one that ends at once, again and again, is a fault. */
    private void ended(Instant opened) {
        if (Duration.between(opened, clock.instant()).compareTo(SHORT_LIVED) > 0) {
            backoff.reset();
        } else {
            pause(backoff.next());
        }
    }

    private void follow(BufferedSource lines) throws IOException {
        String line = lines.readUtf8Line();
        while (line != null && !stopping()) {
            JsonNode event = Json.parse(line);
            if (!(event.path("object") instanceof ObjectNode json)) {
                throw new IOException("The watch sent something that is no event");
            }
            handle(event.path("type").asText(), json);
            line = lines.readUtf8Line();
        }
    }

    private void handle(String type, ObjectNode json) {
        if (type.equals("ERROR")) {
            Answer answer =
                    new Answer(json.path("code").asInt(500), new okhttp3.Headers.Builder().build(), json.toString());
            throw source.rest().errors().refused(operation, answer);
        }
        backoff.reset();
        KubeObject object = new KubeObject(json);
        resourceVersion = object.resourceVersion();
        if (type.equals("BOOKMARK")) {
            health = health.bookmark(clock.instant());
            return;
        }
        health = health.event(clock.instant());
        Set<ClusterName> changed = new LinkedHashSet<>();
        if (type.equals("DELETED")) {
            objects.remove(object).ifPresent(seen -> departed(seen, changed));
            wake(changed);
        } else {
            SeenObjects.Change change = arrived(object, changed);
            // Waking first: a listener may take longer.
            wake(changed);
            if (!change.echo()) {
                listener.seen(object);
            }
        }
        health = health.knows(objects.size());
    }

    private SeenObjects.Change arrived(KubeObject object, Set<ClusterName> changed) {
        SeenObjects.Change change = objects.put(object);
        change.replaced().ifPresent(old -> departed(old, changed));
        if (change.essential()) {
            note(change.now(), changed);
            // The label may have moved it from another cluster.
            change.previous().ifPresent(old -> note(old, changed));
        }
        return change;
    }

    private void forget(Iterable<SeenObjects.Seen> gone, Set<ClusterName> changed) {
        gone.forEach(object -> departed(object, changed));
    }

    private void departed(SeenObjects.Seen object, Set<ClusterName> changed) {
        note(object, changed);
        listener.gone(object);
    }

    private static void note(SeenObjects.Seen object, Set<ClusterName> changed) {
        if (!object.cluster().isEmpty()) {
            changed.add(new ClusterName(object.namespace(), object.cluster()));
        }
    }

    private void wake(Set<ClusterName> changed) {
        changed.forEach(cluster -> listener.changed(cluster.namespace(), cluster.name()));
    }

    private void broken(String code, String message, Duration retryAfter) {
        if (stopping()) {
            return;
        }
        health = health.broke(code);
        long pause = Math.max(backoff.next(), Math.min(retryAfter.toMillis(), Backoff.LONGEST_MILLIS));
        if (backoff.failures() == 1) {
            LOG.info("Watching {} again soon, it broke code={} pauseMillis={}", target.display(), code, pause);
        } else {
            LOG.warn(
                    "Watching {} again later, it broke failures={} message={}",
                    target.display(),
                    backoff.failures(),
                    message);
        }
        pause(pause);
    }

    private boolean stopping() {
        return stop.getCount() == 0;
    }

    private void pause(long millis) {
        try {
            if (stop.await(millis, TimeUnit.MILLISECONDS)) {
                LOG.debug("Ending the watch of {}", target.display());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop.countDown();
        }
    }

    private record ClusterName(String namespace, String name) {}
}
