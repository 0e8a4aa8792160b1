package dev.slipway.queue;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a work queue: runs a task now or later. */
public interface Workers extends AutoCloseable {

    /** Runs the task after the delay; never on the calling thread. */
    void execute(Runnable task, Duration delay);

    /** How much of the time by which delays pass has gone by; since when, does not matter. */
    Duration elapsed();

    /** Drops what has not started, and lets what runs end. */
    @Override
    void close();

    /** Real threads, a few, named, that do not keep the JVM alive. */
    static Workers threads(String name, int count) {
        AtomicInteger number = new AtomicInteger();
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(count, task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return new Workers() {
            @Override
            public void execute(Runnable task, Duration delay) {
                if (!pool.isShutdown()) {
                    var unused = pool.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                }
            }

            @Override
            public Duration elapsed() {
                // Not the wall clock: that one jumps, the pool's delays do not.
                return Duration.ofNanos(System.nanoTime());
            }

            @Override
            public void close() {
                pool.shutdown();
            }
        };
    }
}
