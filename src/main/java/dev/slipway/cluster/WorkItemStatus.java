package dev.slipway.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a WorkItem tells people about its flows. Written best-effort; nothing decides by it.
 *
 * @param phase how it stands
 * @param ready whether it is installed and ready
 * @param observedGeneration the generation of the spec that this speaks of
 * @param conditions what holds and what does not
 * @param flow the latest flow
 * @param release what was installed last
 */
public record WorkItemStatus(
        @Nullable String phase,
        boolean ready,
        @Nullable Long observedGeneration,
        List<WorkloadClusterStatus.Condition> conditions,
        WorkloadClusterStatus.@Nullable Flow flow,
        @Nullable Release release) {

    public WorkItemStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }

    /**
     * What was installed last.
     *
     * @param name what it is called in the workload cluster
     * @param namespace its namespace there
     * @param revision Helm's revision; null for manifests
     * @param chartVersion the exact version of the chart; null for manifests
     */
    public record Release(
            @Nullable String name,
            @Nullable String namespace,
            @Nullable Integer revision,
            @Nullable String chartVersion) {}
}
