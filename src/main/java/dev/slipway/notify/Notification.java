package dev.slipway.notify;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing to tell: that an escalation was opened, or that it was closed.
 *
 * @param id the same at each attempt: the receiver's idempotency key
 * @param escalationId whose opening or closing it is
 * @param event which of the two
 * @param facts the escalation as JSON
 * @param attempts how often it was tried, this time included
 * @param failure why it failed the last time; null if it never did
 * @param refusedSince since when it has been refused without a break; null if the last failure was none of that kind
 */
record Notification(
        String id,
        String escalationId,
        Event event,
        String facts,
        int attempts,
        @Nullable Failure failure,
        @Nullable Instant refusedSince) {

    /** What happened to the escalation. */
    enum Event {
        /** A phase needs an operator. */
        OPENED,
        /** It no longer does. */
        CLOSED
    }

    /** Why a delivery failed. */
    enum Failure {
        /** Not reached, or not able at the moment. */
        UNAVAILABLE,
        /** Answered that it will not have it. */
        REFUSED
    }
}
