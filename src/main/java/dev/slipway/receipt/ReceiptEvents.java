package dev.slipway.receipt;

/** Tells people in Kubernetes what a deletion did, while the object that they watch still exists. */
public interface ReceiptEvents {

    /** What the deleted object is. */
    enum Subject {
        /** A WorkloadCluster. */
        WORKLOAD_CLUSTER,
        /** A Cluster of Cluster API without a WorkloadCluster. */
        CLUSTER,
        /** A WorkItem. */
        WORK_ITEM
    }

    /**
     * Writes an Event with the receipt's summary and id, once; to be called right before the object's finalizer goes. It
     * never fails: what cannot be written is logged.
     */
    void announce(Receipt receipt, Subject subject);
}
