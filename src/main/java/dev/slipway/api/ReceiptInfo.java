package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import dev.slipway.receipt.Receipt;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a deletion did.
 *
 * @param flow the flow that deleted, which is the receipt's id
 * @param kind the flow's kind
 * @param namespace the namespace of the cluster or work item
 * @param name its name
 * @param uid its UID
 * @param mode what became of the cluster
 * @param startedBy who asked for it
 * @param reason why
 * @param startedAt when it began
 * @param closedAt when it ended
 * @param result how it ended
 * @param summary all in a sentence
 * @param counts how many objects had each fate
 */
@Schema(name = "Receipt", description = "What a deletion did, kept beyond what it was about")
record ReceiptInfo(
        @Schema(description = "The flow that deleted; also the receipt's id") String flow,
        @Schema(example = "delete") String kind,
        @Schema(example = "demo") String namespace,
        @Schema(example = "c1") String name,
        String uid,
        @Schema(description = "Full, Detach or Forget; absent for work items") @Nullable String mode,
        @Schema(description = "A user, or kubernetes for a deletion by kubectl") String startedBy,
        @Nullable String reason,
        Instant startedAt,
        @Schema(description = "Absent while it runs") @Nullable Instant closedAt,
        @Schema(description = "Absent while it runs") @Nullable String result,
        @Schema(example = "12 deleted, 1 left behind: Namespace cpaas-system") String summary,
        Map<Fate, Long> counts) {

    /**
     * Receipts.
     *
     * @param items the latest first
     * @param total how many match
     * @param offset how many were left out
     * @param limit how many at most
     */
    @Schema(name = "Receipts")
    record Page(
            @Schema(description = "The latest first") List<ReceiptInfo> items,
            @Schema(example = "1", description = "How many match; 10000 means so many or more") long total,
            @Schema(example = "0") int offset,
            @Schema(example = "100") int limit) {}

    /**
     * A receipt in full.
     *
     * @param receipt its summary
     * @param entries the objects and their fates
     * @param phases how long each phase took
     * @param decisions what operators decided
     */
    @Schema(name = "ReceiptDetails")
    record Details(
            @JsonUnwrapped ReceiptInfo receipt,
            List<Entry> entries,
            List<PhaseTime> phases,
            List<Receipt.Decided> decisions) {

        static Details of(Receipt receipt) {
            return new Details(
                    ReceiptInfo.of(receipt),
                    receipt.entries(),
                    receipt.phases().stream().map(PhaseTime::of).toList(),
                    receipt.decisions());
        }
    }

    /**
     * How long a run of a phase took.
     *
     * @param phase the phase's name
     * @param state how it was left
     * @param reason the last reason
     * @param from when it was entered
     * @param to when it was left
     * @param seconds how long
     */
    @Schema(name = "ReceiptPhase")
    record PhaseTime(
            @Schema(example = "EnsureGone") String phase,
            @Schema(example = "DONE") String state,
            @Nullable String reason,
            Instant from,
            @Nullable Instant to,
            @Schema(description = "Absent while it runs") @Nullable Long seconds) {

        static PhaseTime of(Receipt.PhaseTime time) {
            Instant to = time.to();
            return new PhaseTime(
                    time.phase(),
                    time.state(),
                    time.reason(),
                    time.from(),
                    to,
                    to == null ? null : Duration.between(time.from(), to).toSeconds());
        }
    }

    static ReceiptInfo of(Receipt receipt) {
        var head = receipt.head();
        return new ReceiptInfo(
                head.flowId(),
                head.kind(),
                head.cluster().namespace(),
                head.cluster().name(),
                head.cluster().uid(),
                head.mode(),
                head.startedBy(),
                receipt.reason(),
                head.at(),
                receipt.closedAt(),
                receipt.result(),
                receipt.summary(),
                receipt.counts());
    }
}
