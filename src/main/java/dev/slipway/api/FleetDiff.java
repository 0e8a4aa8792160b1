package dev.slipway.api;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What changed in the fleet between two looks.
 *
 * <p>That a phase looked once more and saw the same is no change of the fleet; of one cluster it is.
 *
 * @param now all clusters by namespace/name
 * @param changed those that are new or look different in lists
 * @param looked those that differ in anything at all
 * @param gone namespace/name of those that are no more
 */
record FleetDiff(Map<String, ClusterInfo> now, List<ClusterInfo> changed, Set<String> looked, Set<String> gone) {

    @SuppressWarnings("ReferenceEquality") // Equal or not, the same object needs no comparison.
    static FleetDiff between(Map<String, ClusterInfo> before, List<ClusterInfo> clusters) {
        Map<String, ClusterInfo> now = new HashMap<>();
        List<ClusterInfo> changed = new ArrayList<>();
        Set<String> looked = new HashSet<>();
        for (ClusterInfo cluster : clusters) {
            now.put(cluster.key(), cluster);
            ClusterInfo known = before.get(cluster.key());
            // Clusters that rest are the very same object from one look to the next.
            if (known != cluster && !cluster.equals(known)) {
                looked.add(cluster.key());
                if (known == null || !essence(known).equals(essence(cluster))) {
                    changed.add(cluster);
                }
            }
        }
        Set<String> gone = new HashSet<>(before.keySet());
        gone.removeAll(now.keySet());
        looked.addAll(gone);
        return new FleetDiff(now, changed, looked, gone);
    }

    private static ClusterInfo essence(ClusterInfo cluster) {
        @Nullable FlowInfo flow = cluster.flow();
        return flow == null ? cluster : cluster.with(flow.resting());
    }

    boolean isEmpty() {
        return looked.isEmpty();
    }
}
