package dev.slipway.sandbox;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.Pki;
import dev.slipway.faults.TlsFronts;

/**
 * One real API server that plays the API of many workload clusters, for fleets that would not fit into memory.
 *
 * <p>Before it each cluster has a TLS front of its own, with a certificate of the cluster's authority, which lets in
 * only clients with a certificate of that authority. Not as in life: clusters see each other's nodes, ServiceAccount
 * keys are the server's own, and nodes of deleted clusters stay.
 */
public final class SharedWorkloadApi implements AutoCloseable {

    private final ControlPlane plane;
    private final TlsFronts fronts;

    public SharedWorkloadApi(ControlPlane plane) {
        this.plane = plane;
        this.fronts = TlsFronts.before(plane);
    }

    /** Opens the front of a cluster with that authority. */
    WorkloadServer open(Pki.Pem authority) {
        TlsFronts.Front front = fronts.open(authority);
        return WorkloadServer.of(front.port(), plane, front::close);
    }

    /** Closes the fronts; the API server is its owner's to close. */
    @Override
    public void close() {
        fronts.close();
    }
}
