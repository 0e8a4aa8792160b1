package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What operators decided: recorded first, then applied. */
final class DecisionStore {

    private static final int TEXT = 2000;

    private final JdbcClient jdbc;

    DecisionStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(Decision decision) {
        ClusterRef cluster = decision.cluster();
        Decision.Wish wish = decision.wish();
        Duration wait = wish.duration();
        jdbc.sql("insert into slipway_decision (id, flow_id, namespace, name, uid, run_id, phase, choice, from_element,"
                        + " wait_millis, check_overridden, argument, reason, decided_by, decided_at, state) values (:id, :flowId,"
                        + " :namespace, :name, :uid, :runId, :phase, :choice, :from, :wait, :override, :argument, :reason, :by,"
                        + " :at, :state)")
                .param("id", decision.id())
                .param("flowId", decision.flowId())
                .param("namespace", cluster.namespace())
                .param("name", cluster.name())
                .param("uid", cluster.uid())
                .param("runId", decision.runId())
                .param("phase", decision.phase())
                .param("choice", wish.choice().name())
                .param("from", wish.from())
                .param("wait", wait == null ? null : wait.toMillis())
                .param("override", wish.override())
                .param("argument", wish.argument())
                .param("reason", wish.reason())
                .param("by", decision.by())
                .param("at", PhaseRunStore.at(decision.at()))
                .param("state", decision.state().name())
                .update();
    }

    /** Notes what became of an open decision; false if that was noted before. */
    boolean close(String id, Decision.State state, String result, Instant now) {
        return jdbc.sql("update slipway_decision set state = :state, result_message = :result, applied_at = :now"
                                + " where id = :id and applied_at is null")
                        .param("state", state.name())
                        .param("result", PhaseRunStore.cut(result, TEXT))
                        .param("now", PhaseRunStore.at(now))
                        .param("id", id)
                        .update()
                == 1;
    }

    Optional<Decision> find(String id) {
        return jdbc.sql("select * from slipway_decision where id = :id")
                .param("id", id)
                .query(DecisionStore::map)
                .optional();
    }

    /** Recorded and not applied, in the order of recording. */
    List<Decision> open() {
        return jdbc.sql("select * from slipway_decision where applied_at is null order by decided_at, id")
                .query(DecisionStore::map)
                .list();
    }

    List<Decision> ofCluster(String uid) {
        return jdbc.sql("select * from slipway_decision where uid = :uid order by decided_at desc, id")
                .param("uid", uid)
                .query(DecisionStore::map)
                .list();
    }

    /** The decision about a run that counts: the latest that was not refused. */
    Optional<Decision> latestOfRun(String runId) {
        return jdbc.sql("select * from slipway_decision where run_id = :runId and state <> 'REFUSED'"
                        + " order by decided_at desc fetch first 1 rows only")
                .param("runId", runId)
                .query(DecisionStore::map)
                .optional();
    }

    private static Decision map(ResultSet row, int number) throws SQLException {
        long wait = row.getLong("wait_millis");
        Duration duration = row.wasNull() ? null : Duration.ofMillis(wait);
        return new Decision(
                row.getString("id"),
                row.getString("flow_id"),
                new ClusterRef(text(row, "namespace"), text(row, "name"), text(row, "uid")),
                row.getString("run_id"),
                row.getString("phase"),
                new Decision.Wish(
                        Choice.valueOf(row.getString("choice")),
                        row.getString("from_element"),
                        duration,
                        row.getString("reason"),
                        row.getBoolean("check_overridden"),
                        row.getString("argument")),
                row.getString("decided_by"),
                row.getObject("decided_at", OffsetDateTime.class).toInstant(),
                Decision.State.valueOf(row.getString("state")),
                row.getString("result_message"),
                PhaseRunStore.instant(row, "applied_at"));
    }

    private static String text(ResultSet row, String column) throws SQLException {
        @Nullable String value = row.getString(column);
        return value == null ? "" : value;
    }
}
