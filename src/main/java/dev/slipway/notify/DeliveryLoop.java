package dev.slipway.notify;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The one thread that delivers: when woken after a commit, and by the clock.
 *
 * <p>Looks at the clock four times a second, so that a moved clock is noticed, and at the database when something is due
 * and every ten seconds.
 */
final class DeliveryLoop implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(DeliveryLoop.class);
    private static final long LONGEST_NAP_MILLIS = 250;
    private static final Duration WITHOUT_DATABASE = Duration.ofSeconds(2);

    private final Courier courier;
    private final Clock clock;
    private final Duration longestAttempt;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable ExecutorService thread;
    private boolean woken;
    private boolean stopping;

    DeliveryLoop(Courier courier, Clock clock, Duration longestAttempt) {
        this.courier = courier;
        this.clock = clock;
        this.longestAttempt = longestAttempt;
    }

    @Override
    public void start() {
        ExecutorService started = Executors.newSingleThreadExecutor(task -> {
            Thread own = new Thread(task, "slipway-notify");
            own.setDaemon(true);
            return own;
        });
        lock.lock();
        try {
            stopping = false;
            thread = started;
        } finally {
            lock.unlock();
        }
        started.execute(this::loop);
    }

    /** Says that something was written that is due now. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void loop() {
        boolean healthy = true;
        Instant next = Instant.MIN;
        try {
            while (awaitUntil(next)) {
                try {
                    next = courier.work();
                    healthy = true;
                } catch (RuntimeException e) {
                    if (healthy) {
                        log.warn("Not delivering notifications for the moment", e);
                    }
                    healthy = false;
                    next = clock.instant().plus(WITHOUT_DATABASE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False once it shall stop. */
    private boolean awaitUntil(Instant next) throws InterruptedException {
        lock.lock();
        try {
            while (!stopping && !woken && clock.instant().isBefore(next)) {
                long left = Duration.between(clock.instant(), next).toMillis() + 1;
                nap(Math.min(left, LONGEST_NAP_MILLIS));
            }
            woken = false;
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller loops; a spurious wake-up only looks at the clock early
    private void nap(long millis) throws InterruptedException {
        long left = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        log.trace("Looking at the clock with {} ns to spare", left);
    }

    /** Lets an attempt that is under way end: what is interrupted may have been delivered. */
    @Override
    public void stop() {
        ExecutorService started;
        lock.lock();
        try {
            stopping = true;
            changed.signal();
            started = thread;
            thread = null;
        } finally {
            lock.unlock();
        }
        if (started == null) {
            return;
        }
        started.shutdown();
        try {
            if (!started.awaitTermination(longestAttempt.toMillis(), TimeUnit.MILLISECONDS)) {
                started.shutdownNow();
            }
        } catch (InterruptedException e) {
            started.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        lock.lock();
        try {
            return thread != null;
        } finally {
            lock.unlock();
        }
    }
}
