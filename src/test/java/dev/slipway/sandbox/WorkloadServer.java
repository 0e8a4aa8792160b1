package dev.slipway.sandbox;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import java.net.URI;

/** What stands behind a workload cluster's load balancer and shows a certificate of the cluster's authority. */
interface WorkloadServer extends AutoCloseable {

    /** Where it listens on loopback. */
    int port();

    /** Its objects, for the simulated kubelets. */
    JsonApi json();

    boolean alive();

    @Override
    void close();

    /** An API server of the cluster's own. */
    static WorkloadServer own(ControlPlane plane) {
        return of(URI.create(plane.server()).getPort(), plane, plane::close);
    }

    /** What listens on that port and has the objects of that API server. */
    static WorkloadServer of(int port, ControlPlane plane, Runnable closing) {
        return new WorkloadServer() {
            @Override
            public int port() {
                return port;
            }

            @Override
            public JsonApi json() {
                return plane.json();
            }

            @Override
            public boolean alive() {
                return plane.alive();
            }

            @Override
            public void close() {
                closing.run();
            }
        };
    }
}
