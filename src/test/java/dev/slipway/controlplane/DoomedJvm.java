package dev.slipway.controlplane;

import java.util.stream.Collectors;

/** The main class of a JVM that tests kill by force: starts a control plane, names its processes and waits. */
final class DoomedJvm {

    private DoomedJvm() {}

    public static void main(String[] args) throws InterruptedException {
        ControlPlane controlPlane = ControlPlane.builder().start();
        System.out.println("processes "
                + controlPlane.processes().stream()
                        .map(process -> Long.toString(process.pid()))
                        .collect(Collectors.joining(" ")));
        Thread.currentThread().join();
    }
}
