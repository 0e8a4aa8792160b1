package dev.slipway.diagnosis;

import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was seen around one cluster at one time.
 *
 * @param cluster which cluster; the UID is empty if it was asked for by name
 * @param takenAt when the look began
 * @param signature the known pattern that the findings show; null if none
 * @param findings in the order of steps
 */
public record Diagnosis(ClusterRef cluster, Instant takenAt, @Nullable Signature signature, List<Finding> findings) {

    public Diagnosis {
        findings = List.copyOf(findings);
    }

    /** Finds the pattern in the findings. */
    static Diagnosis of(ClusterRef cluster, Instant takenAt, List<Finding> findings) {
        Optional<Signature> signature = Signature.of(findings);
        return new Diagnosis(cluster, takenAt, signature.orElse(null), findings);
    }

    /** The worst of all findings. */
    public Verdict verdict() {
        return Verdict.worst(findings.stream().map(Finding::verdict).toList());
    }

    /** Whether every place where a cluster is recorded could be read, and none knows this one. */
    public boolean nothingThere() {
        return signature != null && signature.name().equals(Signature.NO_SUCH_CLUSTER);
    }
}
