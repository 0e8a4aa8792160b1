package dev.slipway.api;

import dev.slipway.kernel.Escalation;
import dev.slipway.storage.Sliced;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One time that a phase needed an operator.
 *
 * @param id its own id
 * @param flow the flow's id
 * @param kind the flow
 * @param namespace the namespace of the cluster or work item
 * @param name its name
 * @param phase the phase's name
 * @param title what operators read
 * @param since when the phase was entered
 * @param attempts how often it had run
 * @param reason the cause
 * @param message the cause in a sentence
 * @param actions what a person can do
 * @param openedAt when it was escalated
 * @param closedAt when it was over
 * @param outcome how it ended
 */
@Schema(name = "Escalation", description = "One time that a phase needed an operator")
record EscalationInfo(
        String id,
        @Schema(example = "f4e1c1d2-0c1e-11f1-9c3a-0242ac120002") String flow,
        @Schema(example = "init") String kind,
        @Schema(example = "demo") String namespace,
        @Schema(example = "c1") String name,
        @Schema(example = "EnsureCertificates") String phase,
        @Schema(example = "Certificates") String title,
        Instant since,
        @Schema(example = "12") int attempts,
        @Schema(example = "CaExpired") String reason,
        String message,
        List<String> actions,
        Instant openedAt,
        @Schema(description = "Absent while it is open") @Nullable Instant closedAt,
        @Schema(
                        example = "Recovered",
                        description =
                                "Recovered, Left (the flow went on or ended), or the operator's choice; absent while it"
                                        + " is open")
                @Nullable
                String outcome) {

    /**
     * A page of escalations.
     *
     * @param items the latest first
     * @param total how many match
     * @param offset how many were left out
     * @param limit how many at most
     */
    @Schema(name = "Escalations")
    record Page(
            @Schema(description = "The latest first") List<EscalationInfo> items,
            @Schema(example = "1", description = "How many match; 10000 means so many or more") long total,
            @Schema(example = "0") int offset,
            @Schema(example = "100") int limit) {

        static Page of(Sliced<Escalation> read, Paging paging) {
            return new Page(
                    read.items().stream().map(EscalationInfo::of).toList(),
                    read.total(),
                    paging.slice().offset(),
                    paging.slice().limit());
        }
    }

    private static EscalationInfo of(Escalation escalation) {
        return new EscalationInfo(
                escalation.id(),
                escalation.flowId(),
                escalation.kind(),
                escalation.cluster().namespace(),
                escalation.cluster().name(),
                escalation.phase(),
                escalation.title(),
                escalation.since(),
                escalation.attempts(),
                escalation.reason(),
                escalation.message(),
                escalation.actions(),
                escalation.openedAt(),
                escalation.closedAt(),
                escalation.outcome());
    }
}
