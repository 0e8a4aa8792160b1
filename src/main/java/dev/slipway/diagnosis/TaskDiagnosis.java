package dev.slipway.diagnosis;

import dev.slipway.kernel.DiagnosisSource;
import dev.slipway.phase.ClusterRef;
import java.time.Duration;

/** The diagnosis in the operator's task of a stuck phase: what is wrong, in few words. */
final class TaskDiagnosis implements DiagnosisSource {

    private static final int LONGEST = 3000;
    /** Short: who waits here holds up a thread that phases need, and in an outage many tasks open at once. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Diagnoses diagnoses;
    private final Duration patience;

    /**
     * Makes a source.
     *
     * @param patience how long to wait for a place
     */
    TaskDiagnosis(Diagnoses diagnoses, Duration patience) {
        this.diagnoses = diagnoses;
        this.patience = patience;
    }

    @Override
    public String diagnose(ClusterRef cluster) {
        try {
            return Page.brief(diagnoses.take(cluster, patience), LONGEST);
        } catch (Diagnoses.TooMany e) {
            return "No diagnosis was taken when this task was opened: " + e.getMessage() + ". Take one now: GET "
                    + Page.path(cluster);
        }
    }
}
