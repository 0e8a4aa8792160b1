package dev.slipway.api;

import dev.slipway.api.ClusterResolver.Resolved;
import dev.slipway.kernel.FlowKinds;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.phase.ClusterRef;
import dev.slipway.security.Action;
import dev.slipway.security.Permissions;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Starts flows for people, and says why not. */
@Component
class FlowStarts {

    private final Flows flows;
    private final Permissions permissions;

    FlowStarts(Flows flows, Permissions permissions) {
        this.flows = flows;
        this.permissions = permissions;
    }

    /** The flow that a person most likely means for such a cluster. */
    static String usual(Resolved cluster) {
        return cluster.isDeclared() ? Flows.INIT : Flows.IMPORT;
    }

    /**
     * Starts a flow.
     *
     * @throws ApiProblem 409 if the cluster is being deleted or a flow is in the way; 422 if there is no such flow, or
     *     not for such a cluster
     */
    FlowView start(String kind, Resolved cluster, String user, Map<String, String> facts) {
        ClusterRef ref = cluster.ref();
        permissions.require(kind.equals(Flows.DELETE) ? Action.DELETE : Action.OPERATE, ref.namespace(), ref.name());
        if (cluster.object().deleting() && !kind.equals(Flows.DELETE)) {
            throw new ApiProblem(
                            HttpStatus.CONFLICT, "ClusterDeleting", "Deletion of " + ref.display() + " was requested")
                    .object(ref.display())
                    .remedy("See its condition Deleting for what remains to be done");
        }
        if (kind.equals(Flows.INIT) && !cluster.isDeclared()) {
            throw new ApiProblem(
                            HttpStatus.UNPROCESSABLE_ENTITY,
                            "NotDeclared",
                            ref.display() + " has no WorkloadCluster: Slipway does not build it")
                    .object(ref.display())
                    .field("flow")
                    .remedy("Use \"import\"");
        }
        if (FlowKinds.isOfWorkItems(kind)) {
            throw new ApiProblem(
                            HttpStatus.UNPROCESSABLE_ENTITY,
                            "UnknownFlow",
                            "The flow \"" + kind + "\" is about a work item, not about a cluster")
                    .object(ref.display())
                    .field("flow")
                    .remedy("Change or delete the WorkItem: its flow starts by itself");
        }
        try {
            return flows.start(kind, ref, user, null, facts);
        } catch (Flows.UnknownFlow e) {
            throw new ApiProblem(HttpStatus.UNPROCESSABLE_ENTITY, "UnknownFlow", String.valueOf(e.getMessage()))
                    .object(ref.display())
                    .field("flow")
                    .remedy("Use \"" + usual(cluster) + "\", or deploy a diagram of that name");
        } catch (Flows.FlowConflict e) {
            throw active(kind, ref, e);
        }
    }

    private ApiProblem active(String kind, ClusterRef cluster, Flows.FlowConflict conflict) {
        ApiProblem problem = flows.active(cluster.uid()).stream()
                .filter(flow -> flow.kind().equals(kind))
                .findFirst()
                .map(flow -> new ApiProblem(
                                HttpStatus.CONFLICT,
                                "FlowActive",
                                "The flow " + kind + " of " + cluster.display() + " is active: " + flow.startedBy()
                                        + " started it at " + flow.startedAt())
                        .with("flow", FlowsController.uri(flow.id()).toString()))
                // It ended in between, or another flow kept this one from starting.
                .orElseGet(
                        () -> new ApiProblem(HttpStatus.CONFLICT, "FlowActive", String.valueOf(conflict.getMessage())));
        return problem.object(cluster.display())
                .remedy("Wait until it ends, or POST /api/v1/clusters/" + cluster.display() + "/retry");
    }
}
