package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.kernel.FlowView;
import dev.slipway.kubernetes.KubeObject;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One work item.
 *
 * @param namespace its namespace
 * @param name its name
 * @param uid its UID
 * @param cluster the cluster on which it is installed
 * @param chart the chart; null for manifests
 * @param phase how it stands
 * @param ready whether it is installed and ready
 * @param deleting whether it is being deleted
 * @param createdAt when it was made
 * @param release what was installed last
 * @param conditions what holds and what does not
 * @param flows the latest flow of each kind
 */
@Schema(name = "WorkItem", description = "A chart or manifests on a workload cluster")
record WorkItemInfo(
        @Schema(example = "demo") String namespace,
        @Schema(example = "ingress") String name,
        String uid,
        @Schema(example = "c1") String cluster,
        @Schema(example = "ingress-nginx") @Nullable String chart,
        @Schema(example = "Installed") String phase,
        boolean ready,
        boolean deleting,
        @Nullable Instant createdAt,
        @Nullable JsonNode release,
        @Nullable JsonNode conditions,
        List<FlowInfo> flows) {

    /**
     * All that match.
     *
     * @param items by namespace and name
     * @param total how many match
     * @param offset how many were left out
     * @param limit how many at most
     * @param counts how many stand how
     */
    @Schema(name = "WorkItems")
    record Page(
            @Schema(description = "By namespace and name") List<WorkItemInfo> items,
            @Schema(example = "1", description = "How many match; 10000 means so many or more") long total,
            @Schema(example = "0") int offset,
            @Schema(example = "100") int limit,
            @Schema(example = "{\"Installed\": 7}", description = "How many stand how, of all that match")
                    Map<String, Long> counts) {}

    /** How it stands, as its status says. */
    static String phase(KubeObject item) {
        return item.text("status", "phase").orElse("Pending");
    }

    /** What the object and its flows say. */
    static WorkItemInfo of(KubeObject item, List<FlowView> flows, boolean whole) {
        JsonNode status = item.at("status");
        return new WorkItemInfo(
                item.namespace(),
                item.name(),
                item.uid(),
                item.text("spec", "clusterRef", "name").orElse(""),
                item.text("spec", "chart", "name").orElse(null),
                phase(item),
                status.path("ready").asBoolean(),
                item.deleting(),
                item.created().orElse(null),
                status.path("release").isObject() ? status.path("release") : null,
                whole && status.path("conditions").isArray() ? status.path("conditions") : null,
                flows.stream()
                        .map(flow -> whole ? FlowInfo.full(flow) : FlowInfo.summary(flow))
                        .toList());
    }
}
