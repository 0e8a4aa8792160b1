package dev.slipway.api;

import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.storage.Sliced;
import dev.slipway.workitem.ItemReceipts;
import dev.slipway.workitem.WorkItem;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.security.Principal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Work items, their flows, and what operators decide about them. */
@RestController
@RequestMapping(path = "/api/v1/work-items", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Work items", description = "Charts and manifests on workload clusters")
class WorkItemsController {

    private static final Set<String> KINDS = Set.of(Flows.ITEM_INSTALL, Flows.ITEM_DELETE);

    private final LiveReader reader;
    private final KubernetesProperties kubernetes;
    private final Flows flows;
    private final DecisionsController decisions;

    WorkItemsController(
            LiveReader reader, KubernetesProperties kubernetes, Flows flows, DecisionsController decisions) {
        this.reader = reader;
        this.kubernetes = kubernetes;
        this.flows = flows;
        this.decisions = decisions;
    }

    /**
     * Which flow to start.
     *
     * @param flow its kind
     */
    @Schema(name = "StartWorkItemFlow")
    record StartItemFlow(
            @Schema(
                            example = "work-item-install",
                            requiredMode = Schema.RequiredMode.REQUIRED,
                            description =
                                    "work-item-install, or work-item-delete for a work item that is being deleted")
                    @Nullable
                    String flow) {}

    @Operation(
            operationId = "listWorkItems",
            summary = "List work items",
            description = "Read live, with the phases where their flows stand.")
    @ApiResponse(responseCode = "200", description = "The work items by namespace and name")
    @GetMapping
    ResponseEntity<WorkItemInfo.Page> list(
            @Parameter(description = "Only in this namespace", example = "demo")
                    @RequestParam(required = false)
                    @Nullable
                    String namespace,
            @Parameter(description = "Only on this cluster", example = "c1") @RequestParam(required = false) @Nullable
                    String cluster,
            @ParameterObject @Valid @ModelAttribute Paging paging) {
        String only = Params.text(namespace);
        List<String> namespaces = only == null ? kubernetes.searched() : List.of(only);
        List<KubeObject> matching = namespaces.stream()
                .flatMap(each -> reader.list(ResourceType.WORK_ITEMS, each, Map.of()).stream())
                .filter(item -> cluster == null
                        || cluster.isBlank()
                        || cluster.equals(
                                item.text("spec", "clusterRef", "name").orElse("")))
                .sorted(Comparator.comparing(KubeObject::namespace).thenComparing(KubeObject::name))
                .toList();
        Map<String, Long> counts = matching.stream()
                .collect(Collectors.groupingBy(WorkItemInfo::phase, TreeMap::new, Collectors.counting()));
        Sliced<WorkItemInfo> page =
                Sliced.of(matching, paging.slice()).map(item -> WorkItemInfo.of(item, flows.latest(item.uid()), false));
        return paging.answer(page)
                .body(new WorkItemInfo.Page(
                        page.items(),
                        page.total(),
                        paging.slice().offset(),
                        paging.slice().limit(),
                        counts));
    }

    @Operation(
            operationId = "getWorkItem",
            summary = "Show a work item",
            description = "With all phases of its latest flows.")
    @ApiResponse(responseCode = "200", description = "The work item")
    @ApiResponse(responseCode = "404", description = "There is no such work item", content = @Content)
    @GetMapping("/{namespace}/{name}")
    WorkItemInfo show(@PathVariable String namespace, @PathVariable String name) {
        KubeObject item = find(namespace, name);
        return WorkItemInfo.of(item, flows.latest(item.uid()), true);
    }

    @Operation(
            operationId = "startWorkItemFlow",
            summary = "Start a flow",
            description = "Installs the work item once more, or begins its removal again after an operator ended it.")
    @ApiResponse(responseCode = "201", description = "The flow has started")
    @ApiResponse(responseCode = "400", description = "There is no such flow", content = @Content)
    @ApiResponse(responseCode = "404", description = "There is no such work item", content = @Content)
    @ApiResponse(responseCode = "409", description = "A flow of the work item is active", content = @Content)
    @PostMapping(path = "/{namespace}/{name}/flows", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<FlowInfo> start(
            @PathVariable String namespace,
            @PathVariable String name,
            @RequestBody StartItemFlow body,
            @Parameter(hidden = true) Principal user) {
        KubeObject item = find(namespace, name);
        String kind = body.flow() == null ? "" : body.flow();
        boolean fits = KINDS.contains(kind) && kind.equals(Flows.ITEM_DELETE) == item.deleting();
        if (!fits) {
            throw new ApiProblem(
                            HttpStatus.BAD_REQUEST,
                            "FlowNotPossible",
                            "The flow \"" + kind + "\" cannot start for a work item that is "
                                    + (item.deleting() ? "" : "not ") + "being deleted")
                    .object(namespace + "/" + name)
                    .remedy(
                            item.deleting()
                                    ? "Use {\"flow\": \"work-item-delete\"}"
                                    : "Use {\"flow\": \"work-item-install\"}; to remove it, delete the WorkItem");
        }
        try {
            FlowView flow = flows.start(
                    kind, WorkItem.refOf(item), user.getName(), null, Map.of(ItemReceipts.BY, user.getName()));
            return ResponseEntity.created(FlowsController.uri(flow.id())).body(FlowInfo.full(flow));
        } catch (Flows.FlowConflict e) {
            throw new ApiProblem(HttpStatus.CONFLICT, "FlowActive", String.valueOf(e.getMessage()))
                    .object(namespace + "/" + name)
                    .remedy("Wait until it ends, or decide about its phase: POST /api/v1/work-items/" + namespace + "/"
                            + name + "/decisions");
        }
    }

    @Operation(
            operationId = "listWorkItemDecisions",
            summary = "List decisions",
            description = "All decisions about flows of the work item, the latest first.")
    @ApiResponse(responseCode = "200", description = "Who decided what, when and why")
    @ApiResponse(responseCode = "404", description = "There is no such work item", content = @Content)
    @GetMapping("/{namespace}/{name}/decisions")
    DecisionsController.Page decisions(@PathVariable String namespace, @PathVariable String name) {
        return decisions.about(WorkItem.refOf(find(namespace, name)));
    }

    @Operation(
            operationId = "decideAboutWorkItem",
            summary = "Decide",
            description =
                    "As for clusters: records what shall happen with a phase of the work item's flow, and applies it.")
    @ApiResponse(responseCode = "200", description = "The decision holds")
    @ApiResponse(responseCode = "202", description = "The decision is recorded and will be applied")
    @ApiResponse(responseCode = "404", description = "There is no such work item", content = @Content)
    @ApiResponse(responseCode = "422", description = "The phase does not allow that choice", content = @Content)
    @PostMapping(path = "/{namespace}/{name}/decisions", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<DecisionInfo> decide(
            @PathVariable String namespace,
            @PathVariable String name,
            @RequestBody DecisionsController.DecisionRequest body,
            @Parameter(hidden = true) Principal user) {
        ClusterRef item = WorkItem.refOf(find(namespace, name));
        return decisions.decideAbout(item, body, user.getName());
    }

    private KubeObject find(String namespace, String name) {
        return reader.get(ResourceType.WORK_ITEMS, namespace, name).orElseThrow(() -> new ApiProblem(
                        HttpStatus.NOT_FOUND, "WorkItemNotFound", "There is no WorkItem " + namespace + "/" + name)
                .object(namespace + "/" + name)
                .remedy("See GET /api/v1/work-items"));
    }
}
