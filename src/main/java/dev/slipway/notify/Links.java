package dev.slipway.notify;

import dev.slipway.phase.ClusterRef;
import org.jspecify.annotations.Nullable;

/**
 * Ways from a message to this Slipway; none if nobody said where people reach it.
 *
 * @param base the address without a slash at the end; null for no links
 */
record Links(@Nullable String base) {

    /** The console. */
    @Nullable
    String console() {
        return base == null ? null : base + "/";
    }

    /** The cluster in the REST API. */
    @Nullable
    String cluster(ClusterRef cluster) {
        return base == null ? null : base + "/api/v1/clusters/" + cluster.namespace() + "/" + cluster.name();
    }
}
