package dev.slipway.trigger;

import dev.slipway.kubernetes.KubeObject;

/** Which Clusters of Cluster API Slipway means to import unasked, once they are provisioned. */
@FunctionalInterface
public interface ImportCandidates {

    /**
     * Whether that Cluster is one of them.
     *
     * @param cluster the Cluster; its metadata is enough
     */
    boolean include(KubeObject cluster);
}
