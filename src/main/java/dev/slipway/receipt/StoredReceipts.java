package dev.slipway.receipt;

import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionTemplate;

/** The receipts in the database. */
final class StoredReceipts implements ReceiptBook {

    private static final Logger log = LoggerFactory.getLogger(StoredReceipts.class);

    private final ReceiptStore store;
    private final TransactionTemplate transaction;
    private final Clock clock;
    private final Duration keep;

    StoredReceipts(ReceiptStore store, TransactionTemplate transaction, Clock clock, Duration keep) {
        this.store = store;
        this.transaction = transaction;
        this.clock = clock;
        this.keep = keep;
    }

    @Override
    public void open(Head head) {
        removeOld();
        try {
            transaction.executeWithoutResult(status -> {
                if (store.head(head.flowId()).isEmpty()) {
                    store.insert(head);
                }
            });
        } catch (DuplicateKeyException e) {
            log.debug("The receipt of {} was begun at the same moment", head.flowId());
        }
        String mode = head.mode();
        if (mode != null) {
            store.mode(head.flowId(), mode);
        }
    }

    /** Each new receipt makes room: what nobody may ask for any more goes. */
    private void removeOld() {
        transaction.executeWithoutResult(status -> {
            // A flow that an operator aborted did not come to its end: its receipt ends with it.
            store.unclosedOfEndedFlows().forEach(end -> close(end.flowId(), end.result(), end.at()));
            int removed = store.removeClosedBefore(clock.instant().minus(keep));
            if (removed > 0) {
                log.info("Removed {} receipts that are older than {}", removed, keep);
            }
        });
    }

    @Override
    public void because(String flowId, String reason) {
        store.because(flowId, reason);
    }

    @Override
    public void note(String flowId, Entry entry) {
        if (store.update(flowId, entry)) {
            return;
        }
        try {
            store.insert(flowId, entry);
        } catch (DuplicateKeyException e) {
            store.update(flowId, entry);
        }
    }

    @Override
    public void forget(String flowId, String what) {
        store.remove(flowId, what);
    }

    @Override
    public List<Entry> entries(String flowId) {
        return store.entries(List.of(flowId)).getOrDefault(flowId, List.of());
    }

    @Override
    public void close(String flowId, String result, Instant at) {
        transaction.executeWithoutResult(status -> {
            store.close(flowId, result, at);
            store.copy(flowId);
        });
    }

    @Override
    public Optional<Receipt> find(String flowId) {
        return store.head(flowId).map(List::of).flatMap(heads -> filled(heads).stream()
                .findFirst());
    }

    @Override
    public Sliced<Receipt> list(
            @Nullable String namespace, @Nullable String name, @Nullable Instant since, Slice slice) {
        Sliced<ReceiptStore.Row> rows = store.heads(namespace, name, since, slice);
        return new Sliced<>(filled(rows.items()), rows.total());
    }

    private List<Receipt> filled(List<ReceiptStore.Row> rows) {
        List<String> ids = rows.stream().map(row -> row.head().flowId()).toList();
        if (ids.isEmpty()) {
            return List.of();
        }
        Map<String, List<Entry>> entries = store.entries(ids);
        Map<String, List<Receipt.PhaseTime>> phases = store.phases(ids);
        Map<String, List<Receipt.Decided>> decisions = store.decisions(ids);
        return rows.stream()
                .map(row -> {
                    String id = row.head().flowId();
                    return new Receipt(
                            row.head(),
                            row.reason(),
                            row.result(),
                            row.closedAt(),
                            entries.getOrDefault(id, List.of()),
                            phases.getOrDefault(id, List.of()),
                            decisions.getOrDefault(id, List.of()));
                })
                .toList();
    }
}
