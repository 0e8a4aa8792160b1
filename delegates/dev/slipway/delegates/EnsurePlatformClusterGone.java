package dev.slipway.delegates;

import dev.slipway.deletion.ForceGate;
import dev.slipway.deletion.RecordRemoval;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Deletes the platform's record of the cluster, and waits until it is gone.
 *
 * <ul>
 *   <li>by its UID, and only the one that is this cluster's: the record of another registration stays
 *   <li>what holds it is shown; its finalizers are the platform's
 *   <li>without a platform there is nothing to do
 * </ul>
 */
@Component
public class EnsurePlatformClusterGone implements Phase {

    private final RecordRemoval record;
    private final ForceGate gate;

    public EnsurePlatformClusterGone(RecordRemoval record, ForceGate gate) {
        this.record = record;
        this.gate = gate;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return gate.around(context, () -> record.remove(context), () -> record.force(context));
    }
}
