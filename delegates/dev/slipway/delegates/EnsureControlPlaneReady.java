package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.ControlPlaneView;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.MachineView;
import dev.slipway.cluster.Observation;
import dev.slipway.cluster.ReadyMachines;
import dev.slipway.imports.ImportSettings;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Waits until all control plane machines are ready.
 *
 * <ul>
 *   <li>the control plane object, read by reference, has as many ready replicas as its spec asks for
 *   <li>its controller has seen the latest spec
 *   <li>where the import brings the pod network (`slipway.import.network`), machines that wait for nothing but that count:
 *       without it no node is ready, and without the import there is none
 *   <li>a provider that does not count machines: the Cluster's own condition says that the control plane is available
 * </ul>
 */
@Component
public class EnsureControlPlaneReady implements Phase {

    private final LiveClusters clusters;
    private final ClusterApi api;
    private final ImportSettings imports;

    public EnsureControlPlaneReady(LiveClusters clusters, ClusterApi api, ImportSettings imports) {
        this.clusters = clusters;
        this.api = api;
        this.imports = imports;
    }

    @Override
    public Outcome run(PhaseContext context) {
        CapiCluster cluster = clusters.built(context);
        Optional<ControlPlaneView> controlPlane = api.controlPlane(cluster);
        if (controlPlane.isEmpty() && cluster.controlPlaneRef().isPresent()) {
            return Outcome.waiting(
                            "WaitingForControlPlane",
                            cluster.display() + " refers to "
                                    + cluster.controlPlaneRef().get().display() + ", which does not exist")
                    .unskippable("There is no control plane to go on with");
        }
        if (controlPlane.isEmpty() || controlPlane.get().desired().isEmpty()) {
            return byCondition(cluster);
        }
        ControlPlaneView view = controlPlane.get();
        int desired = view.desired().getAsInt();
        String count = view.ready() + " of " + desired + " control plane machines ready";
        if (view.outdated()) {
            return Outcome.waiting(
                    "WaitingForControlPlaneController",
                    "the controller of " + view.display() + " has not seen its latest spec yet; " + count);
        }
        if (view.ready() != desired) {
            List<MachineView> machines = api.machines(cluster);
            int withoutNetwork = imports.network() ? ReadyMachines.withoutNetwork(view, machines) : 0;
            if (view.ready() + withoutNetwork == desired) {
                return Outcome.done(count + ", " + withoutNetwork + " more wait for the pod network only, which comes"
                        + " with the import");
            }
            String cause = ReadyMachines.cause(cluster, view, machines);
            Outcome.Waiting waiting = Outcome.waiting("WaitingForControlPlaneMachines", Observation.of(count, cause));
            int quorum = desired / 2 + 1;
            return view.ready() >= quorum
                    ? waiting
                    : waiting.unskippable(count + ": etcd has no quorum below " + quorum + " of them");
        }
        return Outcome.done(count);
    }

    private static Outcome byCondition(CapiCluster cluster) {
        if (cluster.controlPlaneAvailable()) {
            return Outcome.done("the control plane of " + cluster.display() + " is available");
        }
        String cause = cluster.cause("ControlPlaneAvailable", "ControlPlaneReady");
        String observation = "the control plane of " + cluster.display() + " is not available yet";
        return Outcome.waiting("WaitingForControlPlaneAvailable", Observation.of(observation, cause));
    }
}
