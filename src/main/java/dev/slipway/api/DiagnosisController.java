package dev.slipway.api;

import dev.slipway.diagnosis.Diagnoses;
import dev.slipway.diagnosis.Diagnosis;
import dev.slipway.phase.ClusterRef;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What is wrong with a cluster, for people and for the file that goes to support. */
@RestController
@RequestMapping(path = "/api/v1/clusters")
@Tag(name = "Clusters")
class DiagnosisController {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");
    private static final DateTimeFormatter FILE_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Diagnoses diagnoses;

    DiagnosisController(Diagnoses diagnoses) {
        this.diagnoses = diagnoses;
    }

    @Operation(
            operationId = "diagnoseCluster",
            summary = "Diagnose a cluster",
            description =
                    "Looks at everything around the cluster, live, and says what is wrong; takes up to ten seconds"
                            + " when something does not answer. Works for any Cluster of Cluster API, and without a running"
                            + " flow. Accept: text/plain or text/markdown gives a page. Holds no secret.")
    @ApiResponse(
            responseCode = "200",
            description = "What was seen",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = DiagnosisInfo.class)),
                @Content(mediaType = MediaType.TEXT_PLAIN_VALUE, schema = @Schema(type = "string")),
                @Content(mediaType = DiagnosisFormat.MARKDOWN_VALUE, schema = @Schema(type = "string"))
            })
    @ApiResponse(
            responseCode = "404",
            description = "There is neither a WorkloadCluster, a Cluster nor a flow of that name",
            content = @Content(schema = @Schema(implementation = ProblemDetail.class)))
    @ApiResponse(
            responseCode = "429",
            description = "As many diagnoses as allowed are being taken; Retry-After says when to ask again",
            content = @Content(schema = @Schema(implementation = ProblemDetail.class)))
    @GetMapping(
            path = "/{namespace}/{name}/diagnosis",
            produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.TEXT_PLAIN_VALUE, DiagnosisFormat.MARKDOWN_VALUE})
    ResponseEntity<Object> diagnose(
            @PathVariable String namespace,
            @PathVariable String name,
            @Parameter(description = "Whether to give it as a file to hand on") @RequestParam(defaultValue = "false")
                    boolean download,
            @Parameter(hidden = true) @RequestHeader(name = HttpHeaders.ACCEPT, required = false) @Nullable
                    String accept) {
        Diagnosis diagnosis = take(new ClusterRef(valid("namespace", namespace), valid("name", name), ""));
        if (diagnosis.nothingThere()) {
            throw new ApiProblem(
                            HttpStatus.NOT_FOUND,
                            "ClusterNotFound",
                            "There is neither a WorkloadCluster, a Cluster nor a flow " + namespace + "/" + name)
                    .object(namespace + "/" + name)
                    .remedy("See GET /api/v1/clusters, or: kubectl get workloadclusters,clusters -A");
        }
        DiagnosisFormat format = DiagnosisFormat.of(accept == null ? List.of() : MediaType.parseMediaTypes(accept));
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok().contentType(format.type());
        if (download) {
            String file = fileName(diagnosis.cluster(), diagnosis.takenAt(), format);
            answer.header(
                    HttpHeaders.CONTENT_DISPOSITION,
                    ContentDisposition.attachment().filename(file).build().toString());
        }
        return answer.body(format.body(diagnosis));
    }

    private Diagnosis take(ClusterRef cluster) {
        try {
            return diagnoses.take(cluster, Duration.ZERO);
        } catch (Diagnoses.TooMany e) {
            throw new ApiProblem(HttpStatus.TOO_MANY_REQUESTS, "TooManyDiagnoses", String.valueOf(e.getMessage()))
                    .object(cluster.display())
                    .remedy("Ask again in some seconds");
        }
    }

    private static String valid(String field, String value) {
        if (NAME.matcher(value).matches()) {
            return value;
        }
        throw new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "The " + field + " cannot be one of Kubernetes")
                .field(field)
                .remedy("Use lower-case letters, digits, '-' and '.'");
    }

    private static String fileName(ClusterRef cluster, Instant takenAt, DiagnosisFormat format) {
        return "diagnosis-" + cluster.namespace() + "-" + cluster.name() + "-" + FILE_TIME.format(takenAt) + "."
                + format.extension();
    }
}
