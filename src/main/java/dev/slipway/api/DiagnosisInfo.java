package dev.slipway.api;

import dev.slipway.diagnosis.Diagnosis;
import dev.slipway.diagnosis.Finding;
import dev.slipway.diagnosis.Signature;
import dev.slipway.diagnosis.Verdict;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was seen around a cluster.
 *
 * @param namespace the cluster's namespace
 * @param name the cluster's name
 * @param takenAt when the look began
 * @param verdict the worst of all findings
 * @param signature the known pattern that the findings show
 * @param findings in the order of steps
 */
@Schema(name = "Diagnosis", description = "What was seen around a cluster, live. Holds no secret")
record DiagnosisInfo(
        @Schema(example = "demo") String namespace,
        @Schema(example = "c1") String name,
        Instant takenAt,
        @Schema(description = "The worst of all findings: OK, WARNING, UNKNOWN or PROBLEM") Verdict verdict,
        @Schema(description = "The known pattern that the findings show; absent if none") @Nullable Pattern signature,
        @Schema(description = "What was looked at, in the order of steps") List<Item> findings) {

    /**
     * A pattern that operators know.
     *
     * @param name its name
     * @param advice what it means, and where to look first
     */
    @Schema(name = "Signature")
    record Pattern(
            @Schema(example = "API unreachable") String name,
            @Schema(description = "What it means, and where to look first") String advice) {}

    /**
     * What one look at one thing found.
     *
     * @param step the step's number
     * @param title the step's title
     * @param object what was looked at
     * @param verdict how it stands
     * @param code what is wrong
     * @param sentence what was seen
     * @param details more of it
     */
    @Schema(name = "Finding")
    record Item(
            @Schema(example = "2") int step,
            @Schema(example = "Machines and nodes") String title,
            @Schema(example = "machine/c1-cp-0", description = "As kubectl names it") String object,
            @Schema(description = "OK, WARNING, PROBLEM, or UNKNOWN: could not be read") Verdict verdict,
            @Schema(
                            example = "InfrastructureNotReady",
                            description = "For programs; absent if there is nothing to name")
                    @Nullable
                    String code,
            @Schema(description = "What was seen, or why it could not be") String sentence,
            @Schema(description = "More of it, line by line") List<String> details) {

        private static Item of(Finding finding) {
            return new Item(
                    finding.step(),
                    finding.title(),
                    finding.object(),
                    finding.verdict(),
                    finding.code(),
                    finding.sentence(),
                    finding.details());
        }
    }

    static DiagnosisInfo of(Diagnosis diagnosis) {
        Signature signature = diagnosis.signature();
        return new DiagnosisInfo(
                diagnosis.cluster().namespace(),
                diagnosis.cluster().name(),
                diagnosis.takenAt(),
                diagnosis.verdict(),
                signature == null ? null : new Pattern(signature.name(), signature.advice()),
                diagnosis.findings().stream().map(Item::of).toList());
    }
}
