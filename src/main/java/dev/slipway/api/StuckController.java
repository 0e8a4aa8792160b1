package dev.slipway.api;

import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.StuckGroup;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What is stuck in the whole fleet, by cause; and trying all of one cause again. */
@RestController
@RequestMapping(path = "/api/v1/stuck", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Stuck", description = "What is stuck in the whole fleet, by cause")
class StuckController {

    private final Decisions decisions;

    StuckController(Decisions decisions) {
        this.decisions = decisions;
    }

    /**
     * All groups.
     *
     * @param items the largest first
     */
    @Schema(name = "StuckGroups")
    record Page(List<Group> items) {}

    /**
     * Phases that are stuck for one cause.
     *
     * @param flow the flow's kind
     * @param phase the phase's name
     * @param reason the cause
     * @param message the cause in words, of the one that has been stuck longest
     * @param count how many
     * @param oldest since when the first
     * @param clusters which, the oldest first
     */
    @Schema(name = "StuckGroup")
    record Group(
            @Schema(example = "init") String flow,
            @Schema(example = "EnsureCertificates") String phase,
            @Schema(example = "CaExpired") String reason,
            String message,
            int count,
            Instant oldest,
            List<Member> clusters) {

        static Group of(StuckGroup group) {
            return new Group(
                    group.kind(),
                    group.phase(),
                    group.reason(),
                    group.message(),
                    group.stuck().size(),
                    group.oldest(),
                    group.stuck().stream().map(Member::of).toList());
        }
    }

    /**
     * One stuck cluster.
     *
     * @param run the run to decide about
     */
    @Schema(name = "StuckCluster")
    record Member(String namespace, String name, String run, String flow, Instant escalatedAt) {

        static Member of(StuckGroup.Member member) {
            return new Member(
                    member.cluster().namespace(),
                    member.cluster().name(),
                    member.runId(),
                    member.flowId(),
                    member.escalatedAt());
        }
    }

    /**
     * Which to try again.
     *
     * @param phase the group's phase
     * @param reason the group's cause
     * @param why for the record
     */
    @Schema(name = "BulkRetry")
    record BulkRetry(
            @Schema(example = "EnsureCertificates", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String phase,
            @Schema(example = "CaExpired", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String reason,
            @Schema(example = "The webhook is back", description = "Kept with each decision") @Nullable String why) {}

    @Operation(
            operationId = "listStuck",
            summary = "List what is stuck",
            description = "The stuck phases of all flows, grouped by flow, phase and cause; the largest group first.")
    @GetMapping
    Page list() {
        return new Page(decisions.stuck().stream().map(Group::of).toList());
    }

    @Operation(
            operationId = "retryStuck",
            summary = "Try a group again",
            description = "Starts all phases anew that are stuck in that phase for that cause. Those that somebody else"
                    + " decides about at the same time are left out.")
    @ApiResponse(responseCode = "200", description = "One decision for each; an empty list if nothing is stuck so")
    @ApiResponse(responseCode = "400", description = "A field is missing", content = @Content)
    @PostMapping(path = "/retry", consumes = MediaType.APPLICATION_JSON_VALUE)
    DecisionsController.Page retry(@RequestBody BulkRetry body, @Parameter(hidden = true) Principal user) {
        String phase = required("phase", body.phase());
        String reason = required("reason", body.reason());
        return new DecisionsController.Page(decisions.retryAll(phase, reason, user.getName(), body.why()).stream()
                .map(DecisionInfo::of)
                .toList());
    }

    private static String required(String field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new ApiProblem(HttpStatus.BAD_REQUEST, "MissingField", "The field " + field + " is missing")
                    .field(field)
                    .remedy("Name phase and reason as GET /api/v1/stuck shows them");
        }
        return value.strip();
    }
}
