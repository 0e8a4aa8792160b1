package dev.slipway.imports;

import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.Platform;

/**
 * What a phase of the import works on: the Cluster, its workload cluster and the platform.
 *
 * @param context the run
 * @param target the Cluster, as just read live
 * @param workload the API of the workload cluster; opened, not yet called
 * @param platform the platform's records
 */
public record ImportScene(PhaseContext context, ImportTarget target, Workload workload, Platform platform) {

    /** The cluster's name, which its records have as well. */
    public String name() {
        return target.name();
    }
}
