package dev.slipway.kernel;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds to an operator's task what can be seen around the cluster, after the task was opened. */
final class Diagnosing implements AutoCloseable {

    private static final int THREADS = 2;

    private static final Logger log = LoggerFactory.getLogger(Diagnosing.class);

    private final Supplier<@Nullable DiagnosisSource> source;
    private final Escalations escalations;
    private final PhaseRunStore runs;
    private final PhaseTokens tokens;
    /** Its own few threads: in an outage many phases get stuck at once, and none of them may wait for this. */
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS, runnable -> {
        Thread thread = new Thread(runnable, "slipway-diagnosis");
        thread.setDaemon(true);
        return thread;
    });

    Diagnosing(
            Supplier<@Nullable DiagnosisSource> source,
            Escalations escalations,
            PhaseRunStore runs,
            PhaseTokens tokens) {
        this.source = source;
        this.escalations = escalations;
        this.runs = runs;
        this.tokens = tokens;
    }

    /**
     * Looks around the cluster of a stuck phase; best effort, the task is complete without it.
     *
     * <p>Not where bad credentials stopped the phase: then nobody calls until an operator acts.
     */
    void about(String runId) {
        DiagnosisSource found = source.get();
        if (found == null) {
            return;
        }
        try {
            executor.execute(() -> look(found, runId));
        } catch (RejectedExecutionException e) {
            log.debug("Not looking around: shutting down", e);
        }
    }

    private void look(DiagnosisSource found, String runId) {
        runs.find(runId).filter(run -> run.progress().mayRunUnasked()).ifPresent(run -> {
            try {
                String text = found.diagnose(run.cluster());
                tokens.retrying(() -> {
                    escalations.addDiagnosis(runId, text);
                    return true;
                });
            } catch (RuntimeException e) {
                log.warn(
                        "The operator's task of {} stays without a diagnosis",
                        run.cluster().display(),
                        e);
            }
        });
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
