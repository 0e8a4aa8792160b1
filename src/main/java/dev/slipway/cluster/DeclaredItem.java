package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.cluster.WorkItemSpec.Chart;
import dev.slipway.cluster.WorkItemSpec.ItemManifests;
import dev.slipway.cluster.WorkItemSpec.ValuesFrom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A work item as a WorkloadCluster declares it: a name, and the fields of {@link WorkItemSpec} without the cluster.
 *
 * @param name unique in the cluster; its WorkItem is {@code <cluster>-<name>}
 */
public record DeclaredItem(
        String name,
        @Nullable Chart chart,
        @Nullable ItemManifests manifests,
        @Nullable String releaseName,
        String namespace,
        Boolean createNamespace,
        @Nullable JsonNode values,
        List<ValuesFrom> valuesFrom,
        Duration timeout,
        Boolean blocking,
        List<String> dependsOn,
        boolean dryRun,
        boolean paused) {

    public DeclaredItem(
            @Nullable String name,
            @Nullable Chart chart,
            @Nullable ItemManifests manifests,
            @Nullable String releaseName,
            @Nullable String namespace,
            @Nullable Boolean createNamespace,
            @Nullable JsonNode values,
            @Nullable List<ValuesFrom> valuesFrom,
            @Nullable Duration timeout,
            @Nullable Boolean blocking,
            @Nullable List<String> dependsOn,
            boolean dryRun,
            boolean paused) {
        this.name = WorkItemSpec.orElse(name, "");
        this.chart = chart;
        this.manifests = manifests;
        this.releaseName = releaseName;
        this.namespace = WorkItemSpec.orElse(namespace, "default");
        this.createNamespace = createNamespace == null ? Boolean.TRUE : createNamespace;
        this.values = values;
        this.valuesFrom = valuesFrom == null ? List.of() : List.copyOf(valuesFrom);
        this.timeout = timeout == null ? WorkItemSpec.TIMEOUT : timeout;
        this.blocking = blocking == null ? Boolean.TRUE : blocking;
        this.dependsOn = dependsOn == null ? List.of() : List.copyOf(dependsOn);
        this.dryRun = dryRun;
        this.paused = paused;
    }

    /** The name of its WorkItem. */
    public String itemName(String cluster) {
        return cluster + "-" + name;
    }
}
