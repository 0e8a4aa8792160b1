package dev.slipway.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionTemplate;

/** Records the decisions of an occasion in one transaction, under ids that repeat with it. */
final class OccasionDesk implements Occasions {

    private final DecisionDesk desk;
    private final DecisionStore decisions;
    private final DecisionApplier applier;
    private final TransactionTemplate transaction;

    OccasionDesk(DecisionDesk desk, DecisionStore decisions, DecisionApplier applier, TransactionTemplate transaction) {
        this.desk = desk;
        this.decisions = decisions;
        this.applier = applier;
        this.transaction = transaction;
    }

    @Override
    public List<Decision> decide(String occasion, List<String> runIds, Decision.Wish wish, String by) {
        List<Decision> recorded = recordOnce(occasion, runIds, wish, by);
        recorded.forEach(applier::applyNow);
        return recorded.stream()
                .map(decision -> decisions.find(decision.id()).orElse(decision))
                .toList();
    }

    @Override
    public boolean isDecided(String occasion) {
        return decisions.find(Occasions.id(occasion, 0)).isPresent();
    }

    private List<Decision> recordOnce(String occasion, List<String> runIds, Decision.Wish wish, String by) {
        try {
            return Objects.requireNonNull(transaction.execute(status -> {
                List<Decision> recorded = new ArrayList<>();
                // Before the runs are asked for: those of the occasion may have been left since.
                if (isDecided(occasion)) {
                    return recorded;
                }
                for (String run : runIds) {
                    recorded.add(desk.record(Occasions.id(occasion, recorded.size()), run, wish, by));
                }
                return recorded;
            }));
        } catch (DuplicateKeyException e) {
            // Another node was first, in the same moment.
            return List.of();
        }
    }
}
