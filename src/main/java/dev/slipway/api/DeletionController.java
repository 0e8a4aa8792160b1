package dev.slipway.api;

import dev.slipway.api.ClusterResolver.Resolved;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionPreview;
import dev.slipway.deletion.DeletionPreviews;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What a deletion would do. */
@RestController
@RequestMapping(path = "/api/v1/clusters", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Clusters")
class DeletionController {

    private final ClusterResolver clusters;
    private final DeletionPreviews previews;

    DeletionController(ClusterResolver clusters, DeletionPreviews previews) {
        this.clusters = clusters;
        this.previews = previews;
    }

    /**
     * What a deletion would do, as things stand.
     *
     * @param mode in which mode: as asked for, or by the cluster's policy
     * @param items what it would meet
     * @param warnings what to know before
     * @param text the same for people
     */
    @Schema(name = "DeletionPreview")
    record Preview(
            @Schema(example = "Full") String mode,
            List<Item> items,
            List<String> warnings,
            @Schema(description = "The same for people, a line each") String text) {

        static Preview of(DeletionPreview preview) {
            return new Preview(
                    preview.mode().text(),
                    preview.items().stream().map(Item::of).toList(),
                    preview.warnings(),
                    preview.text());
        }
    }

    /**
     * Objects of one kind.
     *
     * @param kind the kind
     * @param where on which cluster
     * @param action what becomes of them
     * @param owner who takes them away
     * @param count how many
     * @param names which
     */
    @Schema(name = "DeletionPreviewItem")
    record Item(
            @Schema(example = "Machine") String kind,
            @Schema(description = "management, platform or workload") String where,
            @Schema(description = "delete, keep or release") String action,
            @Schema(example = "Cluster API") String owner,
            int count,
            List<String> names) {

        static Item of(DeletionPreview.Item item) {
            return new Item(item.kind(), item.where(), item.action(), item.owner(), item.count(), item.names());
        }
    }

    @Operation(
            operationId = "previewDeletion",
            summary = "Preview a deletion",
            description =
                    "The objects that a deletion would meet, by kind, count and owner, by live reads. Writes nothing.")
    @ApiResponse(responseCode = "200", description = "What it would do")
    @ApiResponse(responseCode = "400", description = "There is no such mode", content = @Content)
    @ApiResponse(responseCode = "404", description = "There is no such cluster", content = @Content)
    @GetMapping("/{namespace}/{name}/deletion")
    Preview preview(
            @PathVariable String namespace,
            @PathVariable String name,
            @Parameter(
                            description = "By the cluster's policy if it is left out",
                            schema =
                                    @Schema(
                                            type = "string",
                                            allowableValues = {"Full", "Detach", "Forget"}))
                    @RequestParam(required = false)
                    @Nullable
                    String mode) {
        DeletionMode wanted = mode(mode);
        Resolved cluster = clusters.resolve(namespace, name);
        return Preview.of(previews.preview(cluster.ref(), wanted));
    }

    private static @Nullable DeletionMode mode(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        return DeletionMode.named(text.strip())
                .orElseThrow(() -> new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "There is no mode " + text)
                        .field("mode")
                        .remedy("Use one of "
                                + Arrays.stream(DeletionMode.values())
                                        .map(DeletionMode::text)
                                        .collect(Collectors.joining(", "))));
    }
}
