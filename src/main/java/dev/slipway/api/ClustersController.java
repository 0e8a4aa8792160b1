package dev.slipway.api;

import dev.slipway.api.ClusterResolver.Origin;
import dev.slipway.api.ClusterResolver.Resolved;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.phase.Directive;
import dev.slipway.status.ClusterPhase;
import dev.slipway.status.FlowReading;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Clusters: what they are in the middle of, starting flows, and trying again. */
@RestController
@RequestMapping(path = "/api/v1/clusters", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Clusters", description = "What clusters are in the middle of, starting flows, and trying again")
class ClustersController {

    private static final int LONGEST_REASON = 1000;

    private final FleetView fleet;
    private final ClusterResolver clusters;
    private final FlowStarts starts;
    private final DeletionRequests deletions;
    private final Flows flows;

    ClustersController(
            FleetView fleet, ClusterResolver clusters, FlowStarts starts, DeletionRequests deletions, Flows flows) {
        this.fleet = fleet;
        this.clusters = clusters;
        this.starts = starts;
        this.deletions = deletions;
        this.flows = flows;
    }

    /**
     * Which clusters are wanted.
     *
     * @param namespace only of this one
     * @param state only those that stand so
     * @param q only those whose namespace/name, state, current phases, reasons or messages contain it
     * @param stuck only those that are stuck, or those that are not
     * @param origin only those that such an object stands for
     * @param sort by what
     * @param order which way round
     */
    record Filter(
            @Parameter(description = "Only of this namespace", example = "demo") @Nullable String namespace,
            @Parameter(
                            description = "Only clusters that stand so, in any case",
                            example = "Stuck",
                            schema =
                                    @Schema(
                                            type = "string",
                                            allowableValues = {
                                                "Pending",
                                                "Initializing",
                                                "Importing",
                                                "Paused",
                                                "Stuck",
                                                "Planned",
                                                "Ready",
                                                "Failed",
                                                "Deleting"
                                            }))
                    @Nullable
                    String state,
            @Parameter(
                            description =
                                    "Only clusters whose namespace/name, state, current phases, reasons or messages contain it,"
                                            + " in any case",
                            example = "c1")
                    @Nullable
                    String q,
            @Parameter(description = "Only clusters that are stuck, or only those that are not") @Nullable
                    Boolean stuck,
            @Parameter(
                            description = "Only what such an object stands for",
                            schema =
                                    @Schema(
                                            type = "string",
                                            allowableValues = {"WorkloadCluster", "Cluster"}))
                    @Nullable
                    String origin,
            @Parameter(
                            description =
                                    "attention: those that need somebody first, those that are ready last; name: by namespace and name;"
                                            + " created: by age; since: by how long it has stood as it does",
                            schema =
                                    @Schema(
                                            type = "string",
                                            defaultValue = "attention",
                                            allowableValues = {"attention", "name", "created", "since"}))
                    @Nullable
                    String sort,
            @Parameter(
                            description = "desc: the other way round",
                            schema =
                                    @Schema(
                                            type = "string",
                                            defaultValue = "asc",
                                            allowableValues = {"asc", "desc"}))
                    @Nullable
                    String order) {

        FleetQuery query() {
            return new FleetQuery(
                    Params.text(namespace),
                    phase(state),
                    Params.text(q),
                    stuck,
                    Params.oneOf("origin", origin, Origin.values(), Origin::text, null),
                    Objects.requireNonNull(Params.oneOf(
                            "sort", sort, FleetQuery.Sort.values(), Params::lower, FleetQuery.Sort.ATTENTION)),
                    Params.descending(order));
        }
    }

    /**
     * Says why.
     *
     * @param reason for the record
     */
    @Schema(name = "RetryRequest")
    record RetryRequest(
            @Schema(example = "The CA was replaced", description = "Kept with the decision") @Nullable String reason) {}

    /**
     * What was started anew.
     *
     * @param phases the phases' names
     * @param flow the flow that was started, if the last one had ended early
     */
    @Schema(name = "RetryResult")
    record RetryResult(
            @Schema(example = "[\"EnsureCertificates\"]") List<String> phases,
            @Schema(description = "The flow that was started, if the last one had ended early") @Nullable
                    String flow) {}

    @Operation(
            operationId = "listClusters",
            summary = "List clusters",
            description =
                    "All WorkloadClusters, and the Clusters of Cluster API that Slipway imports, with their leading"
                            + " flow and its current phases. A second old, in large fleets some more. While the"
                            + " management cluster does not answer, what the database knows is shown with a warning.")
    @GetMapping
    ResponseEntity<ClusterInfo.Page> list(
            @ParameterObject @ModelAttribute Filter filter, @ParameterObject @Valid @ModelAttribute Paging paging) {
        ClusterInfo.Page page = fleet.list(filter.query(), paging.slice());
        return paging.answer(page.total()).body(page);
    }

    @Operation(
            operationId = "getCluster",
            summary = "Show a cluster",
            description = "Its conditions, and the latest flow of each kind with all phases.")
    @ApiResponse(responseCode = "200", description = "The cluster")
    @ApiResponse(
            responseCode = "404",
            description = "There is no such cluster",
            content = @Content(schema = @Schema(implementation = ProblemDetail.class)))
    @GetMapping("/{namespace}/{name}")
    ClusterInfo.Details show(@PathVariable String namespace, @PathVariable String name) {
        return fleet.details(namespace, name);
    }

    @Operation(
            operationId = "startFlow",
            summary = "Start a flow",
            description =
                    "Accepts a new flow unless one of that kind is active for the cluster. The flow delete needs the"
                            + " cluster's name as confirmation, and ends flows that build the cluster.")
    @ApiResponse(responseCode = "202", description = "The flow has started; Location names it")
    @ApiResponse(
            responseCode = "409",
            description = "One is active already, or the cluster is being deleted",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                            schema = @Schema(implementation = ProblemDetail.class),
                            examples =
                                    @ExampleObject(
                                            """
                    {"type": "/problems/flow-active", "title": "Conflict", "status": 409, "code": "FlowActive",
                     "detail": "The flow init of demo/c1 is active: slipway started it at 2026-01-01T11:00:00Z", "object": "demo/c1",
                     "flow": "/api/v1/flows/f4e1c1d2-0c1e-11f1-9c3a-0242ac120002",
                     "remedy": "Wait until it ends, or POST /api/v1/clusters/demo/c1/retry"}""")))
    @ApiResponse(responseCode = "404", description = "There is no such cluster", content = @Content)
    @ApiResponse(responseCode = "400", description = "A field is missing or wrong", content = @Content)
    @ApiResponse(
            responseCode = "422",
            description = "There is no such flow, or not for that cluster",
            content = @Content)
    @PostMapping(path = "/{namespace}/{name}/flows", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<FlowInfo> start(
            @PathVariable String namespace,
            @PathVariable String name,
            @RequestBody StartFlow body,
            @Parameter(hidden = true) Principal user) {
        String kind = body.flow() == null ? "" : body.flow().strip();
        if (kind.isEmpty()) {
            throw new ApiProblem(HttpStatus.BAD_REQUEST, "MissingField", "The field flow is missing")
                    .field("flow")
                    .remedy("Name the flow, for example {\"flow\": \"init\"}");
        }
        if (!kind.equals(Flows.DELETE)) {
            DeletionRequests.refuseFieldsOfDeletions(body);
        }
        boolean reset = Boolean.TRUE.equals(body.reset());
        if (reset && !kind.equals(Flows.IMPORT)) {
            throw new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "Only the flow import can be reset")
                    .field("reset")
                    .remedy("Leave reset out, or use {\"flow\": \"import\", \"reset\": true}");
        }
        Resolved cluster = clusters.resolve(namespace, name);
        Map<String, String> facts =
                reset ? Map.of(Directive.RESET_IMPORT.fact(), UUID.randomUUID().toString()) : Map.of();
        FlowView flow = kind.equals(Flows.DELETE)
                ? deletions.start(body, cluster, user.getName())
                : starts.start(kind, cluster, user.getName(), facts);
        return ResponseEntity.accepted()
                .location(FlowsController.uri(flow.id()))
                .body(FlowInfo.full(flow));
    }

    @Operation(
            operationId = "retryCluster",
            summary = "Try again",
            description =
                    "Starts the current phases of the cluster's active flows anew, with fresh timers and counters. If no flow"
                            + " is active because the last one was aborted, starts one of that kind.")
    @ApiResponse(responseCode = "202", description = "The phases that were started anew")
    @ApiResponse(responseCode = "404", description = "There is no such cluster", content = @Content)
    @ApiResponse(responseCode = "409", description = "No flow is active", content = @Content)
    @PostMapping(path = "/{namespace}/{name}/retry", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<RetryResult> retry(
            @PathVariable String namespace,
            @PathVariable String name,
            @RequestBody(required = false) @Nullable RetryRequest body,
            @Parameter(hidden = true) Principal user) {
        String reason = body == null ? null : body.reason();
        if (reason != null && reason.length() > LONGEST_REASON) {
            throw new ApiProblem(HttpStatus.BAD_REQUEST, "InvalidField", "The field reason is too long")
                    .field("reason")
                    .remedy("Use at most " + LONGEST_REASON + " characters");
        }
        Resolved cluster = clusters.resolve(namespace, name);
        String uid = cluster.ref().uid();
        if (flows.active(uid).isEmpty()) {
            FlowView started = startedAgain(cluster, user);
            return ResponseEntity.accepted().body(new RetryResult(List.of(), started.id()));
        }
        try {
            List<String> phases = flows.retry(uid, user.getName(), reason);
            return ResponseEntity.accepted().body(new RetryResult(phases, null));
        } catch (Flows.FlowConflict e) {
            throw new ApiProblem(HttpStatus.CONFLICT, "DecisionConflict", String.valueOf(e.getMessage()))
                    .object(namespace + "/" + name)
                    .remedy("Look at the cluster again, then decide anew");
        }
    }

    /** A failed flow is not the end: the same kind starts anew, on the same objects. */
    private FlowView startedAgain(Resolved cluster, Principal user) {
        String display = cluster.ref().display();
        // One that another flow called ends with that one, and starts with it again.
        List<FlowView> own = flows.latest(cluster.ref().uid()).stream()
                .filter(flow -> flow.parent() == null)
                .toList();
        FlowView last = FlowReading.leading(own)
                .filter(flow -> flow.state() == FlowState.ABORTED)
                .orElseThrow(() -> new ApiProblem(
                                HttpStatus.CONFLICT,
                                "NoActiveFlow",
                                "No flow of this cluster is active, and the last one did not fail")
                        .object(display)
                        .remedy("Start one: POST /api/v1/clusters/" + display + "/flows {\"flow\": \""
                                + FlowStarts.usual(cluster) + "\"}"));
        if (last.kind().equals(Flows.DELETE)) {
            throw DeletionRequests.notByRetry(cluster);
        }
        return starts.start(last.kind(), cluster, user.getName(), Map.of());
    }

    private static @Nullable ClusterPhase phase(@Nullable String state) {
        if (state == null || state.isBlank()) {
            return null;
        }
        return ClusterPhase.parse(state.strip()).orElseThrow(() -> new ApiProblem(
                        HttpStatus.BAD_REQUEST, "InvalidField", "There is no cluster state " + state)
                .field("state")
                .remedy("Use one of "
                        + Arrays.stream(ClusterPhase.values())
                                .map(ClusterPhase::text)
                                .collect(Collectors.joining(", "))));
    }
}
