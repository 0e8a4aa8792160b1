package dev.slipway.kernel;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a phase once, on the caller's thread: bounded in time, and with an outcome whatever happens. */
final class PhaseCall implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PhaseCall.class);

    private final Function<String, Phase> phases;
    private final KernelSettings settings;
    private final Duration deadline;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "slipway-deadline");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Makes a caller.
     *
     * @param phases finds a phase by its bean's name
     * @param deadline after which the thread is interrupted
     */
    PhaseCall(Function<String, Phase> phases, KernelSettings settings, Duration deadline) {
        this.phases = phases;
        this.settings = settings;
        this.deadline = deadline;
    }

    /** Runs the phase; an exception becomes an outcome too. */
    Outcome call(PhaseRun run, PhaseDefinition phase, Map<String, String> facts) {
        Thread worker = Thread.currentThread();
        ScheduledFuture<?> interrupt = watch.schedule(worker::interrupt, deadline.toMillis(), TimeUnit.MILLISECONDS);
        try {
            Instant now = settings.clock().instant();
            return phases.apply(phase.bean())
                    .run(new PhaseContext(
                            run.cluster(),
                            run.flow(),
                            run.flowId(),
                            run.phase(),
                            run.progress().attempt() + 1,
                            run.enteredAt(),
                            now,
                            deadline,
                            facts));
        } catch (Failure failure) {
            return Outcome.retry(failure);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            log.error("Treating an unexpected exception in {} as a bug", run.phase(), e);
            return Outcome.retry(bug(run, e));
        } finally {
            interrupt.cancel(false);
            // An interrupt that came too late must not hit what this thread does next.
            Thread.interrupted();
        }
    }

    /** What earlier phases recorded, and what this one reported last: some need two good looks in a row. */
    static Map<String, String> facts(Map<String, String> recorded, Progress progress) {
        Map<String, String> known = new HashMap<>(recorded);
        known.put(PhaseContext.LAST_REASON, Objects.requireNonNullElse(progress.reason(), ""));
        if (progress.lastCheck() != null) {
            known.put(PhaseContext.LAST_CHECK, progress.lastCheck().toString());
        }
        return Map.copyOf(known);
    }

    private static Failure bug(PhaseRun run, Throwable e) {
        return new Failure(
                ErrorClass.BUG,
                "UnexpectedError",
                run.phase() + " failed with " + e.getClass().getSimpleName() + ": " + e.getMessage(),
                List.of(
                        "Read the log of this attempt for the stack trace",
                        "Report it with the log",
                        "Retry the phase"),
                null,
                e);
    }

    @Override
    public void close() {
        watch.shutdownNow();
    }
}
