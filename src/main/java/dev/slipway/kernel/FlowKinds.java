package dev.slipway.kernel;

import java.util.Set;

/** The kinds of flows: their diagrams, which exclude each other, and which end others. */
public final class FlowKinds {

    private static final String CLUSTER_PREFIX = "cluster-";
    private static final String ITEM_PREFIX = "work-item-";

    private static final Set<String> LIFE = Set.of(Flows.INIT, Flows.IMPORT, Flows.DELETE);
    private static final Set<String> ITEM = Set.of(Flows.ITEM_INSTALL, Flows.ITEM_DELETE);
    private static final Set<String> DELETIONS = Set.of(Flows.DELETE, Flows.ITEM_DELETE);

    private FlowKinds() {}

    /** The process definition key of a kind, which is also its diagram's file: {@code cluster-init} for {@code init}. */
    public static String processKey(String kind) {
        return kind.startsWith(ITEM_PREFIX) ? kind : CLUSTER_PREFIX + kind;
    }

    /** The kind of a flow by its process definition key: {@code init} for {@code cluster-init}. */
    static String kindOf(String processKey) {
        return processKey.startsWith(CLUSTER_PREFIX) ? processKey.substring(CLUSTER_PREFIX.length()) : processKey;
    }

    /** Whether a process is a flow, by its definition key. */
    static boolean isFlow(String processKey) {
        return processKey.startsWith(CLUSTER_PREFIX) || processKey.startsWith(ITEM_PREFIX);
    }

    /** Whether flows of that kind delete: they end what builds, and the end of their object does not end them. */
    public static boolean deletes(String kind) {
        return DELETIONS.contains(kind);
    }

    /** Whether flows of that kind are about a work item, not about a cluster. */
    public static boolean isOfWorkItems(String kind) {
        return ITEM.contains(kind);
    }

    /** Whether a process is a flow that deletes, by its definition key. */
    public static boolean isDeletion(String processKey) {
        return deletes(kindOf(processKey));
    }

    /** Whether a flow of one kind ends a running flow of the other kind of the same object. */
    static boolean ends(String kind, String other) {
        return deletes(kind) && !deletes(other) && group(kind).equals(group(other));
    }

    /** What flows have in common that do not run side by side for one object, unless one calls the other. */
    static String group(String kind) {
        if (LIFE.contains(kind)) {
            return "life";
        }
        return ITEM.contains(kind) ? "item" : kind;
    }
}
