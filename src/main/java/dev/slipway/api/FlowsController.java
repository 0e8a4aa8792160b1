package dev.slipway.api;

import dev.slipway.kernel.Diagrams;
import dev.slipway.kernel.Flows;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
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

    FlowsController(Flows flows, Diagrams diagrams) {
        this.flows = flows;
        this.diagrams = diagrams;
    }

    @Operation(summary = "Show a flow", description = "All phases of the diagram in order, each in its latest run.")
    @ApiResponse(responseCode = "200", description = "The flow")
    @ApiResponse(responseCode = "404", description = "There is no such flow", content = @Content)
    @GetMapping("/{id}")
    FlowInfo show(@PathVariable String id) {
        return flows.find(id).map(FlowInfo::full).orElseThrow(() -> absent(id, "There is no flow " + id));
    }

    @Operation(
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
