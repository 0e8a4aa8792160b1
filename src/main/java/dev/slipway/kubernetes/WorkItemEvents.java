package dev.slipway.kubernetes;

/**
 * Hears of work items that come, change and go. Called on the watch's thread: must be quick.
 *
 * <p>Carries no truth: what is decided on an event is decided on a live read, or by the database.
 */
public interface WorkItemEvents {

    /** A work item was added or changed, status included, or is there when the watch starts or starts again. */
    void itemSeen(KubeObject item);

    /** A work item is gone: the last finalizer is off. */
    void itemGone(String namespace, String name, String uid);
}
