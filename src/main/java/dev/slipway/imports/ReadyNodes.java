package dev.slipway.imports;

import dev.slipway.cluster.Condition;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The nodes of a workload cluster.
 *
 * @param nodes all that its API lists
 */
public record ReadyNodes(List<KubeObject> nodes) {

    private static final String READY = "Ready";
    private static final int NAMED = 3;

    /** Lists them live. */
    public static ReadyNodes of(LiveReader workload) {
        return new ReadyNodes(workload.list(ResourceType.NODES, "", Map.of()));
    }

    /** Whether at least one is ready. */
    public boolean any() {
        return ready() > 0;
    }

    /** {@code 1 of 2 nodes ready}; while none is, with names and causes of some. */
    public String sentence() {
        String count = ready() + " of " + nodes.size() + " nodes ready";
        if (any() || nodes.isEmpty()) {
            return count;
        }
        return count + "; "
                + nodes.stream()
                        .sorted(Comparator.comparing(KubeObject::name))
                        .limit(NAMED)
                        .map(ReadyNodes::why)
                        .collect(Collectors.joining("; "));
    }

    private long ready() {
        return nodes.stream().filter(node -> Condition.isTrue(node, READY)).count();
    }

    private static String why(KubeObject node) {
        return "node " + node.name() + ": "
                + Condition.of(node, READY).map(Condition::sentence).orElse("it reports nothing yet");
    }
}
