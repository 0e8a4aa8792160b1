package dev.slipway.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which deeds are wanted; null stands for any.
 *
 * @param by who did them
 * @param action what was done
 * @param namespace of the object
 * @param name of the object
 * @param since done then or later
 * @param until done before
 */
public record AuditQuestion(
        @Nullable String by,
        @Nullable AuditAction action,
        @Nullable String namespace,
        @Nullable String name,
        @Nullable Instant since,
        @Nullable Instant until) {}
