package dev.slipway.delegates;

import dev.slipway.deletion.OtherFlows;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Waits until nothing builds any more what is to be deleted.
 *
 * <ul>
 *   <li>no init and no import of the cluster runs; the start of the deletion has ended them
 * </ul>
 */
@Component
public class EnsureOtherFlowsEnded implements Phase {

    private final OtherFlows flows;

    public EnsureOtherFlowsEnded(OtherFlows flows) {
        this.flows = flows;
    }

    @Override
    public Outcome run(PhaseContext context) {
        List<String> building = flows.building(context.cluster().uid());
        return building.isEmpty()
                ? Outcome.done("no other flow of " + context.cluster().display() + " runs")
                : Outcome.waiting("WaitingForFlows", "still running: " + String.join(", ", building));
    }
}
