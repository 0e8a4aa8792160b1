package dev.slipway.cluster;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How WorkloadClusters become Cluster API objects.
 *
 * @param copiedPrefixes labels and annotations of a WorkloadCluster whose key begins so are copied to its Cluster.
 *     Others stay where they are: a copied label of a deployment tool would make that tool prune the Cluster.
 */
@ConfigurationProperties("slipway.cluster")
public record ClusterSettings(List<String> copiedPrefixes) {

    public ClusterSettings {
        copiedPrefixes = copiedPrefixes == null ? List.of("cpaas.io/") : List.copyOf(copiedPrefixes);
    }

    /** Whether a label or annotation goes along to the Cluster. */
    boolean copies(String key) {
        // Slipway's own keys never leave the WorkloadCluster, whatever is configured.
        return !key.startsWith(WorkloadCluster.ANNOTATION_PREFIX)
                && copiedPrefixes.stream().anyMatch(key::startsWith);
    }
}
