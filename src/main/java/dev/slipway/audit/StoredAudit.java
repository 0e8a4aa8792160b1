package dev.slipway.audit;

import dev.slipway.audit.AuditEntry.Subject;
import dev.slipway.storage.Expiring;
import dev.slipway.storage.Select;
import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The audit book in the database. */
final class StoredAudit implements AuditBook, Expiring {

    private static final int BATCH = 5000;
    private static final int TEXT = 2000;
    private static final int NAME = 253;
    private static final int USER = 255;
    private static final int WORD = 128;
    private static final int ADDRESS = 64;

    private final JdbcClient jdbc;
    private final AuditOrigins origins;
    private final Clock clock;
    private final Duration keep;

    StoredAudit(JdbcClient jdbc, AuditOrigins origins, Clock clock, Duration keep) {
        this.jdbc = jdbc;
        this.origins = origins;
        this.clock = clock;
        this.keep = keep;
    }

    @Override
    public void note(AuditEntry entry) {
        AuditOrigins.Origin origin = origins.current();
        Optional<Subject> subject = Optional.ofNullable(entry.subject());
        jdbc.sql("insert into slipway_audit (noted_at, by_user, via, address, action, what, kind, namespace, name,"
                        + " flow_id, phase, reason, result, message) values (:at, :by, :via, :address, :action, :what,"
                        + " :kind, :namespace, :name, :flow, :phase, :reason, :result, :message)")
                .param("at", at(clock.instant()))
                .param("by", Objects.requireNonNull(cut(entry.by(), USER)))
                .param("via", origin.via())
                .param("address", cut(origin.address(), ADDRESS))
                .param("action", entry.action().name())
                .param("what", cut(entry.what(), WORD))
                .param("kind", subject.map(Subject::kind).orElse(null))
                .param("namespace", cut(subject.map(Subject::namespace).orElse(null), NAME))
                .param("name", cut(subject.map(Subject::name).orElse(null), NAME))
                .param("flow", subject.map(Subject::flow).orElse(null))
                .param("phase", cut(subject.map(Subject::phase).orElse(null), WORD))
                .param("reason", cut(entry.reason(), TEXT))
                .param("result", entry.result())
                .param("message", cut(entry.message(), TEXT))
                .update();
    }

    @Override
    public Sliced<AuditRecord> read(AuditQuestion question, Slice slice) {
        AuditAction action = question.action();
        return Select.from("slipway_audit")
                .is("by_user", question.by())
                .is("action", action == null ? null : action.name())
                .is("namespace", question.namespace())
                .is("name", question.name())
                .since("noted_at", question.since())
                .before("noted_at", question.until())
                .read(jdbc, "noted_at desc, id desc", slice, StoredAudit::record);
    }

    @Override
    public boolean removeOld() {
        int removed = jdbc.sql("delete from slipway_audit where id in (select id from slipway_audit"
                        + " where noted_at < :limit order by noted_at, id fetch first " + BATCH + " rows only)")
                .param("limit", at(clock.instant().minus(keep)))
                .update();
        return removed == BATCH;
    }

    private static AuditRecord record(ResultSet row, int number) throws SQLException {
        String kind = row.getString("kind");
        Subject subject = kind == null
                ? null
                : new Subject(
                        kind,
                        row.getString("namespace"),
                        row.getString("name"),
                        row.getString("flow_id"),
                        row.getString("phase"));
        AuditEntry entry = new AuditEntry(
                AuditAction.valueOf(row.getString("action")),
                row.getString("by_user"),
                row.getString("what"),
                subject,
                row.getString("reason"),
                row.getString("result"),
                row.getString("message"));
        return new AuditRecord(
                row.getString("id"),
                row.getObject("noted_at", OffsetDateTime.class).toInstant(),
                row.getString("via"),
                row.getString("address"),
                entry);
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    /** What users type may hold anything; the database takes no NUL. */
    private static @Nullable String cut(@Nullable String text, int length) {
        String clean = text == null ? null : text.replace('\0', '\uFFFD');
        return clean == null || clean.length() <= length ? clean : clean.substring(0, length - 1) + "…";
    }
}
