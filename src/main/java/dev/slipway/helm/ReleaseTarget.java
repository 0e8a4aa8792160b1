package dev.slipway.helm;

import dev.slipway.kubernetes.WorkloadClusters.Workload;

/**
 * A release in a workload cluster.
 *
 * @param cluster the cluster's UID
 * @param workload the cluster's API
 * @param release which release of it
 */
public record ReleaseTarget(String cluster, Workload workload, ReleaseName release) {

    /** What tells it from all others, in all clusters. */
    String key() {
        return cluster + "/" + release.namespace() + "/" + release.name();
    }

    @Override
    public String toString() {
        return "ReleaseTarget " + release.display() + " in " + cluster;
    }
}
