package dev.slipway.receipt;

import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where phases note what became of what they delete; whatever is called twice changes nothing. */
public interface ReceiptBook {

    /** Begins a receipt; one that has begun is left as it is, but a mode that was not known before is added. */
    void open(Head head);

    /** Notes why somebody asked for it; the first reason counts. */
    void because(String flowId, String reason);

    /** Notes the fate of an object; the same object again replaces its fate. */
    void note(String flowId, Entry entry);

    /** Takes a note back, for example of what a phase waited for; nothing if there is none. */
    void forget(String flowId, String what);

    /** What was noted so far, in the order in which it was first noted. */
    List<Entry> entries(String flowId);

    /**
     * Ends a receipt: it is kept for {@code slipway.receipts.keep} from then on. The first end counts.
     *
     * @param result UpperCamel, for example {@code Deleted}
     */
    void close(String flowId, String result, Instant at);

    /** The receipt of a flow. */
    Optional<Receipt> find(String flowId);

    /** The receipts of all clusters and work items that had that name, the latest first. */
    default List<Receipt> ofCluster(String namespace, String name) {
        return list(namespace, name, null, Slice.first(MOST)).items();
    }

    /** As many receipts of one cluster's name as anybody asks for at once. */
    int MOST = 200;

    /**
     * Receipts, the latest first.
     *
     * @param namespace null for all
     * @param name null for all
     * @param since began then or later; null for all
     */
    Sliced<Receipt> list(@Nullable String namespace, @Nullable String name, @Nullable Instant since, Slice slice);
}
