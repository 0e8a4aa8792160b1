package dev.slipway.api;

import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseView;
import dev.slipway.phase.ClusterRef;
import dev.slipway.status.FlowReading;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What operators decide about the phases of a cluster. */
@RestController
@RequestMapping(path = "/api/v1/clusters/{namespace}/{name}/decisions", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Decisions", description = "What operators decide about phases, and what they decided before")
class DecisionsController {

    private final ClusterResolver clusters;
    private final Flows flows;
    private final Decisions decisions;

    DecisionsController(ClusterResolver clusters, Flows flows, Decisions decisions) {
        this.clusters = clusters;
        this.flows = flows;
        this.decisions = decisions;
    }

    /**
     * What somebody wants.
     *
     * @param choice what
     * @param run which run of a phase
     * @param from with RETRY_FROM, the phase to start anew
     * @param duration with WAIT_MORE, an ISO 8601 duration
     * @param reason why
     * @param override with MARK_DONE, go on although the live check does not pass
     */
    @Schema(name = "DecisionRequest")
    record DecisionRequest(
            @Schema(
                            example = "RETRY",
                            requiredMode = Schema.RequiredMode.REQUIRED,
                            description =
                                    "RETRY, RETRY_FROM, WAIT_MORE, PAUSE, RESUME or ABORT; where a phase allows them in its"
                                            + " choices also MARK_DONE, SKIP, SUPPLY_CREDENTIALS, ACCEPT_CA,"
                                            + " REPLACE_IDENTITY, TAKE_OVER_MARK, RESET_IMPORT, COLLECT_ORPHANS, KEEP,"
                                            + " SKIP_REMOTE, FORCE, UNPAUSE")
                    @Nullable
                    String choice,
            @Schema(
                            example = "phase_certificates:6f0c0b5e-ec8b-11f1-9d43-02fc00000001",
                            description =
                                    "The run of the phase, as the cluster shows it. May be left out while only one"
                                            + " phase waits; give it so that nothing is decided about another run than you saw")
                    @Nullable
                    String run,
            @Schema(example = "EnsureCertificates", description = "With RETRY_FROM") @Nullable String from,
            @Schema(example = "PT2H", description = "With WAIT_MORE; as drawn if it is left out") @Nullable
                    String duration,
            @Schema(
                            example = "The CA was replaced",
                            description = "Kept; needed for what cannot be taken back, for SKIP, ABORT and an override")
                    @Nullable
                    String reason,
            @Schema(description = "With MARK_DONE: go on although the live check does not pass") @Nullable
                    Boolean override,
            @Schema(
                            example = "cluster-1-access",
                            description =
                                    "What the choice is about: a Secret's name with SUPPLY_CREDENTIALS, a SHA-256 fingerprint"
                                            + " with ACCEPT_CA, the new identity with REPLACE_IDENTITY, a credential's name"
                                            + " with KEEP, names separated by commas with COLLECT_ORPHANS, the name of what is"
                                            + " deleted with FORCE")
                    @Nullable
                    String argument) {}

    /**
     * All decisions.
     *
     * @param items the latest first
     */
    @Schema(name = "Decisions")
    record Page(List<DecisionInfo> items) {}

    @Operation(
            operationId = "listDecisions",
            summary = "List decisions",
            description = "All decisions about flows of the cluster, the latest first.")
    @ApiResponse(responseCode = "200", description = "Who decided what, when and why")
    @ApiResponse(responseCode = "404", description = "There is no such cluster", content = @Content)
    @GetMapping
    Page list(@PathVariable String namespace, @PathVariable String name) {
        return about(clusters.resolve(namespace, name).ref());
    }

    /** The same for whatever has flows. */
    Page about(ClusterRef subject) {
        return new Page(decisions.ofCluster(subject.uid()).stream()
                .map(DecisionInfo::of)
                .toList());
    }

    @Operation(
            operationId = "decide",
            summary = "Decide",
            description = "Records what shall happen with a phase and applies it. MARK_DONE and SKIP look at the phase,"
                    + " live, before.")
    @ApiResponse(responseCode = "200", description = "The decision holds")
    @ApiResponse(responseCode = "202", description = "The decision is recorded and will be applied")
    @ApiResponse(responseCode = "400", description = "A field is missing or wrong", content = @Content)
    @ApiResponse(responseCode = "404", description = "There is no such cluster", content = @Content)
    @ApiResponse(
            responseCode = "409",
            description = "Somebody else was quicker, the phase was left, or the live check does not pass",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                            schema = @Schema(implementation = ProblemDetail.class),
                            examples =
                                    @ExampleObject(
                                            """
                    {"type": "/problems/decision-conflict", "title": "Conflict", "status": 409, "code": "DecisionConflict",
                     "detail": "EnsureCertificates of demo/c1 was left at 2026-01-01T11:00:00Z: alice decided RETRY at \
                    2026-01-01T10:59:59Z", "object": "demo/c1", "remedy": "Look at the cluster again, then decide anew"}""")))
    @ApiResponse(responseCode = "422", description = "The phase does not allow that choice", content = @Content)
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<DecisionInfo> decide(
            @PathVariable String namespace,
            @PathVariable String name,
            @RequestBody DecisionRequest body,
            @Parameter(hidden = true) Principal user) {
        return decideAbout(clusters.resolve(namespace, name).ref(), body, user.getName());
    }

    /** The same for whatever has flows. */
    ResponseEntity<DecisionInfo> decideAbout(ClusterRef cluster, DecisionRequest body, String user) {
        Decision.Wish wish = new Decision.Wish(
                Choice.named(body.choice(), "choice"),
                body.from(),
                Decision.Wish.parseDuration(body.duration()),
                body.reason(),
                Boolean.TRUE.equals(body.override()),
                body.argument());
        Decision decision = decide(cluster, body.run(), wish, user);
        if (decision.state() == Decision.State.REFUSED || decision.state() == Decision.State.OVERTAKEN) {
            boolean refused = decision.state() == Decision.State.REFUSED;
            throw new ApiProblem(
                            HttpStatus.CONFLICT,
                            refused ? "CheckFailed" : "DecisionConflict",
                            String.valueOf(decision.result()))
                    .object(cluster.display())
                    .remedy(
                            refused
                                    ? "Cure what the check says, or decide something else"
                                    : "Look at the cluster again, then decide anew");
        }
        HttpStatus status = decision.state() == Decision.State.OPEN ? HttpStatus.ACCEPTED : HttpStatus.OK;
        return ResponseEntity.status(status).body(DecisionInfo.of(decision));
    }

    private Decision decide(ClusterRef cluster, @Nullable String run, Decision.Wish wish, String by) {
        if (run != null) {
            // A run that was left is still found, and answered with what became of it.
            boolean known = flows.latest(cluster.uid()).stream()
                            .flatMap(flow -> flow.phases().stream())
                            .anyMatch(phase -> run.equals(phase.run()))
                    || decisions.ofCluster(cluster.uid()).stream().anyMatch(past -> run.equals(past.runId()));
            if (!known) {
                throw new Decisions.Invalid(
                        "run", "There is no run " + run + " of this cluster", "Take the run of a current phase");
            }
            return decisions.decide(run, wish, by);
        }
        List<FlowView> active = flows.active(cluster.uid());
        List<PhaseView> waiting = active.stream()
                .flatMap(flow -> FlowReading.currentPhases(flow).stream())
                .toList();
        if (waiting.size() > 1) {
            throw new Decisions.Invalid(
                    "run",
                    "Several phases wait",
                    "Name one of "
                            + waiting.stream()
                                    .map(phase -> phase.name() + " " + phase.run())
                                    .toList());
        }
        if (waiting.size() == 1) {
            return decisions.decide(String.valueOf(waiting.get(0).run()), wish, by);
        }
        return active.stream()
                .findFirst()
                .map(flow -> decisions.decideForFlow(flow.id(), wish, by))
                .orElseThrow(
                        () -> new ApiProblem(HttpStatus.CONFLICT, "NoActiveFlow", "No flow of this cluster is active")
                                .object(cluster.display())
                                .remedy("Start one: POST /api/v1/clusters/" + cluster.display()
                                        + "/flows {\"flow\": \"init\"}, or \"import\""));
    }
}
