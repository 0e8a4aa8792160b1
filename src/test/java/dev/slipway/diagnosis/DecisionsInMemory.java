package dev.slipway.diagnosis;

import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.StuckGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Decisions that a test says were made. */
final class DecisionsInMemory implements Decisions {

    private final List<Decision> made = new ArrayList<>();

    /** Somebody decided so about a phase. */
    void made(FlowView flow, String phase, Choice choice, Decision.State state, String result) {
        made.add(new Decision(
                "d" + made.size(),
                flow.id(),
                flow.cluster(),
                "run",
                phase,
                Decision.Wish.of(choice, null),
                "ann",
                Instant.parse("2026-01-01T00:01:00Z"),
                state,
                result,
                null));
    }

    @Override
    public List<Decision> ofCluster(String clusterUid) {
        return made.stream()
                .filter(decision -> decision.cluster().uid().equals(clusterUid))
                .toList();
    }

    @Override
    public Decision decide(String runId, Decision.Wish wish, String by) {
        throw new UnsupportedOperationException("A diagnosis only reads");
    }

    @Override
    public Decision decideForFlow(String flowId, Decision.Wish wish, String by) {
        throw new UnsupportedOperationException("A diagnosis only reads");
    }

    @Override
    public List<StuckGroup> stuck() {
        throw new UnsupportedOperationException("A diagnosis of one cluster does not need it");
    }

    @Override
    public List<Decision> retryAll(String phase, String reason, String by, String why) {
        throw new UnsupportedOperationException("A diagnosis only reads");
    }
}
