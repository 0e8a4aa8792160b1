package dev.slipway.receipt;

import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Receipts without a database, for tests of what notes them. */
public final class ReceiptsInMemory implements ReceiptBook {

    private final Map<String, Head> heads = new LinkedHashMap<>();
    private final Map<String, Map<String, Entry>> entries = new LinkedHashMap<>();
    private final Map<String, String> reasons = new LinkedHashMap<>();
    private final Map<String, String> results = new LinkedHashMap<>();
    private final Map<String, Instant> ends = new LinkedHashMap<>();

    @Override
    public void open(Head head) {
        heads.merge(head.flowId(), head, (known, again) -> known.mode() == null ? again : known);
    }

    @Override
    public void because(String flowId, String reason) {
        reasons.putIfAbsent(flowId, reason);
    }

    @Override
    public void note(String flowId, Entry entry) {
        entries.computeIfAbsent(flowId, id -> new LinkedHashMap<>()).put(entry.what(), entry);
    }

    @Override
    public void forget(String flowId, String what) {
        entries.getOrDefault(flowId, new LinkedHashMap<>()).remove(what);
    }

    @Override
    public List<Entry> entries(String flowId) {
        return List.copyOf(entries.getOrDefault(flowId, Map.of()).values());
    }

    @Override
    public void close(String flowId, String result, Instant at) {
        results.putIfAbsent(flowId, result);
        ends.putIfAbsent(flowId, at);
    }

    @Override
    public Optional<Receipt> find(String flowId) {
        return Optional.ofNullable(heads.get(flowId))
                .map(head -> new Receipt(
                        head,
                        reasons.get(flowId),
                        results.get(flowId),
                        ends.get(flowId),
                        entries(flowId),
                        List.of(),
                        List.of()));
    }

    @Override
    public Sliced<Receipt> list(String namespace, String name, Instant since, Slice slice) {
        List<Receipt> found = new ArrayList<>();
        for (String flowId : heads.keySet()) {
            Receipt receipt = find(flowId).orElseThrow();
            Head head = receipt.head();
            if ((namespace == null || namespace.equals(head.cluster().namespace()))
                    && (name == null || name.equals(head.cluster().name()))
                    && (since == null || !head.at().isBefore(since))) {
                found.add(receipt);
            }
        }
        Collections.reverse(found);
        return Sliced.of(found, slice);
    }
}
