package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts, reads and steers flows. Every method is one short transaction. */
public interface Flows {

    /** The kind of the flow that builds a cluster. */
    String INIT = "init";

    /** The kind of the flow that makes a cluster known to the platform. */
    String IMPORT = "import";

    /** The kind of the flow that deletes a cluster, or lets go of it. */
    String DELETE = "delete";

    /** The kind of the flow that installs a work item on its cluster. */
    String ITEM_INSTALL = "work-item-install";

    /** The kind of the flow that takes a work item off its cluster. */
    String ITEM_DELETE = "work-item-delete";

    /**
     * Starts a flow unless one of that kind is active for the cluster: the database decides, also between nodes.
     *
     * @param kind the flow, for example {@code init}
     * @param startedBy a user name, or {@code slipway}
     * @param triggerKey makes the start happen once for ever, for example {@code <uid>/init/created}; null for a start
     *     by a person
     * @return the new flow
     * @throws FlowConflict if one is active, or that trigger has fired before
     * @throws UnknownFlow if there is no such diagram
     */
    default FlowView start(String kind, ClusterRef cluster, String startedBy, @Nullable String triggerKey) {
        return start(kind, cluster, startedBy, triggerKey, Map.of());
    }

    /**
     * Starts a flow that knows something from its beginning, for example a {@link dev.slipway.phase.Directive}.
     *
     * <p>A flow that deletes ends the flows that build the same object, in the same transaction: as long as it is active none
     * of them can start.
     *
     * @param facts ids and names for its phases, never secrets
     */
    FlowView start(
            String kind, ClusterRef cluster, String startedBy, @Nullable String triggerKey, Map<String, String> facts);

    /** The active flows of a cluster by UID. */
    List<FlowView> active(String clusterUid);

    /** The latest flow of each kind for each cluster with that UID, newest first. */
    List<FlowView> latest(String clusterUid);

    /** The latest flow of each kind of every cluster and work item without its phases, in no order; for lists. */
    List<FlowHead> headsOfAll();

    /** These flows; those that there are, in no order. */
    List<FlowView> views(Collection<String> flowIds);

    /** The latest flow of each kind of every cluster and work item, in no order. */
    default List<FlowView> latestOfAll() {
        return views(headsOfAll().stream().map(FlowHead::id).toList());
    }

    /** Whether a trigger of that key has started a flow. */
    boolean hasFired(String triggerKey);

    /** One flow by its id. */
    Optional<FlowView> find(String flowId);

    /**
     * Starts the current phases of the cluster's active flows anew, with fresh timers and counters.
     *
     * @param by who decided
     * @param why the reason, or null
     * @return the phases that were started anew
     * @throws FlowConflict if no flow is active
     */
    List<String> retry(String clusterUid, String by, @Nullable String why);

    /** Tells the active flows that build the cluster that it is gone: they end; those that delete it go on. */
    void requestDelete(String clusterUid);

    /** There is an active flow of that kind, or none to act on. */
    final class FlowConflict extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public FlowConflict(String message) {
            super(message);
        }
    }

    /** No diagram of that name. */
    final class UnknownFlow extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public UnknownFlow(String message) {
            super(message);
        }
    }
}
