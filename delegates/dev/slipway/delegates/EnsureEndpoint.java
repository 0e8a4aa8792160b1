package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.Observation;
import dev.slipway.cluster.TcpProbe;
import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.time.Duration;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Waits until something listens at the control plane endpoint.
 *
 * <ul>
 *   <li>the Cluster has an endpoint: declared, or given by its infrastructure
 *   <li>its host has an address; a TCP connection is accepted within the deadline
 *   <li>a missing name, a refusal and silence are told apart
 * </ul>
 */
@Component
public class EnsureEndpoint implements Phase {

    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final LiveClusters clusters;
    private final TcpProbe probe;

    public EnsureEndpoint(LiveClusters clusters, TcpProbe probe) {
        this.clusters = clusters;
        this.probe = probe;
    }

    @Override
    public Outcome run(PhaseContext context) {
        CapiCluster cluster = clusters.built(context);
        Optional<Endpoint> endpoint = cluster.endpoint();
        if (endpoint.isEmpty()) {
            return cluster.withoutEndpoint("WaitingForInfrastructure");
        }
        Optional<Outcome.Waiting> missing = probe.connect(endpoint.get(), DEADLINE);
        if (missing.isPresent()) {
            return Outcome.waiting(
                    missing.get().reason(),
                    Observation.of(
                            missing.get().message(), cluster.cause("InfrastructureReady", "ControlPlaneInitialized")));
        }
        return Outcome.done("the control plane endpoint " + endpoint.get().display() + " accepts connections");
    }
}
