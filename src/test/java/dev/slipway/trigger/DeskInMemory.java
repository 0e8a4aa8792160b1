package dev.slipway.trigger;

import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.Occasions;
import dev.slipway.kernel.StuckGroup;
import dev.slipway.phase.ClusterRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A desk that keeps what is decided and changes nothing. */
final class DeskInMemory implements Decisions, Occasions {

    private final List<Decision> made = new ArrayList<>();

    List<Decision> made() {
        return List.copyOf(made);
    }

    @Override
    public List<Decision> decide(String occasion, List<String> runIds, Decision.Wish wish, String by) {
        if (isDecided(occasion)) {
            return List.of();
        }
        List<Decision> recorded = new ArrayList<>();
        for (String run : runIds) {
            recorded.add(new Decision(
                    Occasions.id(occasion, recorded.size()),
                    "flow",
                    new ClusterRef("any", "any", "any"),
                    run,
                    "Phase",
                    wish,
                    by,
                    Instant.parse("2026-01-01T00:00:00Z").plusSeconds(made.size()),
                    Decision.State.APPLIED,
                    null,
                    null));
        }
        made.addAll(0, recorded);
        return recorded;
    }

    @Override
    public boolean isDecided(String occasion) {
        return made.stream().anyMatch(decision -> decision.id().equals(Occasions.id(occasion, 0)));
    }

    @Override
    public List<Decision> ofCluster(String clusterUid) {
        return made();
    }

    @Override
    public Decision decide(String runId, Decision.Wish wish, String by) {
        throw new UnsupportedOperationException("Annotations decide for occasions");
    }

    @Override
    public Decision decideForFlow(String flowId, Decision.Wish wish, String by) {
        throw new UnsupportedOperationException("Annotations decide about phases");
    }

    @Override
    public List<StuckGroup> stuck() {
        return List.of();
    }

    @Override
    public List<Decision> retryAll(String phase, String reason, String by, String why) {
        throw new UnsupportedOperationException("Annotations are about one object");
    }
}
