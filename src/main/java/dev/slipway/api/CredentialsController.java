package dev.slipway.api;

import dev.slipway.api.ClusterResolver.Resolved;
import dev.slipway.audit.AuditAction;
import dev.slipway.audit.AuditBook;
import dev.slipway.audit.AuditEntry;
import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseView;
import dev.slipway.phase.Directive;
import dev.slipway.status.FlowReading;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Gives the import of a cluster another kubeconfig, without importing the cluster anew. */
@RestController
@RequestMapping(path = "/api/v1/clusters/{namespace}/{name}/credentials", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Clusters")
class CredentialsController {

    private static final String KEY = "value";
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    private final ClusterResolver clusters;
    private final FlowStarts starts;
    private final Flows flows;
    private final Decisions decisions;
    private final AuditBook audit;

    CredentialsController(
            ClusterResolver clusters, FlowStarts starts, Flows flows, Decisions decisions, AuditBook audit) {
        this.clusters = clusters;
        this.starts = starts;
        this.flows = flows;
        this.decisions = decisions;
        this.audit = audit;
    }

    /**
     * Names the new credentials.
     *
     * @param secretName a Secret in the cluster's namespace with a kubeconfig under the key {@code value}
     * @param reason for the record
     */
    @Schema(name = "Credentials")
    record Credentials(
            @Schema(
                            example = "c1-new-access",
                            requiredMode = Schema.RequiredMode.REQUIRED,
                            description = "A Secret in the cluster's namespace, with a kubeconfig under the key value")
                    @Nullable
                    String secretName,
            @Schema(description = "Kept with the decision") @Nullable String reason) {}

    /**
     * What became of it.
     *
     * @param flow the flow that was started; null if one is active
     * @param decision what was decided about the active flow; null if one was started
     */
    @Schema(name = "CredentialsResult")
    record CredentialsResult(@Nullable FlowInfo flow, @Nullable DecisionInfo decision) {}

    @Operation(
            operationId = "replaceCredentials",
            summary = "Replace the credentials",
            description = "Lets the import use the kubeconfig of another Secret. What the platform uses stays until the"
                    + " new one has been proven. If the import waits for credentials this is the decision"
                    + " SUPPLY_CREDENTIALS about it; if no import is active one is started.")
    @ApiResponse(responseCode = "202", description = "The import goes on, or starts, with the new credentials")
    @ApiResponse(responseCode = "400", description = "The field secretName is missing or wrong", content = @Content)
    @ApiResponse(responseCode = "404", description = "There is no such cluster", content = @Content)
    @ApiResponse(
            responseCode = "409",
            description = "A flow is active that takes no credentials now",
            content = @Content)
    @ApiResponse(
            responseCode = "422",
            description = "The Secret does not exist, or has no key value",
            content = @Content)
    @PutMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<CredentialsResult> replace(
            @PathVariable String namespace,
            @PathVariable String name,
            @RequestBody Credentials body,
            @Parameter(hidden = true) Principal user) {
        String secret = body.secretName() == null ? "" : body.secretName().strip();
        if (!NAME.matcher(secret).matches()) {
            throw new ApiProblem(
                            HttpStatus.BAD_REQUEST,
                            secret.isEmpty() ? "MissingField" : "InvalidField",
                            "The field secretName " + (secret.isEmpty() ? "is missing" : "is no name of a Secret"))
                    .field("secretName")
                    .remedy("Name a Secret in the namespace " + namespace
                            + ", for example {\"secretName\": \"c1-access\"}");
        }
        Resolved cluster = clusters.resolve(namespace, name);
        clusters.requireSecret(cluster, secret, KEY);
        Optional<FlowView> active = flows.active(cluster.ref().uid()).stream()
                .filter(flow -> flow.kind().equals(Flows.IMPORT))
                .findFirst();
        CredentialsResult result = active.isPresent()
                ? new CredentialsResult(null, decide(active.get(), secret, body.reason(), user))
                : new CredentialsResult(start(cluster, secret, user), null);
        audit.note(AuditEntry.of(AuditAction.CREDENTIALS, user.getName(), "Secret " + secret)
                .about(AuditEntry.Subject.of(cluster.origin().text(), namespace, name))
                .because(body.reason()));
        return ResponseEntity.accepted().body(result);
    }

    private FlowInfo start(Resolved cluster, String secret, Principal user) {
        Map<String, String> facts = Map.of(Directive.SUPPLY_CREDENTIALS.fact(), secret);
        return FlowInfo.full(starts.start(Flows.IMPORT, cluster, user.getName(), facts));
    }

    private DecisionInfo decide(FlowView imports, String secret, @Nullable String reason, Principal user) {
        PhaseView phase = FlowReading.currentPhases(imports).stream()
                .filter(waiting -> waiting.choices().contains(Choice.SUPPLY_CREDENTIALS) && waiting.run() != null)
                .findFirst()
                .orElseThrow(() -> new ApiProblem(
                                HttpStatus.CONFLICT,
                                "FlowActive",
                                "The import of " + imports.cluster().display() + " runs, and no phase of it takes"
                                        + " credentials now")
                        .object(imports.cluster().display())
                        .remedy("Ask again when it has ended; or first decide RETRY_FROM with the phase"
                                + " EnsureControlPlaneReachable"));
        Decision.Wish wish = Decision.Wish.of(Choice.SUPPLY_CREDENTIALS, reason).about(secret);
        return DecisionInfo.of(decisions.decide(String.valueOf(phase.run()), wish, user.getName()));
    }
}
