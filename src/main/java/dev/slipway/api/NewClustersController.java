package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.cluster.ManifestText;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.security.Action;
import dev.slipway.security.Permissions;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.security.Principal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** New clusters. */
@RestController
@Tag(name = "Clusters")
class NewClustersController {

    static final String YAML = "application/yaml";

    private static final int LONGEST = 256 * 1024;

    private final NewClusters clusters;
    private final Permissions permissions;

    NewClustersController(NewClusters clusters, Permissions permissions) {
        this.clusters = clusters;
        this.permissions = permissions;
    }

    /**
     * A WorkloadCluster as it is written: for the description only.
     *
     * @param apiVersion of Slipway
     * @param kind WorkloadCluster
     * @param metadata where and which
     * @param spec what it shall be
     */
    @Schema(name = "WorkloadCluster", description = "The custom resource, as for kubectl")
    record Manifest(
            @Schema(
                            example = "slipway.dev/v1alpha1",
                            allowableValues = "slipway.dev/v1alpha1",
                            requiredMode = Schema.RequiredMode.REQUIRED)
                    String apiVersion,
            @Schema(
                            example = "WorkloadCluster",
                            allowableValues = "WorkloadCluster",
                            requiredMode = Schema.RequiredMode.REQUIRED)
                    String kind,
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Metadata metadata,
            @Schema(
                            type = "object",
                            requiredMode = Schema.RequiredMode.REQUIRED,
                            description = "See the page about the WorkloadCluster for its fields",
                            example = "{\"version\": \"v1.36.3\", \"topology\": {\"class\": \"sandbox\"}}")
                    Map<String, Object> spec) {}

    /**
     * Where and which.
     *
     * @param namespace its namespace
     * @param name its name
     * @param labels its labels
     * @param annotations its annotations
     */
    @Schema(name = "Metadata")
    record Metadata(
            @Schema(example = "demo", requiredMode = Schema.RequiredMode.REQUIRED) String namespace,
            @Schema(example = "c1", requiredMode = Schema.RequiredMode.REQUIRED) String name,
            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations) {}

    @Operation(
            operationId = "createCluster",
            summary = "Create a cluster",
            description =
                    "Creates a WorkloadCluster, JSON or YAML, if nothing is against it: schema, rules and webhooks of"
                            + " the API server, then the checks of the phase Admission. Its init starts by itself. With dryRun"
                            + " nothing is created.",
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                                        schema = @Schema(implementation = Manifest.class)),
                                @Content(mediaType = YAML, schema = @Schema(implementation = Manifest.class))
                            }))
    @ApiResponse(
            responseCode = "201",
            description = "It is created; Location names it",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(type = "object", description = "The object as it is stored"),
                            examples =
                                    @ExampleObject(
                                            """
                    {"apiVersion": "slipway.dev/v1alpha1", "kind": "WorkloadCluster",
                     "metadata": {"namespace": "demo", "name": "c1", "uid": "0b3e0b0c-6f5b-4f6e-9d67-0f6f4ce0a001"},
                     "spec": {"version": "v1.36.3", "topology": {"class": "sandbox"}}}""")))
    @ApiResponse(
            responseCode = "200",
            description = "With dryRun: it would be created, with these defaults",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(type = "object", description = "The object as it would be stored"),
                            examples =
                                    @ExampleObject(
                                            """
                    {"apiVersion": "slipway.dev/v1alpha1", "kind": "WorkloadCluster",
                     "metadata": {"namespace": "demo", "name": "c1", "uid": "0b3e0b0c-6f5b-4f6e-9d67-0f6f4ce0a001"},
                     "spec": {"version": "v1.36.3", "topology": {"class": "sandbox"}}}""")))
    @ApiResponse(responseCode = "409", description = "There is one of that name", content = @Content)
    @ApiResponse(
            responseCode = "422",
            description = "It cannot be built as it is: errors names all that is wrong",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                            schema = @Schema(implementation = ProblemDetail.class),
                            examples =
                                    @ExampleObject(
                                            """
                    {"type": "/problems/invalid", "title": "Unprocessable Entity", "status": 422, "code": "Invalid",
                     "detail": "WorkloadCluster demo/c1 cannot be built as it is: one thing is wrong", "object": "demo/c1",
                     "errors": [{"field": "spec.topology.class", "code": "ClassUnknown",
                      "message": "there is no ClusterClass 'smal' in namespace 'demo'; there is small",
                      "remedy": "Use one of the existing classes, or set classNamespace to another namespace"}],
                     "remedy": "Correct what errors names"}""")))
    @PostMapping(
            path = "/api/v1/clusters",
            consumes = {MediaType.APPLICATION_JSON_VALUE, YAML},
            produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<JsonNode> create(
            @RequestBody String body,
            @Parameter(description = "Only check; nothing is created") @RequestParam(defaultValue = "false")
                    boolean dryRun,
            @Parameter(hidden = true) Principal user) {
        KubeObject wanted = read(body);
        permissions.require(Action.CREATE, wanted.namespace(), wanted.name());
        if (dryRun) {
            return ResponseEntity.ok(clusters.validated(wanted).json());
        }
        KubeObject created = clusters.create(wanted, user.getName());
        return ResponseEntity.created(URI.create("/api/v1/clusters/" + created.namespace() + "/" + created.name()))
                .body(created.json());
    }

    private static KubeObject read(String body) {
        if (body.length() > LONGEST) {
            throw new ApiProblem(HttpStatus.PAYLOAD_TOO_LARGE, "TooLarge", "The body is longer than 256 KiB")
                    .remedy("Leave out what a WorkloadCluster does not need");
        }
        try {
            return ManifestText.one(body);
        } catch (ManifestText.Unreadable e) {
            throw new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidBody", "The body cannot be read: " + e.getMessage())
                    .remedy("Send one WorkloadCluster, as JSON or YAML");
        }
    }
}
