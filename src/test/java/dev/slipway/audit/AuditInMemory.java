package dev.slipway.audit;

import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An audit book that a test can read without a database. */
public final class AuditInMemory implements AuditBook {

    private final List<AuditEntry> entries = new CopyOnWriteArrayList<>();

    @Override
    public void note(AuditEntry entry) {
        entries.add(entry);
    }

    @Override
    public Sliced<AuditRecord> read(AuditQuestion question, Slice slice) {
        throw new UnsupportedOperationException("Read entries() instead");
    }

    /** What was noted, in order. */
    public List<AuditEntry> entries() {
        return List.copyOf(entries);
    }
}
