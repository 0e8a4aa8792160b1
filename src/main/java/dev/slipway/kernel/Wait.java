package dev.slipway.kernel;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A phase run that this node owns, in memory: what it found so far and whether it runs now.
 *
 * <p>Guarded by its own monitor; everything else about it is immutable.
 */
final class Wait {

    private final PhaseDefinition phase;
    private final Map<String, String> facts;
    private PhaseRun run;
    private Progress stored;
    private Instant storedAt;
    private boolean running;
    private boolean again;
    private boolean slow;
    private @Nullable Instant lastEnd;

    Wait(PhaseRun run, PhaseDefinition phase, Map<String, String> facts) {
        this.run = run;
        this.stored = run.progress();
        this.storedAt = Instant.EPOCH;
        this.phase = phase;
        this.facts = Map.copyOf(facts);
    }

    String id() {
        return run().id();
    }

    PhaseDefinition phase() {
        return phase;
    }

    /** What earlier phases recorded, and what this one reported last: some need two good looks in a row. */
    Map<String, String> facts() {
        return PhaseCall.facts(facts, run().progress());
    }

    synchronized PhaseRun run() {
        return run;
    }

    synchronized boolean slow() {
        return slow;
    }

    synchronized @Nullable Instant lastEnd() {
        return lastEnd;
    }

    /** Asks for a run; answers true if the caller must start it, false if one is under way and will run once more. */
    synchronized boolean claim() {
        if (running) {
            again = true;
            return false;
        }
        running = true;
        return true;
    }

    /** Ends a run; answers true if another was asked for meanwhile, which the caller must start. */
    synchronized boolean finish(boolean wasSlow, Instant now) {
        slow = wasSlow;
        lastEnd = now;
        running = again;
        again = false;
        return running;
    }

    /** Takes over what a run found; an escalation or a pause that came meanwhile stays. */
    synchronized void found(Progress progress) {
        if (run.progress().state() == PhaseState.PAUSED) {
            return;
        }
        run = run.with(progress.escalated(run.progress().stuck()));
    }

    synchronized void stored(Instant now) {
        stored = run.progress();
        storedAt = now;
    }

    /** Whether counters in memory are ahead of the database, and have been stored before that time. */
    synchronized boolean dirtySince(Instant before) {
        return storedAt.isBefore(before) && !stored.equals(run.progress());
    }

    synchronized void pause(String why, Instant now) {
        run = run.with(run.progress().paused(why));
        stored(now);
    }

    synchronized void markStuck() {
        run = run.with(run.progress().escalated(true));
    }
}
