package dev.slipway.kernel;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What operators decide about phases: recorded first, then applied from outside of the flow until it holds.
 *
 * <p>A crash in between loses nothing: what is recorded and does not hold yet is applied by the next node that looks.
 */
public interface Decisions {

    /**
     * Decides about one run of a phase, and tries to apply it at once.
     *
     * @param runId the run, as {@link PhaseView#run} names it
     * @param by who decides
     * @return the decision: applied, refused by a live check, or still open while the database does not answer
     * @throws Conflict if somebody else was quicker, or the phase was left
     * @throws NotAllowed if the phase does not allow that choice
     * @throws Invalid if a parameter is missing or wrong
     */
    Decision decide(String runId, Decision.Wish wish, String by);

    /**
     * Decides about a flow in which no phase waits, though it runs: {@link Choice#RETRY_FROM} or {@link Choice#ABORT}.
     *
     * @throws Conflict if a phase waits after all, or the flow has ended
     */
    Decision decideForFlow(String flowId, Decision.Wish wish, String by);

    /** All decisions about a cluster's flows, the latest first. */
    List<Decision> ofCluster(String clusterUid);

    /** The stuck phases of all flows, grouped by flow, phase and cause; the largest group first. */
    List<StuckGroup> stuck();

    /**
     * Starts all phases of a group anew.
     *
     * @param phase the phase's name
     * @param reason the cause that they share
     * @param why for the record
     * @return one decision for each; those that somebody else decided about meanwhile are left out
     */
    List<Decision> retryAll(String phase, String reason, String by, @Nullable String why);

    /** Somebody else was quicker. */
    final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Conflict(String message) {
            super(message);
        }
    }

    /** The phase does not allow that choice, at least not now. */
    final class NotAllowed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient List<Choice> allowed;

        public NotAllowed(String message, List<Choice> allowed) {
            super(message + ". Allowed here: "
                    + allowed.stream().map(Choice::name).collect(Collectors.joining(", ")));
            this.allowed = List.copyOf(allowed);
        }

        /** What may be chosen instead. */
        public List<Choice> allowed() {
            return allowed;
        }
    }

    /** A parameter of the choice is missing or wrong. */
    final class Invalid extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String field;
        private final String remedy;

        public Invalid(String field, String message, String remedy) {
            super(message);
            this.field = field;
            this.remedy = remedy;
        }

        /** Which parameter. */
        public String field() {
            return field;
        }

        /** What to give instead. */
        public String remedy() {
            return remedy;
        }
    }
}
