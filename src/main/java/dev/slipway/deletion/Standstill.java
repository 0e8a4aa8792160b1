package dev.slipway.deletion;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Tells a deletion that is slow from one that stands still: nothing of what remains has changed for a while.
 *
 * <p>What remains, and since when, stands in the receipt: so a restart does not begin to count anew.
 */
@Component
public class Standstill {

    private final DeletionReceipt receipt;
    private final DeletionSettings settings;

    public Standstill(DeletionReceipt receipt, DeletionSettings settings) {
        this.receipt = receipt;
        this.settings = settings;
    }

    /**
     * Judges what remains.
     *
     * @param reason what the phase calls its wait
     * @param remaining what remains
     * @return the wait; or blocked with {@code NoProgress} once the very same objects remain for too long
     */
    public Outcome judge(PhaseContext context, String reason, Remaining remaining) {
        String what = what(context);
        String state = remaining.sentence() + " [" + remaining.fingerprint() + "]";
        Optional<Entry> known = receipt.find(context, what).filter(entry -> entry.fate() == Fate.LEFT);
        boolean same = known.map(Entry::why)
                .filter(why -> why.endsWith("[" + remaining.fingerprint() + "]"))
                .isPresent();
        if (!same) {
            receipt.note(context, what, Fate.LEFT, state);
            return Outcome.waiting(reason, remaining.sentence());
        }
        Instant since = known.orElseThrow().at();
        Duration unchanged = Duration.between(since, context.now());
        String message = remaining.sentence() + "; unchanged since " + since;
        if (unchanged.compareTo(settings.noProgress()) < 0) {
            return Outcome.waiting(reason, message);
        }
        List<String> actions = remaining.actions();
        return Outcome.blocked(ErrorClass.TRANSIENT, ForceGate.NO_PROGRESS, message, actions.toArray(String[]::new));
    }

    /** Notes that nothing remains of what a phase waited for. */
    public void over(PhaseContext context) {
        receipt.forget(context, what(context));
    }

    private static String what(PhaseContext context) {
        return "Objects that " + context.phase() + " waited for";
    }
}
