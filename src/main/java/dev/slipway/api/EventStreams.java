package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.api.EventStream.Interest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Tells those who listen what changes.
 *
 * <p>One thread looks at the fleet while somebody listens, compares it with what it saw before, and sends the difference: so it
 * does not matter which node, or who else, made the change. It looks as often as the fleet is computed anew, which takes a
 * tenth of the time at most.
 */
@Component
final class EventStreams implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(EventStreams.class);
    private static final Duration PACE = Duration.ofSeconds(1);
    /** Who was cut off connects again within it, and is told what changed meanwhile. */
    private static final Duration LINGER = Duration.ofSeconds(30);

    private static final Duration RECONNECT = Duration.ofSeconds(3);
    private static final Duration REVIEW = Duration.ofMinutes(1);
    private static final int MOST_CHANGES = 500;
    private static final int REMEMBERED = 120;

    private final FleetView fleet;
    private final ItemChanges items;
    private final EventSettings settings;
    private final Clock clock;
    private final ObjectMapper json;
    private final List<EventStream> streams = new CopyOnWriteArrayList<>();
    private final Deque<Step> steps = new ArrayDeque<>();
    private Map<String, ClusterInfo> known = Map.of();
    private String epoch = "";
    private long step;
    private Instant lastHeartbeat = Instant.EPOCH;
    private Instant lastListener = Instant.EPOCH;
    private boolean looking;
    private @Nullable ScheduledExecutorService executor;

    /** One look that found something: what a reader that was away has missed. */
    private record Step(long number, Set<String> changed, Set<String> gone) {}

    EventStreams(FleetView fleet, ItemChanges items, EventSettings settings, Clock clock, ObjectMapper mapper) {
        this.fleet = fleet;
        this.items = items;
        this.settings = settings;
        this.clock = clock;
        this.json = mapper.copy().setSerializationInclusion(JsonInclude.Include.NON_NULL);
    }

    /** There are too many streams. */
    static final class TooMany extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final boolean own;

        TooMany(boolean own, String message) {
            super(message);
            this.own = own;
        }

        /** Whether they are the user's own. */
        boolean own() {
            return own;
        }
    }

    /**
     * Makes sure that another stream may be opened.
     *
     * @throws TooMany if not
     */
    void requireRoom(Interest interest) {
        if (!isRunning() || streams.size() >= settings.total()) {
            throw new TooMany(false, "This node has as many streams open as it may");
        }
        long own = streams.stream()
                .filter(stream -> stream.interest().user().equals(interest.user()))
                .count();
        if (own >= settings.perUser()) {
            throw new TooMany(true, interest.user() + " has " + own + " streams open on this node, which is the limit");
        }
    }

    /** When a stream that is opened now is to end. */
    Instant ends() {
        return clock.instant().plus(settings.lifetime());
    }

    /** Begins a stream; from now on it is told what changes. */
    void add(EventStream stream, @Nullable String lastEventId) {
        synchronized (this) {
            ScheduledExecutorService running = executor;
            if (running == null) {
                stream.close();
                return;
            }
            lastListener = clock.instant();
            if (!looking) {
                looking = true;
                begin(running);
            }
            streams.add(stream);
            stream.retryAfter(RECONNECT);
            stream.send(id(), "hello", write(Map.of("at", clock.instant().toString())));
            if (lastEventId != null && !lastEventId.isBlank()) {
                catchUp(stream, lastEventId.strip());
            }
        }
        stream.open();
    }

    /** To be called when a stream has ended. */
    void remove(EventStream stream) {
        streams.remove(stream);
    }

    /** How many are open. */
    int open() {
        return streams.size();
    }

    private void begin(ScheduledExecutorService running) {
        epoch = UUID.randomUUID().toString().substring(0, 8);
        step = 0;
        steps.clear();
        items.take();
        known = FleetDiff.between(Map.of(), fleet.snapshot().clusters()).now();
        running.schedule(this::look, PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private String id() {
        return epoch + "-" + step;
    }

    /** A reader that was away for a moment hears what it missed; one that was away for long reads everything again. */
    private void catchUp(EventStream stream, String lastEventId) {
        Optional<Long> last = lastEventId.startsWith(epoch + "-")
                ? number(lastEventId.substring(epoch.length() + 1))
                : Optional.empty();
        boolean all = last.isPresent()
                && last.get() <= step
                && (last.get() == step || (!steps.isEmpty() && steps.getFirst().number() <= last.get() + 1));
        if (!all) {
            stream.send(id(), "reset", "{}");
            return;
        }
        Set<String> changed = new HashSet<>();
        Set<String> gone = new HashSet<>();
        steps.stream().filter(missed -> missed.number() > last.get()).forEach(missed -> {
            changed.addAll(missed.changed());
            gone.addAll(missed.gone());
        });
        gone.removeIf(known::containsKey);
        List<ClusterInfo> clusters = changed.stream()
                .map(known::get)
                .flatMap(cluster -> Optional.ofNullable(cluster).stream())
                .toList();
        tell(stream, clusters, changed, gone);
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private void look() {
        long started = System.nanoTime();
        try {
            lookOnce();
        } catch (RuntimeException e) {
            log.warn("Looking for changes again later", e);
        }
        synchronized (this) {
            ScheduledExecutorService running = executor;
            if (running == null) {
                return;
            }
            if (!streams.isEmpty()) {
                lastListener = clock.instant();
            }
            if (Duration.between(lastListener, clock.instant()).compareTo(LINGER) > 0) {
                looking = false;
                known = Map.of();
                return;
            }
            Duration next = Freshness.tenfold(Duration.ofNanos(System.nanoTime() - started), PACE);
            running.schedule(this::look, next.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void lookOnce() {
        // Not within the lock: it may take as long as a LIST.
        FleetView.Snapshot snapshot = fleet.snapshot();
        Map<String, String> changedItems = items.take();
        synchronized (this) {
            Instant now = clock.instant();
            FleetDiff diff = FleetDiff.between(known, snapshot.clusters());
            known = diff.now();
            if (!diff.isEmpty()) {
                remember(diff);
                streams.forEach(stream -> tell(stream, diff.changed(), diff.looked(), diff.gone()));
            }
            if (!changedItems.isEmpty()) {
                streams.forEach(stream -> tellItems(stream, changedItems));
            }
            if (Duration.between(lastHeartbeat, now).compareTo(settings.heartbeat()) >= 0) {
                lastHeartbeat = now;
                streams.forEach(stream -> stream.comment("alive"));
            }
            streams.stream()
                    .filter(stream -> !now.isBefore(stream.terms().ends()))
                    .forEach(EventStream::close);
        }
    }

    private void remember(FleetDiff diff) {
        step++;
        steps.addLast(new Step(step, diff.looked(), diff.gone()));
        if (steps.size() > REMEMBERED) {
            steps.removeFirst();
        }
    }

    private void tell(EventStream stream, List<ClusterInfo> changed, Set<String> looked, Set<String> gone) {
        Interest interest = stream.interest();
        String cluster = interest.cluster();
        if (cluster != null) {
            if (looked.contains(cluster) || gone.contains(cluster)) {
                int slash = cluster.indexOf('/');
                stream.send(
                        id(),
                        "cluster",
                        write(Map.of("namespace", cluster.substring(0, slash), "name", cluster.substring(slash + 1))));
            }
            return;
        }
        List<ClusterInfo> wanted = changed.stream()
                .filter(one -> interest.includes(one.namespace()))
                .toList();
        List<String> wantedGone = gone.stream()
                .filter(key -> interest.includes(key.substring(0, key.indexOf('/'))))
                .sorted()
                .toList();
        if (wanted.size() + wantedGone.size() > MOST_CHANGES) {
            stream.send(id(), "reset", "{}");
        } else if (!wanted.isEmpty() || !wantedGone.isEmpty()) {
            stream.send(id(), "clusters", write(new ClusterChanges(wanted, wantedGone, counts(interest))));
        }
    }

    private Map<String, Integer> counts(Interest interest) {
        return FleetQuery.of(interest.namespace()).counts(List.copyOf(known.values()));
    }

    private void tellItems(EventStream stream, Map<String, String> changed) {
        Interest interest = stream.interest();
        List<String> wanted = changed.entrySet().stream()
                .filter(item -> interest.includes(
                        item.getKey().substring(0, item.getKey().indexOf('/'))))
                .filter(item -> interest.cluster() == null || interest.cluster().equals(item.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        if (wanted.size() > MOST_CHANGES) {
            stream.send(id(), "reset", "{}");
        } else if (!wanted.isEmpty()) {
            stream.send(id(), "work-items", write(Map.of("changed", wanted)));
        }
    }

    /**
     * What changed in the fleet.
     *
     * @param changed as in the list
     * @param gone namespace/name
     * @param counts how many stand how now
     */
    record ClusterChanges(List<ClusterInfo> changed, List<String> gone, Map<String, Integer> counts) {}

    private String write(Object data) {
        try {
            return json.writeValueAsString(data);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("What lists show can be written", e);
        }
    }

    @Override
    public synchronized void start() {
        executor = Executors.newScheduledThreadPool(2, runnable -> {
            Thread thread = new Thread(runnable, "slipway-events");
            thread.setDaemon(true);
            return thread;
        });
        executor.scheduleWithFixedDelay(this::review, REVIEW.toMillis(), REVIEW.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes the streams of those who may not listen any more; on a thread of its own, since it asks for each. */
    private void review() {
        for (EventStream stream : streams) {
            try {
                if (!stream.terms().standing().holds()) {
                    stream.close();
                }
            } catch (RuntimeException e) {
                log.warn(
                        "Closing a stream: nobody can tell whether {} may listen",
                        stream.interest().user(),
                        e);
                stream.close();
            }
        }
    }

    @Override
    public void stop() {
        synchronized (this) {
            if (executor != null) {
                executor.shutdownNow();
                executor = null;
                looking = false;
            }
        }
        streams.forEach(EventStream::close);
    }

    @Override
    public synchronized boolean isRunning() {
        return executor != null;
    }

    /** Ends before the web server waits for requests to end. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
