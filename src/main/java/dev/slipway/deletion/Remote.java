package dev.slipway.deletion;

import dev.slipway.imports.ImportTarget;
import dev.slipway.phase.PhaseContext;

/** Whether a deletion works in the workload cluster, or why it does not. */
public enum Remote {
    /** It answers, and is the one that was registered. */
    REACHABLE("Reachable", "the workload cluster answers"),
    /** Nothing is to be done in it. */
    NOT_NEEDED("NotNeeded", "nothing is to be done in the workload cluster"),
    /** An operator, or the policy, decided to go on without it. */
    SKIPPED("Skipped", "it was decided to go on without the workload cluster"),
    /** There is no way into it. */
    IMPOSSIBLE("Impossible", "there is no way into the workload cluster"),
    /** Another cluster answers than the one that was registered. */
    WRONG_IDENTITY("WrongIdentity", "another cluster answers than the one that was registered");

    private final String text;
    private final String why;

    Remote(String text, String why) {
        this.text = text;
        this.why = why;
    }

    /** As facts have it. */
    public String text() {
        return text;
    }

    /** For people. */
    public String why() {
        return why;
    }

    /** Whether the workload cluster lives on when its Cluster goes: others built it. */
    public static boolean outlivesTheCluster(PhaseContext context) {
        return context.fact(DeletionFacts.ORIGIN)
                .filter(ImportTarget.Origin.THIRD_PARTY.name()::equals)
                .isPresent();
    }

    /** What the phase that looked has recorded; until then, not needed. */
    public static Remote of(PhaseContext context) {
        String recorded = context.fact(DeletionFacts.REMOTE).orElse(NOT_NEEDED.text);
        for (Remote remote : values()) {
            if (remote.text.equals(recorded)) {
                return remote;
            }
        }
        throw new IllegalStateException("No such fact " + DeletionFacts.REMOTE + ": " + recorded);
    }
}
