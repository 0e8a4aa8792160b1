package dev.slipway.notify;

import dev.slipway.notify.Notification.Event;
import dev.slipway.notify.Notification.Failure;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The outbox: what is to be told, what was, and what was given up. */
final class NotificationStore {

    private static final int TEXT = 1000;

    /** Not settled, and not a closing whose opening is not settled. */
    private static final String DELIVERABLE = " settled_at is null and not (event = 'CLOSED' and exists (select 1 from"
            + " slipway_notification opening where opening.escalation_id = slipway_notification.escalation_id"
            + " and opening.event = 'OPENED' and opening.settled_at is null))";

    private static final String OPEN_ATTEMPT = " where id = :id and attempts = :attempts and settled_at is null";

    private final JdbcClient jdbc;

    NotificationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds a notification, due now, in the caller's transaction; once, however often it is called. */
    void add(String escalationId, Event event, String facts, Instant now) {
        String id = escalationId + ":" + event.name().toLowerCase(Locale.ROOT);
        long there = jdbc.sql("select count(*) from slipway_notification where id = :id")
                .param("id", id)
                .query(Long.class)
                .single();
        if (there > 0) {
            return;
        }
        jdbc.sql("insert into slipway_notification (id, escalation_id, event, facts, created_at, attempts, due_at)"
                        + " values (:id, :escalationId, :event, :facts, :now, 0, :now)")
                .param("id", id)
                .param("escalationId", escalationId)
                .param("event", event.name())
                .param("facts", facts)
                .param("now", at(now))
                .update();
    }

    /** The facts that an escalation was opened with. */
    Optional<String> openingOf(String escalationId) {
        return jdbc.sql("select facts from slipway_notification where escalation_id = :id and event = 'OPENED'")
                .param("id", escalationId)
                .query(String.class)
                .optional();
    }

    /**
     * Takes the notification that has been due for longest, for one attempt at delivering it.
     *
     * @param lostAt when others may take it, if nobody has said by then what became of the attempt
     */
    Optional<Notification> claim(Instant now, Instant lostAt) {
        while (true) {
            Optional<Notification> due = jdbc.sql("select * from slipway_notification where due_at <= :now and"
                            + DELIVERABLE + " order by due_at, created_at, id fetch first 1 rows only")
                    .param("now", at(now))
                    .query(NotificationStore::map)
                    .optional();
            if (due.isEmpty()) {
                return due;
            }
            // Another node may have been quicker: then the number of attempts is another one.
            int claimed = jdbc.sql("update slipway_notification set attempts = attempts + 1, due_at = :lostAt"
                            + OPEN_ATTEMPT + " and due_at <= :now")
                    .param("id", due.get().id())
                    .param("attempts", due.get().attempts())
                    .param("now", at(now))
                    .param("lostAt", at(lostAt))
                    .update();
            if (claimed == 1) {
                return due.map(NotificationStore::tried);
            }
        }
    }

    private static Notification tried(Notification before) {
        return new Notification(
                before.id(),
                before.escalationId(),
                before.event(),
                before.facts(),
                before.attempts() + 1,
                before.failure(),
                before.refusedSince());
    }

    /** Notes that it was delivered, whoever has it now. */
    void delivered(Notification notification, Instant now) {
        jdbc.sql("update slipway_notification set settled_at = :now, result = 'DELIVERED'"
                        + " where id = :id and settled_at is null")
                .param("id", notification.id())
                .param("now", at(now))
                .update();
    }

    /** Notes that an attempt failed, and when to try again; nothing if another attempt has begun since. */
    void failed(
            Notification notification,
            Failure failure,
            String error,
            @Nullable Instant refusedSince,
            Instant nextAttempt) {
        jdbc.sql("update slipway_notification set failure = :failure, last_error = :error,"
                        + " refused_since = :refusedSince, due_at = :dueAt" + OPEN_ATTEMPT)
                .param("id", notification.id())
                .param("attempts", notification.attempts())
                .param("failure", failure.name())
                .param("error", cut(error))
                .param("refusedSince", at(refusedSince), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("dueAt", at(nextAttempt))
                .update();
    }

    /** Notes that it is not tried any more; nothing if another attempt has begun since. */
    void givenUp(Notification notification, String error, Instant now) {
        jdbc.sql("update slipway_notification set failure = 'REFUSED', last_error = :error, settled_at = :now,"
                        + " result = 'GIVEN_UP'" + OPEN_ATTEMPT)
                .param("id", notification.id())
                .param("attempts", notification.attempts())
                .param("error", cut(error))
                .param("now", at(now))
                .update();
    }

    /** When the next one is due; empty if none waits. */
    Optional<Instant> nextDue() {
        return jdbc.sql("select due_at from slipway_notification where" + DELIVERABLE
                        + " order by due_at fetch first 1 rows only")
                .query(OffsetDateTime.class)
                .optional()
                .map(OffsetDateTime::toInstant);
    }

    long undelivered() {
        return jdbc.sql("select count(*) from slipway_notification where settled_at is null")
                .query(Long.class)
                .single();
    }

    /** Removes what was settled before; an opening stays as long as its escalation is open. */
    int removeSettledBefore(Instant limit) {
        int openings = jdbc.sql("delete from slipway_notification where event = 'OPENED' and settled_at < :limit"
                        + " and escalation_id in (select closing.escalation_id from slipway_notification closing"
                        + " where closing.event = 'CLOSED' and closing.settled_at < :limit)")
                .param("limit", at(limit))
                .update();
        int closings = jdbc.sql("delete from slipway_notification where event = 'CLOSED' and settled_at < :limit")
                .param("limit", at(limit))
                .update();
        return openings + closings;
    }

    private static Notification map(ResultSet row, int number) throws SQLException {
        String failure = row.getString("failure");
        OffsetDateTime refusedSince = row.getObject("refused_since", OffsetDateTime.class);
        return new Notification(
                row.getString("id"),
                row.getString("escalation_id"),
                Event.valueOf(row.getString("event")),
                row.getString("facts"),
                row.getInt("attempts"),
                failure == null ? null : Failure.valueOf(failure),
                refusedSince == null ? null : refusedSince.toInstant());
    }

    private static @Nullable OffsetDateTime at(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static String cut(String text) {
        return text.length() <= TEXT ? text : text.substring(0, TEXT - 1) + "…";
    }
}
