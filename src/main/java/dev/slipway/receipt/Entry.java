package dev.slipway.receipt;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a receipt: an object and its fate.
 *
 * @param what the object, for example {@code Secret ns/name}; never its content
 * @param fate what became of it
 * @param phase the phase that saw to it
 * @param why the reason, for people; null if the fate says it all
 * @param at when it was seen
 */
public record Entry(String what, Fate fate, String phase, @Nullable String why, Instant at) {}
