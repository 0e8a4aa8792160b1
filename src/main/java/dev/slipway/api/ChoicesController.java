package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What a new cluster can be made of. */
@RestController
@RequestMapping(path = "/api/v1", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Clusters")
class ChoicesController {

    private final LiveReader reader;
    private final KubernetesProperties kubernetes;

    ChoicesController(LiveReader reader, KubernetesProperties kubernetes) {
        this.reader = reader;
        this.kubernetes = kubernetes;
    }

    /**
     * A ClusterClass.
     *
     * @param namespace its namespace
     * @param name its name
     * @param workers its classes of workers
     * @param variables what it can be told
     */
    @Schema(name = "ClusterClass")
    record ClassInfo(
            @Schema(example = "demo") String namespace,
            @Schema(example = "sandbox") String name,
            @Schema(example = "[\"default-worker\"]", description = "Its classes of workers") List<String> workers,
            List<Variable> variables) {

        static ClassInfo of(KubeObject object) {
            List<String> workers = new ArrayList<>();
            object.at("spec", "workers", "machineDeployments")
                    .forEach(deployment -> workers.add(deployment.path("class").asText()));
            List<Variable> variables = new ArrayList<>();
            object.at("spec", "variables").forEach(variable -> variables.add(Variable.of(variable)));
            return new ClassInfo(object.namespace(), object.name(), workers, variables);
        }
    }

    /**
     * What a class can be told.
     *
     * @param name the variable
     * @param required whether it must be
     * @param schema what may be said
     */
    @Schema(name = "ClusterClassVariable")
    record Variable(
            @Schema(example = "imageRepository") String name,
            @Schema(description = "Whether it needs a value; one with a default has one") boolean required,
            @Schema(type = "object", description = "Its OpenAPI v3 schema, as the class has it") @Nullable
                    JsonNode schema) {

        static Variable of(JsonNode variable) {
            JsonNode schema = variable.path("schema").path("openAPIV3Schema");
            return new Variable(
                    variable.path("name").asText(),
                    variable.path("required").asBoolean(),
                    schema.isObject() ? schema : null);
        }
    }

    /**
     * Classes.
     *
     * @param items by namespace and name
     */
    @Schema(name = "ClusterClasses")
    record Classes(@Schema(description = "By namespace and name") List<ClassInfo> items) {}

    /**
     * A namespace.
     *
     * @param name its name
     */
    @Schema(name = "Namespace")
    record NamespaceInfo(@Schema(example = "demo") String name) {}

    /**
     * Namespaces.
     *
     * @param items by name
     */
    @Schema(name = "Namespaces")
    record Namespaces(@Schema(description = "By name") List<NamespaceInfo> items) {}

    @Operation(
            operationId = "listClusterClasses",
            summary = "List ClusterClasses",
            description = "What a cluster's topology can be an instance of, with the variables, live.")
    @ApiResponse(responseCode = "200", description = "The classes; none if Cluster API serves none")
    @GetMapping("/cluster-classes")
    Classes classes(
            @Parameter(description = "Only of this namespace", example = "demo")
                    @RequestParam(required = false)
                    @Nullable
                    String namespace) {
        String only = Params.text(namespace);
        List<String> namespaces = only == null ? kubernetes.searched() : List.of(only);
        return new Classes(reader.find(ClusterApi.GROUP, "ClusterClass").stream()
                .flatMap(type -> namespaces.stream().flatMap(each -> reader.list(type, each, Map.of()).stream()))
                .sorted(Comparator.comparing(KubeObject::namespace).thenComparing(KubeObject::name))
                .map(ClassInfo::of)
                .toList());
    }

    @Operation(
            operationId = "listNamespaces",
            summary = "List namespaces",
            description =
                    "Where a cluster can be created: those that are configured, else all that are not going, live.")
    @ApiResponse(responseCode = "200", description = "The namespaces")
    @GetMapping("/namespaces")
    Namespaces namespaces() {
        Stream<String> names = kubernetes.namespaces().isEmpty()
                ? reader.list(ResourceType.NAMESPACES, "", Map.of()).stream()
                        .filter(namespace -> !namespace.deleting())
                        .map(KubeObject::name)
                : kubernetes.namespaces().stream();
        return new Namespaces(names.sorted().map(NamespaceInfo::new).toList());
    }
}
