package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One flow of a cluster as people see it.
 *
 * @param id the process instance id
 * @param kind the flow, for example {@code init}; its process definition key is {@code cluster-init}
 * @param cluster whose flow it is
 * @param state how it stands
 * @param result why it ended, UpperCamel, for example {@code Ready}, {@code Planned}; null while running
 * @param startedBy a user name, or {@code slipway} for a resource event
 * @param startedAt when it started
 * @param endedAt when it ended; null while running
 * @param incident what is wrong with a flow that runs though nothing drives it; null otherwise
 * @param parent the flow that called this one; null if it stands alone
 * @param phases all phases of the diagram in order, each in its latest run
 */
public record FlowView(
        String id,
        String kind,
        ClusterRef cluster,
        FlowState state,
        @Nullable String result,
        String startedBy,
        Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String incident,
        @Nullable String parent,
        List<PhaseView> phases) {}
