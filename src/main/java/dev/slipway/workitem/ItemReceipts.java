package dev.slipway.workitem;

import dev.slipway.phase.PhaseContext;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import dev.slipway.receipt.Head;
import dev.slipway.receipt.ReceiptBook;
import dev.slipway.receipt.ReceiptEvents;
import dev.slipway.receipt.ReceiptEvents.Subject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Notes in the receipt what became of a work item and its objects. */
@Component
public class ItemReceipts {

    /** The kind of the flow, as receipts say it. */
    private static final String KIND = "work-item-delete";

    /** The fact with who asked for the deletion. */
    public static final String BY = "deletion.by";

    private final ReceiptBook book;
    private final ReceiptEvents events;

    public ItemReceipts(ReceiptBook book, ReceiptEvents events) {
        this.book = book;
        this.events = events;
    }

    /** Begins the receipt. */
    public void open(PhaseContext context) {
        book.open(new Head(
                context.flowId(),
                KIND,
                context.cluster(),
                null,
                context.fact(BY).orElse("kubernetes"),
                context.now()));
    }

    /** Notes the fate of an object. */
    public void note(PhaseContext context, String what, Fate fate, @Nullable String why) {
        book.note(context.flowId(), new Entry(what, fate, context.phase(), why, context.now()));
    }

    /** Notes the fate of an object of which nothing was noted so far. */
    public void noteFirst(PhaseContext context, String what, Fate fate, @Nullable String why) {
        if (fate(context, what).isEmpty()) {
            note(context, what, fate, why);
        }
    }

    /** What was noted of an object. */
    public Optional<Fate> fate(PhaseContext context, String what) {
        return entries(context).stream()
                .filter(entry -> entry.what().equals(what))
                .map(Entry::fate)
                .findFirst();
    }

    /** What was noted so far. */
    public List<Entry> entries(PhaseContext context) {
        return book.entries(context.flowId());
    }

    /** Ends the receipt, and tells of it as long as the object is there. */
    public void close(PhaseContext context, String result) {
        book.close(context.flowId(), result, context.now());
        book.find(context.flowId()).ifPresent(receipt -> events.announce(receipt, Subject.WORK_ITEM));
    }
}
