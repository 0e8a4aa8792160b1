package dev.slipway.api;

import dev.slipway.audit.AuditAction;
import dev.slipway.audit.AuditBook;
import dev.slipway.audit.AuditQuestion;
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

/** Who did what. */
@RestController
@RequestMapping(path = "/api/v1/audit", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Audit", description = "Who did what, when and why")
class AuditController {

    private final AuditBook book;

    AuditController(AuditBook book) {
        this.book = book;
    }

    /**
     * Which deeds are wanted.
     *
     * @param by who did them
     * @param action what was done
     * @param namespace of the object
     * @param cluster the object's name
     * @param since done then or later
     * @param until done before
     */
    record Filter(
            @Parameter(description = "Only what that user did", example = "ada") @Nullable String by,
            @Parameter(description = "Only such deeds", example = "DECIDE") @Nullable AuditAction action,
            @Parameter(description = "Only about objects in this namespace", example = "demo") @Nullable
                    String namespace,
            @Parameter(description = "Only about clusters and work items of this name", example = "c1") @Nullable
                    String cluster,
            @Parameter(
                            description = "Only what was done then or later",
                            example = "2026-03-01T00:00:00Z",
                            schema = @Schema(type = "string", format = "date-time"))
                    @Nullable
                    String since,
            @Parameter(
                            description = "Only what was done before",
                            example = "2026-04-01T00:00:00Z",
                            schema = @Schema(type = "string", format = "date-time"))
                    @Nullable
                    String until) {}

    @Operation(
            operationId = "listAudit",
            summary = "Read the audit trail",
            description = "Starts, decisions from wherever they came, creations, credentials, sign-ins and refusals;"
                    + " the latest first. Beyond the 10000th entry go on with until.")
    @ApiResponse(responseCode = "200", description = "A page; Link names the next one")
    @GetMapping
    ResponseEntity<AuditInfo.Page> list(
            @ParameterObject @ModelAttribute Filter filter, @ParameterObject @Valid @ModelAttribute Paging paging) {
        AuditQuestion question = new AuditQuestion(
                Params.text(filter.by()),
                filter.action(),
                Params.text(filter.namespace()),
                Params.text(filter.cluster()),
                Params.time("since", filter.since()),
                Params.time("until", filter.until()));
        var read = book.read(question, paging.slice());
        return paging.answer(read).body(AuditInfo.Page.of(read, paging));
    }
}
