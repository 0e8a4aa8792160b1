package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.Observation;
import dev.slipway.cluster.WorkloadApi;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Waits until the first control plane machine runs and its API answers.
 *
 * <ul>
 *   <li>the Cluster says that its control plane is initialized
 *   <li>the kubeconfig secret is there
 *   <li>{@code /readyz} answers 200, verified with the CA of that kubeconfig
 * </ul>
 */
@Component
public class EnsureControlPlaneInitialized implements Phase {

    private final LiveClusters clusters;
    private final WorkloadApi access;

    public EnsureControlPlaneInitialized(LiveClusters clusters, WorkloadApi access) {
        this.clusters = clusters;
        this.access = access;
    }

    @Override
    public Outcome run(PhaseContext context) {
        CapiCluster cluster = clusters.built(context);
        if (!cluster.controlPlaneInitialized()) {
            String cause = cluster.cause("InfrastructureReady", "ControlPlaneInitialized", "ControlPlaneAvailable");
            String observation = "the control plane of " + cluster.display() + " is not initialized yet";
            return Outcome.waiting("WaitingForControlPlaneInitialized", Observation.of(observation, cause));
        }
        Optional<Workload> workload = access.open(context.cluster());
        if (workload.isEmpty()) {
            return WorkloadApi.waitForKubeconfig(context.cluster());
        }
        workload.get().ready();
        return Outcome.done("the control plane is initialized; "
                + workload.get().server() + " is ready and runs "
                + workload.get().version());
    }
}
