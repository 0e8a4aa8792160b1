package dev.slipway.kubernetes;

/** Gives tests of other packages the real access to workload clusters. */
public final class RealWorkloads {

    private RealWorkloads() {}

    public static WorkloadClusters clusters() {
        return new CachedWorkloadClusters(10, CallSettings.DEFAULTS, ErrorClassifier.standard());
    }
}
