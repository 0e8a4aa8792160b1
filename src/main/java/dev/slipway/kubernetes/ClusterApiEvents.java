package dev.slipway.kubernetes;

/**
 * Hears of Cluster API Clusters that come, change and go. Called on the watch's thread: must be quick.
 *
 * <p>Carries no truth either: what is decided on an event is decided on a live read, or by the database.
 */
public interface ClusterApiEvents {

    /**
     * A Cluster was added or changed, status included, or is there when the watch starts or starts again.
     *
     * @param metadata apiVersion, kind and metadata of the Cluster, nothing else
     */
    void clusterSeen(KubeObject metadata);

    /** A Cluster is gone: the last finalizer is off. */
    void clusterGone(String namespace, String name, String uid);
}
