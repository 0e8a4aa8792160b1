package dev.slipway.helm;

import dev.slipway.helm.worker.Frames;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

/**
 * Helm's processes: a few at a time, one for each release, none longer than allowed.
 *
 * <p>A caller never waits longer than the patience, also when the process goes on: it asks again later.
 */
public final class HelmRuns implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HelmRuns.class);

    private final HelmRuntime runtime;
    private final Limits limits;
    private final Semaphore slots;
    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private final Set<String> starting = ConcurrentHashMap.newKeySet();

    public HelmRuns(HelmRuntime runtime, Limits limits) {
        this.runtime = runtime;
        this.limits = limits;
        this.slots = new Semaphore(limits.processes());
    }

    /**
     * How much of the machine Helm may take.
     *
     * @param processes how many at the same time; each takes some 150 MB
     * @param patience how long a caller waits for one
     * @param longest when one is killed
     */
    public record Limits(int processes, Duration patience, Duration longest) {

        /** Fits into a phase's deadline of 30 s. */
        public static final Limits DEFAULTS = new Limits(2, Duration.ofSeconds(8), Duration.ofMinutes(5));
    }

    /** A started process. */
    private record Run(HelmCall call, Process process, CompletableFuture<HelmAnswer> answer) {}

    Duration longest() {
        return limits.longest();
    }

    /**
     * Asks something that changes nothing; the process is killed when the patience ends.
     *
     * @throws Failure by class; TRANSIENT {@code HelmTimeout}
     */
    HelmAnswer ask(HelmCall call) {
        Run run = start(call, limits.patience())
                .orElseThrow(() -> timeout(call, "all " + limits.processes() + " processes of Helm are busy"));
        try {
            return checked(run, limits.patience())
                    .orElseThrow(() -> timeout(
                            call, "there was no answer in " + limits.patience().toSeconds() + " s"));
        } finally {
            run.process().destroyForcibly();
        }
    }

    /**
     * Starts a change unless one of that key runs, and waits for it as long as the patience.
     *
     * @return empty if it goes on, or had to wait for others: look at {@link #collect} later
     * @throws Failure by class
     */
    Optional<HelmAnswer> change(String key, HelmCall call) {
        if (!starting.add(key)) {
            return Optional.empty();
        }
        try {
            if (!runs.containsKey(key)) {
                start(call, limits.longest()).ifPresent(run -> runs.put(key, run));
            }
        } finally {
            starting.remove(key);
        }
        return collect(key);
    }

    /** Whether a change of that key runs, or its answer was not collected yet. */
    boolean running(String key) {
        return runs.containsKey(key);
    }

    /**
     * Waits for the change of that key as long as the patience; forgets it when it ended.
     *
     * @return empty if it goes on
     * @throws Failure by class, if it failed
     */
    Optional<HelmAnswer> collect(String key) {
        Run run = runs.get(key);
        if (run == null) {
            return Optional.empty();
        }
        try {
            Optional<HelmAnswer> answer = checked(run, limits.patience());
            answer.ifPresent(ended -> runs.remove(key, run));
            return answer;
        } catch (Failure e) {
            if (run.answer().isDone()) {
                runs.remove(key, run);
            }
            throw e;
        }
    }

    /** Ends all processes: gives them the patience, then kills. */
    @Override
    public void close() {
        runs.values().forEach(run -> {
            try {
                run.answer().get(limits.patience().toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn(
                        "Helm did not end in time and is killed: {}", run.call().sentence());
            }
            run.process().destroyForcibly();
        });
        runs.clear();
    }

    private Optional<Run> start(HelmCall call, Duration longest) {
        try {
            if (!slots.tryAcquire(limits.patience().toMillis() / 4, TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            throw interrupted(call, e);
        }
        @Nullable Process process = null;
        @Nullable Path folder = null;
        try {
            folder = runtime.newFolder();
            process = runtime.start(folder);
            // Stays open: the process ends with us.
            Frames.write(process.getOutputStream(), call.request());
        } catch (IOException e) {
            if (process != null) {
                process.destroyForcibly();
            }
            release(folder);
            throw new UncheckedIOException("Cannot start Helm to " + call.sentence(), e);
        }
        return Optional.of(watched(call, process, folder, longest));
    }

    private Run watched(HelmCall call, Process process, Path folder, Duration longest) {
        var unused = process.onExit()
                .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((ended, late) -> {
                    if (late != null) {
                        process.destroyForcibly();
                    }
                });
        CompletableFuture<HelmAnswer> answer = process.onExit().thenApply(ended -> {
            try {
                return HelmAnswer.in(folder, call);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot read what Helm answered", e);
            } finally {
                release(folder);
            }
        });
        return new Run(call, process, answer);
    }

    private void release(@Nullable Path folder) {
        slots.release();
        if (folder != null && !FileSystemUtils.deleteRecursively(folder.toFile())) {
            LOG.warn("Cannot delete {}", folder);
        }
    }

    /** The answer if it is there in time, and a failure if it is none. */
    private Optional<HelmAnswer> checked(Run run, Duration patience) {
        try {
            HelmAnswer answer = run.answer().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.ok()) {
                return Optional.of(answer);
            }
            throw HelmErrors.classify(run.call(), answer);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw interrupted(run.call(), e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Could not " + run.call().sentence(), e.getCause());
        }
    }

    private static Failure interrupted(HelmCall call, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new Failure(
                ErrorClass.CONTENTION,
                "CallInterrupted",
                "Could not " + call.sentence() + ": the call was interrupted.",
                List.of("Nothing: the call is made again."),
                null,
                e);
    }

    private static Failure timeout(HelmCall call, String why) {
        return new Failure(
                ErrorClass.TRANSIENT,
                "HelmTimeout",
                "Could not " + call.sentence() + ": " + why + ".",
                List.of("Check that the chart's repository and the cluster's API answer."),
                null,
                null);
    }
}
