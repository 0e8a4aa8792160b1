package dev.slipway.api;

import dev.slipway.storage.Expiring;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Answers that are kept for those who ask the same once more: the database decides who is first, also between nodes. */
@Component
class IdempotencyStore implements Expiring {

    private static final Duration KEEP = Duration.ofHours(24);
    private static final int BATCH = 1000;

    private final JdbcClient jdbc;
    private final Clock clock;

    IdempotencyStore(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /**
     * A request that was made with a key.
     *
     * @param requestHash of the request
     * @param claim of whoever carries it out
     * @param since when that began
     * @param answer what was answered; null while it is carried out
     */
    record Entry(String requestHash, String claim, Instant since, @Nullable Answer answer) {}

    /** What was answered. */
    record Answer(int status, @Nullable String location, @Nullable String contentType, @Nullable String body) {}

    /** Takes the right to carry a request out; false if somebody has it. */
    boolean claim(String id, String requestHash, String claim) {
        jdbc.sql("delete from slipway_idempotency where id = :id and created_at < :limit")
                .param("id", id)
                .param("limit", at(clock.instant().minus(KEEP)))
                .update();
        try {
            jdbc.sql("insert into slipway_idempotency (id, request_hash, claim, created_at)"
                            + " values (:id, :requestHash, :claim, :now)")
                    .param("id", id)
                    .param("requestHash", requestHash)
                    .param("claim", claim)
                    .param("now", at(clock.instant()))
                    .update();
            return true;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    /** Takes the right from somebody who seems to have died; false if others were quicker. */
    boolean takeOver(String id, String from, String claim) {
        return jdbc.sql("update slipway_idempotency set claim = :claim, created_at = :now"
                                + " where id = :id and claim = :from and done_at is null")
                        .param("claim", claim)
                        .param("now", at(clock.instant()))
                        .param("id", id)
                        .param("from", from)
                        .update()
                == 1;
    }

    Optional<Entry> find(String id) {
        return jdbc.sql("select * from slipway_idempotency where id = :id")
                .param("id", id)
                .query(IdempotencyStore::entry)
                .optional();
    }

    /** Keeps an answer. */
    void done(String id, String claim, Answer answer) {
        jdbc.sql("update slipway_idempotency set done_at = :now, status = :status, location = :location,"
                        + " content_type = :contentType, body = :body where id = :id and claim = :claim")
                .param("now", at(clock.instant()))
                .param("status", answer.status())
                .param("location", answer.location())
                .param("contentType", answer.contentType())
                .param("body", answer.body())
                .param("id", id)
                .param("claim", claim)
                .update();
    }

    /** Gives the right back: what came to nothing may be tried again. */
    void release(String id, String claim) {
        jdbc.sql("delete from slipway_idempotency where id = :id and claim = :claim and done_at is null")
                .param("id", id)
                .param("claim", claim)
                .update();
    }

    @Override
    public boolean removeOld() {
        int removed = jdbc.sql("delete from slipway_idempotency where id in (select id from slipway_idempotency"
                        + " where created_at < :limit order by created_at fetch first " + BATCH + " rows only)")
                .param("limit", at(clock.instant().minus(KEEP)))
                .update();
        return removed == BATCH;
    }

    private static Entry entry(ResultSet row, int number) throws SQLException {
        Answer answer = row.getObject("done_at") == null
                ? null
                : new Answer(
                        row.getInt("status"),
                        row.getString("location"),
                        row.getString("content_type"),
                        row.getString("body"));
        return new Entry(
                row.getString("request_hash"),
                row.getString("claim"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                answer);
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
