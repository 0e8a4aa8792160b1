package dev.slipway.kernel;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds to an operator's task what can be seen around the cluster, after the task was opened. */
final class Diagnosing {

    private static final Logger log = LoggerFactory.getLogger(Diagnosing.class);

    private final Supplier<@Nullable DiagnosisSource> source;
    private final Escalations escalations;
    private final PhaseRunStore runs;
    private final PhaseTokens tokens;
    private final Executor executor;

    Diagnosing(
            Supplier<@Nullable DiagnosisSource> source,
            Escalations escalations,
            PhaseRunStore runs,
            PhaseTokens tokens,
            Executor executor) {
        this.source = source;
        this.escalations = escalations;
        this.runs = runs;
        this.tokens = tokens;
        this.executor = executor;
    }

    /** Looks around the cluster of a stuck phase; best effort, the task is complete without it. */
    void about(String runId) {
        DiagnosisSource found = source.get();
        if (found != null) {
            executor.execute(() -> look(found, runId));
        }
    }

    private void look(DiagnosisSource found, String runId) {
        runs.find(runId).ifPresent(run -> {
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
}
