package dev.slipway.status;

import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseView;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster's status should say.
 *
 * @param phase the one word
 * @param conditions what each condition should say, in the order of {@link ConditionType}
 * @param flow the running flow, else the latest; null if there never was one
 * @param current where that flow's token stands, or stood last; null if no phase was reached
 */
public record Projection(
        ClusterPhase phase, List<Condition> conditions, @Nullable FlowView flow, @Nullable PhaseView current) {

    public Projection {
        conditions = List.copyOf(conditions);
    }

    /** Whether the cluster can be used. */
    public boolean ready() {
        return phase != ClusterPhase.DELETING
                && condition(ConditionType.READY).map(Condition::holds).orElse(false);
    }

    /** The same, of a Cluster whose deletion was requested, though no flow tells of it. */
    public Projection deleting() {
        return new Projection(ClusterPhase.DELETING, conditions, flow, current);
    }

    /** What a condition should say; empty if it should not be there. */
    public Optional<Condition> condition(ConditionType type) {
        return conditions.stream().filter(c -> c.type() == type).findFirst();
    }
}
