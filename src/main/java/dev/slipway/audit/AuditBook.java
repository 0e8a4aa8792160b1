package dev.slipway.audit;

import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;

/**
 * Notes who did what, and shows it.
 *
 * <p>What is noted within a transaction stands or falls with it. By what way and from where it came is added by the
 * book: see {@link AuditOrigins}.
 */
public interface AuditBook {

    /** Adds an entry. */
    void note(AuditEntry entry);

    /** What was noted, the latest first. */
    Sliced<AuditRecord> read(AuditQuestion question, Slice slice);
}
