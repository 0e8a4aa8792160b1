package dev.slipway.kubernetes;

import dev.slipway.phase.Failure;

/** Gives access to the API of a workload cluster; clients are cached by identity, TLS is always verified. */
public interface WorkloadClusters {

    /**
     * Opens the workload cluster of a kubeconfig secret. Makes no call.
     *
     * <p>Cached by cluster UID, the secret's resourceVersion and the hash of its CA: a replaced secret gives a new
     * client.
     *
     * @param clusterUid the cluster's UID
     * @param kubeconfigSecret the secret {@code <cluster>-kubeconfig} with the key {@code value}, as just read live
     * @throws Failure INVALID {@code KubeconfigInvalid} if it does not parse or asks to skip TLS verification
     */
    Workload open(String clusterUid, KubeObject kubeconfigSecret);

    /** A workload cluster's API. */
    interface Workload {

        /** The server's URL. */
        String server();

        /** Reads, live. */
        LiveReader reader();

        /** Writes. */
        KubeWriter writer();

        /**
         * Asks {@code /readyz}.
         *
         * @throws Failure by class: TRANSIENT {@code ApiUnreachable} or {@code ApiNotReady}, TRUST with subject, SANs,
         *     notAfter and fingerprint, AUTH
         */
        void ready();

        /** Asks {@code /version} and gives its {@code gitVersion}. */
        String version();
    }
}
