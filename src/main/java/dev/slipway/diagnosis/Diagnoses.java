package dev.slipway.diagnosis;

import dev.slipway.phase.ClusterRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes diagnoses: all steps at once, each with its deadline, so that a dead cluster costs one deadline and no more.
 *
 * <p>Supposes nothing to be there: neither a WorkloadCluster, nor a flow, nor the namespace.
 */
public final class Diagnoses implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Diagnoses.class);

    private final List<Step> steps;
    private final Limits limits;
    private final Clock clock;
    private final Semaphore places;
    private final ExecutorService threads;

    /**
     * What a diagnosis may cost.
     *
     * @param step deadline of each step, and so of all
     * @param atOnce how many diagnoses are taken at the same time
     */
    record Limits(Duration step, int atOnce) {
        static final Limits STANDARD = new Limits(Duration.ofSeconds(10), 4);
    }

    /** As many diagnoses as allowed are being taken. */
    public static final class TooMany extends Exception {
        private static final long serialVersionUID = 1L;

        TooMany(int atOnce) {
            super(atOnce + " diagnoses are being taken, no more are at the same time");
        }
    }

    Diagnoses(List<Step> steps, Limits limits, Clock clock) {
        this.steps =
                steps.stream().sorted(Comparator.comparingInt(Step::number)).toList();
        if (steps.stream().map(Step::number).distinct().count() < steps.size()) {
            throw new IllegalStateException("Two steps of the diagnosis have the same number: "
                    + this.steps.stream()
                            .map(step -> step.number() + " " + step.title())
                            .toList());
        }
        this.limits = limits;
        this.clock = clock;
        this.places = new Semaphore(limits.atOnce(), true);
        this.threads = threads(limits.atOnce() * Math.max(1, steps.size()));
    }

    private static ExecutorService threads(int count) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(count, count, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "slipway-diagnosis-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Looks at a cluster now.
     *
     * @param cluster which cluster; an empty UID stands for whatever has that name
     * @param patience how long to wait for a place among those taken at once
     * @throws TooMany if there is no place
     */
    public Diagnosis take(ClusterRef cluster, Duration patience) throws TooMany {
        if (!place(patience)) {
            throw new TooMany(limits.atOnce());
        }
        Instant takenAt = clock.instant();
        long start = System.nanoTime();
        List<StepRun> runs = start(cluster);
        List<Finding> findings = new ArrayList<>();
        runs.forEach(run -> findings.addAll(run.await(start + limits.step().toNanos(), limits.step())));
        Diagnosis diagnosis = Diagnosis.of(cluster, takenAt, findings);
        LOG.info(
                "Diagnosis of {}: {}, {} after {} ms",
                cluster.display(),
                diagnosis.verdict(),
                diagnosis.signature() == null
                        ? "no known pattern"
                        : diagnosis.signature().name(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        return diagnosis;
    }

    /** The place is free again when the last thread is: what hangs beyond its deadline still counts. */
    private List<StepRun> start(ClusterRef cluster) {
        AtomicInteger running = new AtomicInteger(steps.size());
        Runnable whenEnded = () -> {
            if (running.decrementAndGet() == 0) {
                places.release();
            }
        };
        List<StepRun> runs = steps.stream()
                .map(step -> new StepRun(step, cluster, whenEnded))
                .toList();
        runs.forEach(threads::execute);
        return runs;
    }

    private boolean place(Duration patience) {
        try {
            return places.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
