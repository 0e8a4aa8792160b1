package dev.slipway.queue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs work per key: coalesced, one at a time per key, retried until it succeeds.
 *
 * <ul>
 *   <li>Adding never blocks and never runs the work on the caller's thread.
 *   <li>A key added while its work runs is run once more afterwards; added ten times while it waits, it is run once.
 *   <li>Work that throws is run again after a back-off; a new add runs it at once.
 * </ul>
 *
 * @param <K> what the work is about; compared by equals
 */
public final class WorkQueue<K> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

    private final String name;
    private final Workers workers;
    private final Backoff backoff;
    private final Work<K> work;
    private final Map<K, Entry> entries = new HashMap<>();
    private boolean closed;

    /** Does the work for one key. */
    @FunctionalInterface
    public interface Work<K> {

        /**
         * Does it once.
         *
         * @return when to do it again without being asked; empty for not at all
         * @throws Exception to be run again after the back-off
         */
        Optional<Duration> run(K key) throws Exception;
    }

    /** What is known about a key; guarded by the queue's monitor. */
    private static final class Entry {
        private boolean running;
        private int failures;
        private long ticket;
        private @Nullable Duration due;
    }

    /**
     * Makes a queue.
     *
     * @param name stands in log lines
     * @param workers the threads; closed with the queue
     * @param backoff the waits after failures
     * @param work what to do
     */
    public WorkQueue(String name, Workers workers, Backoff backoff, Work<K> work) {
        this.name = name;
        this.workers = workers;
        this.backoff = backoff;
        this.work = work;
    }

    /** Runs the work for that key as soon as possible. */
    public void add(K key) {
        addAfter(key, Duration.ZERO);
    }

    /** Runs the work for that key after the delay, or earlier if it is due earlier. */
    public synchronized void addAfter(K key, Duration delay) {
        if (closed) {
            return;
        }
        Entry entry = entries.computeIfAbsent(key, k -> new Entry());
        Duration due = workers.elapsed().plus(delay);
        if (entry.due != null && due.compareTo(entry.due) >= 0) {
            return;
        }
        entry.due = due;
        if (!entry.running) {
            schedule(key, entry, delay);
        }
    }

    /** How many keys wait or run. */
    public synchronized int size() {
        return entries.size();
    }

    /** Stops: nothing more is started. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            entries.clear();
        }
        workers.close();
    }

    private void schedule(K key, Entry entry, Duration delay) {
        // An earlier due date replaces a later one: the older ticket is then void.
        long ticket = ++entry.ticket;
        workers.execute(() -> run(key, entry, ticket), delay);
    }

    private void run(K key, Entry entry, long ticket) {
        synchronized (this) {
            if (closed || entry.running || entry.ticket != ticket) {
                return;
            }
            entry.running = true;
            entry.due = null;
        }
        Optional<Duration> again = Optional.empty();
        Throwable failure = null;
        try {
            again = work.run(key);
        } catch (Exception | LinkageError | AssertionError e) {
            failure = e;
        }
        ended(key, entry, again, failure);
    }

    private synchronized void ended(K key, Entry entry, Optional<Duration> again, @Nullable Throwable failure) {
        entry.running = false;
        if (closed) {
            return;
        }
        Duration now = workers.elapsed();
        Duration next = again.map(now::plus).orElse(null);
        if (failure == null) {
            entry.failures = 0;
        } else {
            entry.failures++;
            Duration wait = backoff.after(entry.failures);
            next = now.plus(wait);
            report(key, entry.failures, wait, failure);
        }
        if (entry.due == null || (next != null && next.compareTo(entry.due) < 0)) {
            entry.due = next;
        }
        if (entry.due == null) {
            entries.remove(key);
        } else {
            Duration delay = entry.due.minus(now);
            schedule(key, entry, delay.isNegative() ? Duration.ZERO : delay);
        }
    }

    private void report(K key, int failures, Duration wait, Throwable failure) {
        // One failure is often a race that the next try wins; an outage of hours must not fill the disk.
        boolean loud = failures == 3 || failures % 10 == 0;
        LOG.atLevel(loud ? Level.WARN : Level.DEBUG)
                .setCause(loud ? null : failure)
                .log(
                        "{} failed for {} ({} in a row), trying again in {}: {}",
                        name,
                        key,
                        failures,
                        wait,
                        describe(failure));
    }

    private static String describe(Throwable failure) {
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }
}
