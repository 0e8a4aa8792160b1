package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the engine's side of the kernel tells the runner, always after commit. */
interface KernelEvents {

    /**
     * A token waits in a phase of this node: run it.
     *
     * @param fresh the run if it was just entered; null if the token came back through its requeue timer
     */
    void entered(String runId, @Nullable PhaseRun fresh, Map<String, String> facts);

    /** A phase was left. */
    void left(String runId);

    /** A phase was escalated. */
    void escalated(String runId);

    /** An operator holds a phase. */
    void paused(String runId, String why);

    /** Decisions were recorded and are to be applied. */
    void decided();

    /** Something that people can see changed. */
    void changed(ClusterRef cluster);
}
