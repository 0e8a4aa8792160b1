package dev.slipway.api;

import dev.slipway.receipt.ReceiptBook;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Receipts of deletions, also of what is long gone. */
@RestController
@RequestMapping(path = "/api/v1/receipts", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Receipts", description = "What deletions did, also of what is long gone")
class ReceiptsController {

    private final ReceiptBook receipts;

    ReceiptsController(ReceiptBook receipts) {
        this.receipts = receipts;
    }

    /**
     * Which receipts are wanted.
     *
     * @param namespace of the cluster or work item
     * @param cluster name of the cluster or work item
     * @param since the deletion began then or later
     */
    record Filter(
            @Parameter(description = "Only in this namespace", example = "demo") @Nullable String namespace,
            @Parameter(description = "Only of clusters and work items of this name", example = "c1") @Nullable
                    String cluster,
            @Parameter(
                            description = "Only deletions that began then or later",
                            example = "2026-03-01T00:00:00Z",
                            schema = @Schema(type = "string", format = "date-time"))
                    @Nullable
                    String since) {}

    @Operation(operationId = "listReceipts", summary = "List receipts", description = "The latest first.")
    @ApiResponse(responseCode = "200", description = "A page; Link names the next one")
    @GetMapping
    ResponseEntity<ReceiptInfo.Page> list(
            @ParameterObject @ModelAttribute Filter filter, @ParameterObject @Valid @ModelAttribute Paging paging) {
        var read = receipts.list(
                Params.text(filter.namespace()),
                Params.text(filter.cluster()),
                Params.time("since", filter.since()),
                paging.slice());
        return paging.answer(read)
                .body(new ReceiptInfo.Page(
                        read.items().stream().map(ReceiptInfo::of).toList(),
                        read.total(),
                        paging.slice().offset(),
                        paging.slice().limit()));
    }

    @Operation(
            operationId = "getReceipt",
            summary = "Show a receipt",
            description = "Each object with its fate, how long each phase took, who decided what.")
    @ApiResponse(responseCode = "200", description = "The receipt")
    @ApiResponse(responseCode = "404", description = "There is no such receipt", content = @Content)
    @GetMapping("/{flow}")
    ReceiptInfo.Details show(@PathVariable String flow) {
        return receipts.find(flow).map(ReceiptInfo.Details::of).orElseThrow(() -> new ApiProblem(
                        HttpStatus.NOT_FOUND, "ReceiptNotFound", "There is no receipt of a flow " + flow)
                .object(flow)
                .remedy("See GET /api/v1/receipts?namespace=…&cluster=…"));
    }
}
