package dev.slipway.receipt;

import dev.slipway.phase.ClusterRef;
import dev.slipway.receipt.Receipt.Decided;
import dev.slipway.receipt.Receipt.PhaseTime;
import dev.slipway.storage.Select;
import dev.slipway.storage.Slice;
import dev.slipway.storage.Sliced;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The receipts' tables. */
final class ReceiptStore {

    private static final int WHAT = 512;
    private static final int WHY = 2000;

    private static final String COPIED_PHASES =
            "select flow_id, run_id, phase, state, reason, entered_at, left_at from slipway_receipt_phase";
    private static final String LIVE_PHASES =
            "select flow_id, id as run_id, phase, state, reason, entered_at, left_at from slipway_phase_run";
    private static final String COPIED_DECISIONS =
            "select flow_id, decision_id, choice, phase, decided_by, reason, state, decided_at from slipway_receipt_decision";
    private static final String LIVE_DECISIONS =
            "select flow_id, id as decision_id, choice, phase, decided_by, reason, state, decided_at from slipway_decision";

    private final JdbcClient jdbc;

    ReceiptStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A receipt without what was noted. */
    record Row(Head head, @Nullable String reason, @Nullable String result, @Nullable Instant closedAt) {}

    /** How a flow ended that did not close its receipt. */
    record End(String flowId, String result, Instant at) {}

    /** A row that belongs to a flow. */
    private record Of<T>(String flowId, T value) {}

    void insert(Head head) {
        jdbc.sql("insert into slipway_receipt (flow_id, kind, namespace, name, uid, mode, started_by, started_at)"
                        + " values (:flowId, :kind, :namespace, :name, :uid, :mode, :startedBy, :at)")
                .param("flowId", head.flowId())
                .param("kind", head.kind())
                .param("namespace", head.cluster().namespace())
                .param("name", head.cluster().name())
                .param("uid", head.cluster().uid())
                .param("mode", head.mode())
                .param("startedBy", head.startedBy())
                .param("at", at(head.at()))
                .update();
    }

    /** Adds the mode, unless it is known. */
    void mode(String flowId, String mode) {
        jdbc.sql("update slipway_receipt set mode = :mode where flow_id = :flowId and mode is null")
                .param("mode", mode)
                .param("flowId", flowId)
                .update();
    }

    /** Adds the reason, unless there is one. */
    void because(String flowId, String reason) {
        jdbc.sql("update slipway_receipt set reason = :reason where flow_id = :flowId and reason is null")
                .param("reason", cut(reason, WHY))
                .param("flowId", flowId)
                .update();
    }

    Optional<Row> head(String flowId) {
        return jdbc.sql("select * from slipway_receipt where flow_id = :flowId")
                .param("flowId", flowId)
                .query(ReceiptStore::row)
                .optional();
    }

    Sliced<Row> heads(@Nullable String namespace, @Nullable String name, @Nullable Instant since, Slice slice) {
        return Select.from("slipway_receipt")
                .is("namespace", namespace)
                .is("name", name)
                .since("started_at", since)
                .read(jdbc, "started_at desc, flow_id", slice, ReceiptStore::row);
    }

    /** Replaces what was noted about an object; false if nothing was. */
    boolean update(String flowId, Entry entry) {
        return written(
                        "update slipway_receipt_entry set fate = :fate, phase = :phase, why = :why"
                                + " where flow_id = :flowId and what = :what",
                        flowId,
                        entry)
                == 1;
    }

    void insert(String flowId, Entry entry) {
        written(
                "insert into slipway_receipt_entry (flow_id, what, fate, phase, why, noted_at)"
                        + " values (:flowId, :what, :fate, :phase, :why, :at)",
                flowId,
                entry);
    }

    void remove(String flowId, String what) {
        jdbc.sql("delete from slipway_receipt_entry where flow_id = :flowId and what = :what")
                .param("flowId", flowId)
                .param("what", what)
                .update();
    }

    private int written(String sql, String flowId, Entry entry) {
        return jdbc.sql(sql)
                .param("flowId", flowId)
                .param("what", cut(entry.what(), WHAT))
                .param("fate", entry.fate().name())
                .param("phase", entry.phase())
                .param("why", cut(entry.why(), WHY))
                .param("at", at(entry.at()))
                .update();
    }

    void close(String flowId, String result, Instant at) {
        jdbc.sql("update slipway_receipt set result = :result, closed_at = :at"
                        + " where flow_id = :flowId and closed_at is null")
                .param("result", result)
                .param("at", at(at))
                .param("flowId", flowId)
                .update();
    }

    /** Copies what the flow's own tables say, unless they say nothing any more. */
    void copy(String flowId) {
        copy(flowId, "slipway_phase_run", "slipway_receipt_phase", LIVE_PHASES);
        copy(flowId, "slipway_decision", "slipway_receipt_decision", LIVE_DECISIONS);
    }

    private void copy(String flowId, String from, String to, String live) {
        jdbc.sql("delete from " + to + " where flow_id = :flowId and exists (select 1 from " + from
                        + " source where source.flow_id = :flowId)")
                .param("flowId", flowId)
                .update();
        jdbc.sql("insert into " + to + " " + live + " where flow_id = :flowId")
                .param("flowId", flowId)
                .update();
    }

    List<End> unclosedOfEndedFlows() {
        return jdbc.sql("select f.instance_id, f.result, f.state, f.ended_at from slipway_receipt r join slipway_flow f"
                        + " on f.instance_id = r.flow_id where r.closed_at is null and f.ended_at is not null")
                .query((row, number) -> new End(
                        row.getString("instance_id"),
                        Optional.ofNullable(row.getString("result")).orElse("Ended"),
                        time(row, "ended_at")))
                .list();
    }

    int removeClosedBefore(Instant limit) {
        String old = "flow_id in (select flow_id from slipway_receipt where closed_at < :limit)";
        for (String table : List.of("slipway_receipt_entry", "slipway_receipt_phase", "slipway_receipt_decision")) {
            jdbc.sql("delete from " + table + " where " + old)
                    .param("limit", at(limit))
                    .update();
        }
        return jdbc.sql("delete from slipway_receipt where closed_at < :limit")
                .param("limit", at(limit))
                .update();
    }

    Map<String, List<Entry>> entries(Collection<String> flowIds) {
        return byFlow(
                "select * from slipway_receipt_entry where flow_id in (:ids) order by noted_at, what", flowIds, row -> {
                    return new Entry(
                            row.getString("what"),
                            Fate.valueOf(row.getString("fate")),
                            row.getString("phase"),
                            row.getString("why"),
                            time(row, "noted_at"));
                });
    }

    /** From the flow's own table, which knows more than the copy, as long as it knows anything. */
    Map<String, List<PhaseTime>> phases(Collection<String> flowIds) {
        return liveElseCopied(flowIds, LIVE_PHASES, COPIED_PHASES, "entered_at, run_id", row -> {
            OffsetDateTime left = row.getObject("left_at", OffsetDateTime.class);
            return new PhaseTime(
                    row.getString("phase"),
                    row.getString("state"),
                    row.getString("reason"),
                    time(row, "entered_at"),
                    left == null ? null : left.toInstant());
        });
    }

    /** As with the phases. */
    Map<String, List<Decided>> decisions(Collection<String> flowIds) {
        return liveElseCopied(flowIds, LIVE_DECISIONS, COPIED_DECISIONS, "decided_at, decision_id", row -> {
            return new Decided(
                    row.getString("choice"),
                    row.getString("phase"),
                    row.getString("decided_by"),
                    row.getString("reason"),
                    row.getString("state"),
                    time(row, "decided_at"));
        });
    }

    private <T> Map<String, List<T>> liveElseCopied(
            Collection<String> flowIds, String live, String copied, String order, Reading<T> reading) {
        String tail = " where flow_id in (:ids) order by " + order;
        Map<String, List<T>> found = new LinkedHashMap<>(byFlow(live + tail, flowIds, reading));
        Set<String> rest = new LinkedHashSet<>(flowIds);
        rest.removeAll(found.keySet());
        if (!rest.isEmpty()) {
            found.putAll(byFlow(copied + tail, rest, reading));
        }
        return found;
    }

    /** Reads one row. */
    @FunctionalInterface
    private interface Reading<T> {
        T of(ResultSet row) throws SQLException;
    }

    private <T> Map<String, List<T>> byFlow(String sql, Collection<String> flowIds, Reading<T> reading) {
        RowMapper<Of<T>> mapper = (row, number) -> new Of<>(row.getString("flow_id"), reading.of(row));
        return jdbc.sql(sql).param("ids", flowIds).query(mapper).list().stream()
                .collect(Collectors.groupingBy(
                        Of::flowId, LinkedHashMap::new, Collectors.mapping(Of::value, Collectors.toList())));
    }

    private static Row row(ResultSet row, int number) throws SQLException {
        OffsetDateTime closed = row.getObject("closed_at", OffsetDateTime.class);
        Head head = new Head(
                row.getString("flow_id"),
                row.getString("kind"),
                new ClusterRef(row.getString("namespace"), row.getString("name"), row.getString("uid")),
                row.getString("mode"),
                row.getString("started_by"),
                time(row, "started_at"));
        return new Row(
                head, row.getString("reason"), row.getString("result"), closed == null ? null : closed.toInstant());
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable String cut(@Nullable String text, int length) {
        return text == null || text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }
}
