package dev.slipway.cluster;

import java.util.List;
import java.util.stream.Stream;

/** Finds out why control plane machines are not ready. */
public final class ReadyMachines {

    private ReadyMachines() {}

    /**
     * How many control plane machines run and wait for nothing but their nodes, while the control plane is available.
     *
     * <p>So it is until nodes get a pod network: the control plane serves, though no machine counts as ready.
     */
    public static int withoutNetwork(ControlPlaneView controlPlane, List<MachineView> machines) {
        if (!controlPlane.available()) {
            return 0;
        }
        return (int) machines.stream()
                .filter(machine -> machine.controlPlane() && machine.waitsForItsNode())
                .count();
    }

    /** The machines that are not ready, else what the control plane or the Cluster says; empty if nothing is said. */
    public static String cause(CapiCluster cluster, ControlPlaneView controlPlane, List<MachineView> machines) {
        String unready = MachineView.some(machines.stream()
                .filter(machine -> machine.controlPlane() && !machine.ready())
                .toList());
        return Stream.of(
                        unready,
                        controlPlane.cause(),
                        cluster.cause("ControlPlaneAvailable", "ControlPlaneMachinesReady", "InfrastructureReady"))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }
}
