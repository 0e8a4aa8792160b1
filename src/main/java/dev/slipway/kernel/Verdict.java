package dev.slipway.kernel;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the kernel does after a run of a phase. */
sealed interface Verdict {

    /** What the run found, to be stored and shown. */
    Progress progress();

    /**
     * The token leaves.
     *
     * @param facts recorded for later phases
     */
    record Leave(Progress progress, Map<String, String> facts) implements Verdict {}

    /**
     * The flow goes back to an earlier phase.
     *
     * @param phase that phase's name
     * @param facts recorded with that
     */
    record Back(Progress progress, String phase, Map<String, String> facts) implements Verdict {}

    /**
     * The token stays.
     *
     * @param delay until the next check; null when only an operator can go on
     * @param escalate whether an operator is needed now
     * @param changed whether people would see a difference to the run before
     */
    record Stay(Progress progress, @Nullable Duration delay, boolean escalate, boolean changed) implements Verdict {}
}
