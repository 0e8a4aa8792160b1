package dev.slipway.deletion;

import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import dev.slipway.receipt.Head;
import dev.slipway.receipt.ReceiptBook;
import dev.slipway.receipt.ReceiptEvents;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Writes down what becomes of everything that a deletion meets.
 *
 * <p>What is found is noted as left behind first: so the receipt is right also if the flow ends early.
 */
@Component
public class DeletionReceipt {

    private static final int LONGEST_REASON = 900;

    private final ReceiptBook book;
    private final ReceiptEvents events;

    public DeletionReceipt(ReceiptBook book, ReceiptEvents events) {
        this.book = book;
        this.events = events;
    }

    /** Begins it; one that has begun goes on. */
    public void open(PhaseContext context, DeletionMode mode) {
        book.open(new Head(
                context.flowId(),
                "delete",
                context.cluster(),
                mode.text(),
                context.fact(DeletionFacts.BY).orElse("kubernetes"),
                context.now()));
    }

    /** Notes a fate, in place of an earlier one of the same object. */
    public void note(PhaseContext context, String what, Fate fate, @Nullable String why) {
        Optional<Entry> known = find(context, what);
        String reason = why == null ? null : shortened(why);
        if (known.filter(entry -> entry.fate() == fate && String.valueOf(reason).equals(String.valueOf(entry.why())))
                .isEmpty()) {
            write(context, what, fate, reason);
        }
    }

    /** Notes something that is there and is to be dealt with; what is known already stays as it is. */
    public void found(PhaseContext context, String what) {
        found(context, List.of(what));
    }

    /** The same for several. */
    public void found(PhaseContext context, List<String> all) {
        List<String> known = entries(context).stream().map(Entry::what).toList();
        all.stream()
                .filter(what -> !known.contains(what))
                .forEach(what -> write(context, what, Fate.LEFT, "not dealt with yet"));
    }

    /** Notes that something is gone, if it was there before; what a person or another phase made of it stays. */
    public void gone(PhaseContext context, String what) {
        gone(context, what::equals);
    }

    /** Notes the same for all whose names begin so. */
    public void allGone(PhaseContext context, String prefix) {
        gone(context, what -> what.startsWith(prefix));
    }

    /** Notes the same for all whose names are such. */
    void gone(PhaseContext context, Predicate<String> names) {
        entries(context).stream()
                .filter(entry -> entry.fate() == Fate.LEFT && names.test(entry.what()))
                .forEach(entry -> write(context, entry.what(), Fate.DELETED, null));
    }

    /** Takes a note back. */
    void forget(PhaseContext context, String what) {
        if (find(context, what).isPresent()) {
            book.forget(context.flowId(), what);
        }
    }

    private void write(PhaseContext context, String what, Fate fate, @Nullable String why) {
        book.note(context.flowId(), new Entry(what, fate, context.phase(), why, context.now()));
    }

    /** What was noted of that object. */
    public Optional<Entry> find(PhaseContext context, String what) {
        return entries(context).stream()
                .filter(entry -> entry.what().equals(what))
                .findFirst();
    }

    /** All that was noted. */
    public List<Entry> entries(PhaseContext context) {
        return book.entries(context.flowId());
    }

    /** Ends it, and tells of it while the object may still be there. */
    public void close(PhaseContext context, DeletionMode mode, DeletionSubject.Kind kind) {
        book.close(context.flowId(), mode.result(), context.now());
        book.find(context.flowId())
                .ifPresent(receipt -> events.announce(
                        receipt,
                        kind == DeletionSubject.Kind.WORKLOAD_CLUSTER
                                ? ReceiptEvents.Subject.WORKLOAD_CLUSTER
                                : ReceiptEvents.Subject.CLUSTER));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "…";
    }
}
