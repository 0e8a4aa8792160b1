package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;

/** Hears, after commit, that something people can see changed about a cluster's flows. */
@FunctionalInterface
public interface FlowChanges {

    /** The cluster's flows changed visibly; called on engine or runner threads: must not block. */
    void changed(ClusterRef cluster);
}
