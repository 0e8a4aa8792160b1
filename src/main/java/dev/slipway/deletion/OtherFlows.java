package dev.slipway.deletion;

import java.util.List;

/** Tells which flows could still build what a deletion takes away. */
public interface OtherFlows {

    /** The kinds of the flows that build that cluster and still run; empty once all have ended. */
    List<String> building(String clusterUid);
}
