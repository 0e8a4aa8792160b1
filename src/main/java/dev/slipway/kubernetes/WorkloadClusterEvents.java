package dev.slipway.kubernetes;

/**
 * Hears of WorkloadClusters that come, change and go. Called on the watch's thread: must be quick.
 *
 * <p>Carries no truth either: what is decided on an event is decided on a live read, or by the database.
 */
public interface WorkloadClusterEvents {

    /** A cluster was added or changed, status included, or is there when the watch starts or starts again. */
    void seen(KubeObject cluster);

    /** A cluster is gone: the last finalizer is off. */
    void gone(String namespace, String name, String uid);
}
