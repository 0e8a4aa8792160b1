package dev.slipway.kubernetes;

/** Hears that something about a cluster changed. Carries no truth: whoever is woken reads again, live. */
@FunctionalInterface
public interface ClusterWakeup {

    /**
     * Wakes everything that waits for that cluster, at once and without blocking.
     *
     * @param namespace the cluster's namespace
     * @param name the cluster's name
     */
    void wake(String namespace, String name);
}
