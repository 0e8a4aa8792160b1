package dev.slipway.cases;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.faults.FaultInjector;

/** Runs a case at Slipway's normal rate of requests, and then with many times that on the same API server. */
final class Load {

    private static final double NANOS = 1e9;
    /** What a busy machine may fall short of. */
    private static final double ENOUGH = 0.3;

    private final ControlPlane plane;
    private final FaultInjector faults;
    private double normal;

    Load(ControlPlane plane, FaultInjector faults) {
        this.plane = plane;
        this.faults = faults;
    }

    /**
     * Runs the case.
     *
     * @param times of the normal rate; 1 first, which measures it
     */
    void run(int times, Runnable action) {
        long before = calls();
        long started = System.nanoTime();
        if (times == 1) {
            action.run();
            normal = (calls() - before) * NANOS / (System.nanoTime() - started);
            return;
        }
        if (normal == 0) {
            throw new IllegalStateException("Run it at the normal rate first");
        }
        double wanted = normal * times;
        try (LoadGenerator load = LoadGenerator.start(plane, wanted)) {
            action.run();
            System.err.printf(
                    "[load] normal %.0f/s, wanted %.0f/s, reached %.0f/s, took %.1f s%n",
                    normal, wanted, load.rate(), (System.nanoTime() - started) / NANOS);
            if (load.rate() < wanted * ENOUGH) {
                throw new AssertionError("Only " + load.rate() + " of " + wanted + " requests a second");
            }
        }
    }

    private long calls() {
        return faults.calls().values().stream().mapToLong(Long::longValue).sum();
    }
}
