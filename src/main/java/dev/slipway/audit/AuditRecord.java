package dev.slipway.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One deed as the book has it.
 *
 * @param id its own id
 * @param at when
 * @param via by what way
 * @param address from where; null if it did not come over the network
 * @param entry what was noted
 */
public record AuditRecord(String id, Instant at, String via, @Nullable String address, AuditEntry entry) {}
