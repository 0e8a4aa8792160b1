package dev.slipway.api;

import dev.slipway.receipt.ReceiptBook;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
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

    @Operation(summary = "List receipts", description = "The latest first, at most 200.")
    @GetMapping
    ReceiptInfo.Page list(
            @Parameter(description = "Only this namespace") @RequestParam(required = false) @Nullable String namespace,
            @Parameter(description = "Only clusters and work items of this name")
                    @RequestParam(required = false)
                    @Nullable
                    String cluster,
            @Parameter(description = "Only deletions that began then or later", example = "2026-03-01T00:00:00Z")
                    @RequestParam(required = false)
                    @Nullable
                    String since) {
        return new ReceiptInfo.Page(receipts.list(blank(namespace), blank(cluster), time(since)).stream()
                .map(ReceiptInfo::of)
                .toList());
    }

    @Operation(
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

    private static @Nullable String blank(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    private static @Nullable Instant time(@Nullable String text) {
        String given = blank(text);
        try {
            return given == null ? null : Instant.parse(given);
        } catch (DateTimeParseException e) {
            throw new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "The time " + given + " cannot be read")
                    .field("since")
                    .remedy("Write it as 2026-03-01T00:00:00Z");
        }
    }
}
