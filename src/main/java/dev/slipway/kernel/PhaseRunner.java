package dev.slipway.kernel;

import dev.slipway.kubernetes.ClusterWakeup;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs phases outside of the engine, on its own threads and without a database connection.
 *
 * <p>Three things drive a wait, each sufficient alone: a watch event, the requeue boundary timer (it brings the token
 * back to the task, which asks for a run), and the runner's clock. A phase never runs twice at a time; whatever asks
 * while it runs makes it run once more. Phases whose last run was slow share threads of their own, so that dead clusters cannot
 * hold up the others.
 */
final class PhaseRunner implements ClusterWakeup, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PhaseRunner.class);
    private static final Duration EVENT_SPACING = Duration.ofMillis(200);
    private static final Duration REPEAT_AFTER_FAULT = Duration.ofSeconds(2);
    private static final int FLUSH_BATCH = 100;

    private final PhaseCall calls;
    private final PhaseTokens tokens;
    private final RetryPolicy policy;
    private final KernelSettings settings;
    private final KernelProperties properties;
    private final MeterRegistry meters;
    private final RetryCounts retries;
    private final RunnerClock clock;
    private final Map<String, Wait> waits = new ConcurrentHashMap<>();
    private final ExecutorService quick;
    private final ExecutorService slow;
    private final ScheduledExecutorService scheduler;
    private volatile boolean closed;

    PhaseRunner(
            PhaseCall calls,
            PhaseTokens tokens,
            RetryPolicy policy,
            KernelSettings settings,
            KernelProperties properties,
            MeterRegistry meters,
            RetryCounts retries) {
        this.calls = calls;
        this.tokens = tokens;
        this.policy = policy;
        this.settings = settings;
        this.properties = properties;
        this.meters = meters;
        this.retries = retries;
        this.clock = new RunnerClock(settings.clock(), this::due);
        this.quick = Executors.newFixedThreadPool(properties.threads(), named("slipway-phase-"));
        this.slow = Executors.newFixedThreadPool(properties.threads(), named("slipway-slow-"));
        this.scheduler = Executors.newScheduledThreadPool(1, named("slipway-pace-"));
        settings.countWaitsWith(waits::size);
        meters.gaugeMapSize("slipway.phase.waits", List.of(), waits);
    }

    void start() {
        clock.start();
        scheduler.scheduleWithFixedDelay(this::flush, 10, 10, TimeUnit.SECONDS);
        scheduler.scheduleWithFixedDelay(this::flushRetries, 1, 1, TimeUnit.MINUTES);
    }

    RunnerClock clock() {
        return clock;
    }

    /** The state of a wait of this node, which may be ahead of the database. */
    Optional<PhaseRun> live(String runId) {
        return Optional.ofNullable(waits.get(runId)).map(Wait::run);
    }

    /** Takes a wait and runs it at once, if it may run unasked; known ones keep their counters. */
    void take(Wait wait) {
        Wait known = waits.putIfAbsent(wait.id(), wait);
        submit(known == null ? wait : known);
    }

    boolean knows(String runId) {
        return waits.containsKey(runId);
    }

    /** Runs a known wait at once. */
    void runNow(String runId) {
        Wait wait = waits.get(runId);
        if (wait != null) {
            submit(wait);
        }
    }

    void forget(String runId) {
        waits.remove(runId);
        clock.cancel(runId);
    }

    void markStuck(String runId) {
        Wait wait = waits.get(runId);
        if (wait != null) {
            wait.markStuck();
        }
    }

    /** Stops running a wait until it starts anew. */
    void pause(String runId, String why) {
        clock.cancel(runId);
        Wait wait = waits.get(runId);
        if (wait != null) {
            wait.pause(why, settings.clock().instant());
        }
    }

    @Override
    public void wake(String namespace, String name) {
        for (Wait wait : waits.values()) {
            ClusterRef cluster = wait.run().cluster();
            if (cluster.name().equals(name)
                    && cluster.namespace().equals(namespace)
                    && wait.run().progress().mayRunUnasked()) {
                wakePaced(wait);
            }
        }
    }

    /** Runs at once, unless events come faster than a phase should run. */
    private void wakePaced(Wait wait) {
        Instant lastEnd = wait.lastEnd();
        long pause = lastEnd == null
                ? 0
                : EVENT_SPACING
                        .minus(Duration.between(lastEnd, settings.clock().instant()))
                        .toMillis();
        if (pause <= 0 || pause > EVENT_SPACING.toMillis()) {
            submit(wait);
        } else {
            later(() -> runNow(wait.id()), Duration.ofMillis(pause));
        }
    }

    private void due(String runId) {
        Wait wait = waits.get(runId);
        if (wait != null && wait.run().progress().mayRunUnasked()) {
            if (!settings.runnerDrives()) {
                meters.counter("slipway.phase.timers.late").increment();
                log.warn(
                        "The requeue timer of {} of {} is late: looking without it",
                        wait.run().phase(),
                        wait.run().cluster().display());
            }
            submit(wait);
        }
    }

    private void submit(Wait wait) {
        if (!closed && wait.claim()) {
            start(wait);
        }
    }

    private void start(Wait wait) {
        try {
            (wait.slow() ? slow : quick).execute(() -> runAndRelease(wait));
        } catch (RejectedExecutionException e) {
            log.debug("Not running {}: shutting down", wait.id(), e);
        }
    }

    private void runAndRelease(Wait wait) {
        long started = System.nanoTime();
        try (Marker ignored = Marker.of(wait.run())) {
            run(wait);
        } catch (RuntimeException | Error e) {
            // The database is away, or worse: the wait is kept and tried again; its boundary timer is armed anyway.
            log.error(
                    "Keeping {} after a fault outside of the phase", wait.run().phase(), e);
            later(() -> runNow(wait.id()), REPEAT_AFTER_FAULT);
        } finally {
            boolean wasSlow =
                    System.nanoTime() - started > properties.slowAfter().toNanos();
            if (wait.finish(wasSlow, settings.clock().instant())) {
                start(wait);
            }
        }
    }

    private void run(Wait wait) {
        // Also asked again here: an operator, or bad credentials, may have stopped it while it was queued.
        if (!waits.containsKey(wait.id()) || !wait.run().progress().mayRunUnasked()) {
            return;
        }
        Timer.Sample sample = Timer.start(meters);
        Outcome outcome = tokens.possible(wait, calls.call(wait.run(), wait.phase(), wait.facts()));
        PhaseRun run = wait.run();
        sample.stop(meters.timer(
                "slipway.phase.run",
                "phase",
                run.phase(),
                "outcome",
                outcome.getClass().getSimpleName()));
        retries.count(run, outcome);
        Verdict verdict = policy.judge(
                run.progress(),
                outcome,
                wait.phase().requeueAfter(),
                Returns.of(run.phase(), wait.facts()),
                settings.clock().instant());
        report(run, verdict);
        if (verdict instanceof Verdict.Stay stay && settings.runnerDrives() && onlyCounts(stay)) {
            wait.found(stay.progress());
        } else {
            PhaseTokens.Applied applied = tokens.apply(wait, verdict);
            if (applied == PhaseTokens.Applied.LOST) {
                forget(wait.id());
            }
            if (applied != PhaseTokens.Applied.YES) {
                return;
            }
            wait.found(verdict.progress());
            wait.stored(settings.clock().instant());
        }
        if (verdict instanceof Verdict.Stay stay && stay.delay() != null) {
            // With the engine's clock it is only a guard: the boundary timer comes first, unless jobs stand still.
            Duration guard = settings.runnerDrives() ? Duration.ZERO : settings.lateTimer();
            clock.schedule(
                    wait.id(), settings.clock().instant().plus(stay.delay()).plus(guard));
        }
    }

    private static boolean onlyCounts(Verdict.Stay stay) {
        return !stay.changed() && !stay.escalate();
    }

    private static void report(PhaseRun run, Verdict verdict) {
        if (verdict instanceof Verdict.Leave || verdict instanceof Verdict.Back) {
            log.info("Leaving {}: {}", run.phase(), verdict.progress().message());
        } else if (verdict instanceof Verdict.Stay stay && stay.changed()) {
            log.info(
                    "Staying in {}, {}: {}: {}",
                    run.phase(),
                    stay.progress().state(),
                    stay.progress().reason(),
                    stay.progress().message());
        }
    }

    /** Stores counters half a dead man's interval after the last time, and with them pushes the timers ahead. */
    void flush() {
        flush(settings.clock().instant().minus(settings.deadMan().dividedBy(2)));
    }

    private void flushRetries() {
        try {
            retries.flush();
        } catch (RuntimeException e) {
            log.warn("Storing counts of retries later: the database does not answer", e);
        }
    }

    private void flush(Instant storedBefore) {
        try {
            List<Wait> dirty = waits.values().stream()
                    .filter(wait -> wait.dirtySince(storedBefore))
                    .toList();
            for (int from = 0; from < dirty.size(); from += FLUSH_BATCH) {
                List<Wait> batch = new ArrayList<>(dirty.subList(from, Math.min(dirty.size(), from + FLUSH_BATCH)));
                tokens.flush(batch).forEach(lost -> forget(lost.id()));
                batch.forEach(wait -> wait.stored(settings.clock().instant()));
            }
        } catch (RuntimeException e) {
            log.warn("Storing counters later: the database does not answer", e);
        }
    }

    /** The threads for phases that answer slowly, for other work of that kind. */
    Executor forSlowWork() {
        return action -> {
            try {
                slow.execute(action);
            } catch (RejectedExecutionException e) {
                log.debug("Not started: shutting down", e);
            }
        };
    }

    void later(Runnable action, Duration delay) {
        if (!closed) {
            scheduler.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        halt();
        flush(Instant.MAX);
        flushRetries();
    }

    /** Stops at once, as a crash does. */
    void halt() {
        closed = true;
        clock.close();
        scheduler.shutdownNow();
        quick.shutdownNow();
        slow.shutdownNow();
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return runnable -> {
            Thread thread = new Thread(runnable, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Puts cluster, flow, phase and attempt into every log line of a run. */
    private static final class Marker implements AutoCloseable {

        static Marker of(PhaseRun run) {
            MDC.put("cluster", run.cluster().display());
            MDC.put("flow", run.flow());
            MDC.put("phase", run.phase());
            MDC.put("attempt", Integer.toString(run.progress().attempt() + 1));
            return new Marker();
        }

        @Override
        public void close() {
            List.of("cluster", "flow", "phase", "attempt").forEach(MDC::remove);
        }
    }
}
