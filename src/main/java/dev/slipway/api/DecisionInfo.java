package dev.slipway.api;

import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One decision, kept for good.
 *
 * @param id its own id
 * @param flow the flow
 * @param run the run of the phase
 * @param phase the phase's name
 * @param choice what was chosen
 * @param from where it starts anew
 * @param duration until it counts as stuck
 * @param reason why
 * @param override whether the live check was overridden
 * @param argument what the choice was about
 * @param by who decided
 * @param at when
 * @param state what became of it
 * @param result a sentence about that
 * @param appliedAt when it was applied or refused
 */
@Schema(name = "Decision", description = "What somebody decided about a phase: who, when, why, and what became of it")
record DecisionInfo(
        String id,
        @Schema(example = "f4e1c1d2-0c1e-11f1-9c3a-0242ac120002") String flow,
        @Schema(description = "Absent if no phase of the flow waited") @Nullable String run,
        @Schema(example = "EnsureCertificates") @Nullable String phase,
        @Schema(example = "RETRY") Choice choice,
        @Schema(description = "With RETRY_FROM, the element of the phase") @Nullable String from,
        @Schema(type = "string", example = "PT2H", description = "With WAIT_MORE") @Nullable String duration,
        @Nullable String reason,
        boolean override,
        @Schema(description = "What the choice was about, for example a name") @Nullable String argument,
        @Schema(example = "alice") String by,
        Instant at,
        @Schema(description = "OPEN, APPLIED, REFUSED (a live check said no) or OVERTAKEN (the phase was left before)")
                Decision.State state,
        @Nullable String result,
        @Nullable Instant appliedAt) {

    static DecisionInfo of(Decision decision) {
        Duration duration = decision.wish().duration();
        return new DecisionInfo(
                decision.id(),
                decision.flowId(),
                decision.runId(),
                decision.phase(),
                decision.wish().choice(),
                decision.wish().from(),
                duration == null ? null : duration.toString(),
                decision.wish().reason(),
                decision.wish().override(),
                decision.wish().argument(),
                decision.by(),
                decision.at(),
                decision.state(),
                decision.result(),
                decision.appliedAt());
    }
}
