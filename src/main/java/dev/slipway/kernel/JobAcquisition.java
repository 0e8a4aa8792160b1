package dev.slipway.kernel;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.camunda.bpm.engine.impl.jobexecutor.JobExecutor;
import org.camunda.bpm.engine.impl.metrics.Meter;
import org.camunda.bpm.engine.management.Metrics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees whether the engine really looks for due jobs, and starts it anew where it does not.
 *
 * <p>An error kills the engine's acquisition thread while the executor still calls itself active: then no timer fires, and
 * nothing gets stuck any more, in silence.
 */
final class JobAcquisition {

    private static final Logger log = LoggerFactory.getLogger(JobAcquisition.class);

    private final EngineServices engine;
    private final Clock clock;
    private final Duration patience;
    private long attempts = -1;
    private @Nullable Instant lastProgress;

    /**
     * Makes a guard.
     *
     * @param patience how long the engine may go without looking: several times its longest pause
     */
    JobAcquisition(EngineServices engine, Clock clock, Duration patience) {
        this.engine = engine;
        this.clock = clock;
        this.patience = patience;
    }

    /** Looks once; starts the executor anew if it stands still though it should run. */
    synchronized void look() {
        JobExecutor executor = engine.configuration().getJobExecutor();
        if (executor == null || !executor.isActive()) {
            // Not started yet, or stopped on purpose.
            lastProgress = null;
            return;
        }
        long now = count();
        if (now != attempts || lastProgress == null) {
            attempts = now;
            lastProgress = clock.instant();
        } else if (isStale()) {
            log.error("The engine has not looked for due jobs since {}: starting its job executor anew", lastProgress);
            executor.shutdown();
            executor.start();
            lastProgress = clock.instant();
        }
    }

    /** When the engine was last seen looking; null if it is not meant to. */
    synchronized @Nullable Instant lastProgress() {
        return lastProgress;
    }

    private boolean isStale() {
        return lastProgress != null && clock.instant().isAfter(lastProgress.plus(patience));
    }

    private long count() {
        Meter meter = engine.configuration().getMetricsRegistry().getDbMeterByName(Metrics.JOB_ACQUISITION_ATTEMPT);
        return meter == null ? 0 : meter.get();
    }
}
