package dev.slipway.kernel;

import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls back when a wait is due, by the given clock and without the database.
 *
 * <p>Looks at the clock at least four times a second, so that a moved clock is noticed.
 */
final class RunnerClock implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RunnerClock.class);
    private static final long LONGEST_NAP_MILLIS = 250;

    private record Due(Instant at, String id) {}

    private final Clock clock;
    private final Consumer<String> onDue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparing(Due::at));
    private final Map<String, Due> current = new HashMap<>();
    private boolean frozen;
    private boolean closed;

    RunnerClock(Clock clock, Consumer<String> onDue) {
        this.clock = clock;
        this.onDue = onDue;
    }

    void start() {
        Thread started = new Thread(this::loop, "slipway-clock");
        started.setDaemon(true);
        started.start();
    }

    /** Sets, or moves, when a wait is due. */
    void schedule(String id, Instant at) {
        lock.lock();
        try {
            Due due = new Due(at, id);
            current.put(id, due);
            queue.add(due);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void cancel(String id) {
        lock.lock();
        try {
            current.remove(id);
        } finally {
            lock.unlock();
        }
    }

    /** Stops or resumes calling back; for tests and for drills. */
    void freeze(boolean frozen) {
        lock.lock();
        try {
            this.frozen = frozen;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void loop() {
        try {
            while (true) {
                String due = next();
                if (due == null) {
                    return;
                }
                onDue.accept(due);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable String next() throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                Due head = queue.peek();
                if (head != null && !head.equals(current.get(head.id()))) {
                    queue.remove();
                    continue;
                }
                long millis =
                        head == null || frozen ? LONGEST_NAP_MILLIS : head.at().toEpochMilli() - clock.millis();
                if (millis <= 0 && head != null) {
                    queue.remove();
                    current.remove(head.id());
                    return head.id();
                }
                nap(Math.min(millis, LONGEST_NAP_MILLIS));
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // a spurious wake-up only looks at the clock early
    private void nap(long millis) throws InterruptedException {
        long left = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        log.trace("Looking at the clock with {} ns to spare", left);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
