package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Breaks the circle between the engine's side of the kernel and the runner: set once, at start. */
final class KernelBus implements KernelEvents {

    private volatile @Nullable KernelEvents target;

    void connect(KernelEvents events) {
        target = events;
    }

    private KernelEvents target() {
        KernelEvents connected = target;
        if (connected == null) {
            throw new IllegalStateException("The phase kernel is not started yet");
        }
        return connected;
    }

    @Override
    public void entered(String runId, @Nullable PhaseRun fresh, Map<String, String> facts) {
        target().entered(runId, fresh, facts);
    }

    @Override
    public void left(String runId) {
        target().left(runId);
    }

    @Override
    public void escalated(String runId) {
        target().escalated(runId);
    }

    @Override
    public void paused(String runId, String why) {
        target().paused(runId, why);
    }

    @Override
    public void decided() {
        target().decided();
    }

    @Override
    public void changed(ClusterRef cluster) {
        target().changed(cluster);
    }
}
