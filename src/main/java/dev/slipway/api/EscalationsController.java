package dev.slipway.api;

import dev.slipway.kernel.FlowHistory;
import dev.slipway.kernel.FlowHistory.EscalationQuestion;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** When phases needed an operator, and how that ended. */
@RestController
@RequestMapping(path = "/api/v1/escalations", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Stuck")
class EscalationsController {

    private final FlowHistory history;

    EscalationsController(FlowHistory history) {
        this.history = history;
    }

    /**
     * Which escalations are wanted.
     *
     * @param open whether it is open still
     * @param namespace of the cluster or work item
     * @param cluster name of the cluster or work item
     * @param phase the phase's name
     * @param since opened then or later
     */
    record Filter(
            @Parameter(description = "Only those that are open, or only those that are over") @Nullable Boolean open,
            @Parameter(description = "Only in this namespace", example = "demo") @Nullable String namespace,
            @Parameter(description = "Only of clusters and work items of this name", example = "c1") @Nullable
                    String cluster,
            @Parameter(description = "Only of this phase", example = "EnsureCertificates") @Nullable String phase,
            @Parameter(
                            description = "Only those that began then or later",
                            example = "2026-03-01T00:00:00Z",
                            schema = @Schema(type = "string", format = "date-time"))
                    @Nullable
                    String since) {}

    @Operation(
            operationId = "listEscalations",
            summary = "List escalations",
            description = "Each time that a phase needed an operator, open and over, the latest first.")
    @ApiResponse(responseCode = "200", description = "A page; Link names the next one")
    @GetMapping
    ResponseEntity<EscalationInfo.Page> list(
            @ParameterObject @ModelAttribute Filter filter, @ParameterObject @Valid @ModelAttribute Paging paging) {
        EscalationQuestion question = new EscalationQuestion(
                filter.open(),
                Params.text(filter.namespace()),
                Params.text(filter.cluster()),
                Params.text(filter.phase()),
                Params.time("since", filter.since()));
        var read = history.escalations(question, paging.slice());
        return paging.answer(read).body(EscalationInfo.Page.of(read, paging));
    }
}
