package dev.slipway.trigger;

import dev.slipway.deletion.OtherFlows;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Tells phases of a deletion which flows still build, as the kernel knows them. */
@Component
public class BuildingFlows implements OtherFlows {

    // Asked for when it is needed: the kernel itself is made of the phases.
    private final ObjectProvider<Flows> flows;

    public BuildingFlows(ObjectProvider<Flows> flows) {
        this.flows = flows;
    }

    @Override
    public List<String> building(String clusterUid) {
        return flows.getObject().active(clusterUid).stream()
                .map(FlowView::kind)
                .filter(kind -> kind.equals(Flows.INIT) || kind.equals(Flows.IMPORT))
                .toList();
    }
}
