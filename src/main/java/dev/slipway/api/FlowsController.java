package dev.slipway.api;

import dev.slipway.kernel.Diagrams;
import dev.slipway.kernel.FlowHistory;
import dev.slipway.kernel.FlowHistory.FlowQuestion;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.Flows;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.net.URI;
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

/** Flows by their id. */
@RestController
@RequestMapping(path = "/api/v1/flows", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Flows", description = "Flows by their id, also ended ones")
class FlowsController {

    private final Flows flows;
    private final Diagrams diagrams;
    private final FlowHistory history;

    FlowsController(Flows flows, Diagrams diagrams, FlowHistory history) {
        this.flows = flows;
        this.diagrams = diagrams;
        this.history = history;
    }

    /**
     * Which flows are wanted.
     *
     * @param kind of the flow
     * @param state how it stands
     * @param namespace of the cluster or work item
     * @param cluster name of the cluster or work item
     * @param since started then or later
     */
    record Filter(
            @Parameter(
                            description =
                                    "Only of this kind: init, import, delete, work-item-install, work-item-delete",
                            example = "init")
                    @Nullable
                    String kind,
            @Parameter(description = "Only those that stand so", example = "RUNNING") @Nullable FlowState state,
            @Parameter(description = "Only in this namespace", example = "demo") @Nullable String namespace,
            @Parameter(description = "Only of clusters and work items of this name", example = "c1") @Nullable
                    String cluster,
            @Parameter(
                            description = "Only those that started then or later",
                            example = "2026-03-01T00:00:00Z",
                            schema = @Schema(type = "string", format = "date-time"))
                    @Nullable
                    String since) {}

    @Operation(
            operationId = "listFlows",
            summary = "List flows",
            description = "Running and ended ones, the latest first, with the phases where their tokens stand.")
    @ApiResponse(responseCode = "200", description = "A page; Link names the next one")
    @GetMapping
    ResponseEntity<FlowInfo.Page> list(
            @ParameterObject @ModelAttribute Filter filter, @ParameterObject @Valid @ModelAttribute Paging paging) {
        FlowQuestion question = new FlowQuestion(
                Params.text(filter.kind()),
                filter.state(),
                Params.text(filter.namespace()),
                Params.text(filter.cluster()),
                Params.time("since", filter.since()));
        var read = history.flows(question, paging.slice());
        return paging.answer(read)
                .body(new FlowInfo.Page(
                        read.items().stream().map(FlowInfo::summary).toList(),
                        read.total(),
                        paging.slice().offset(),
                        paging.slice().limit()));
    }

    @Operation(
            operationId = "listRuns",
            summary = "List the runs of a flow",
            description = "Each time that a phase was entered, also when it was entered again, the oldest first.")
    @ApiResponse(responseCode = "200", description = "All runs")
    @ApiResponse(responseCode = "404", description = "There is no such flow", content = @Content)
    @GetMapping("/{id}/runs")
    RunInfo.Page runs(@PathVariable String id) {
        return new RunInfo.Page(history.runs(id).orElseThrow(() -> absent(id, "There is no flow " + id)).stream()
                .map(RunInfo::of)
                .toList());
    }

    @Operation(
            operationId = "getFlow",
            summary = "Show a flow",
            description = "All phases of the diagram in order, each in its latest run.")
    @ApiResponse(responseCode = "200", description = "The flow")
    @ApiResponse(responseCode = "404", description = "There is no such flow", content = @Content)
    @GetMapping("/{id}")
    FlowInfo show(@PathVariable String id) {
        return flows.find(id).map(FlowInfo::full).orElseThrow(() -> absent(id, "There is no flow " + id));
    }

    @Operation(
            operationId = "getFlowDiagram",
            summary = "Show the diagram of a flow",
            description = "The BPMN XML of the version that the flow runs; the elementId of each phase is in it.")
    @ApiResponse(
            responseCode = "200",
            description = "The diagram",
            content = @Content(mediaType = MediaType.APPLICATION_XML_VALUE, schema = @Schema(type = "string")))
    @ApiResponse(responseCode = "404", description = "There is no such flow, or no diagram of it", content = @Content)
    @GetMapping(path = "/{id}/diagram", produces = MediaType.APPLICATION_XML_VALUE)
    String diagram(@PathVariable String id) {
        return diagrams.ofFlow(id).orElseThrow(() -> absent(id, "There is no flow " + id + ", or no diagram of it"));
    }

    private static ApiProblem absent(String id, String detail) {
        return new ApiProblem(HttpStatus.NOT_FOUND, "FlowNotFound", detail)
                .object(id)
                .remedy("See GET /api/v1/clusters/{namespace}/{name} for the flows of a cluster");
    }

    /** Where a flow is found. */
    static URI uri(String id) {
        return URI.create("/api/v1/flows/" + id);
    }
}
