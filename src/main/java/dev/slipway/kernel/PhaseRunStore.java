package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The wait table: what each phase waits for, whose it is, and what was seen. */
final class PhaseRunStore {

    private static final int TEXT = 2000;
    private static final int ACTIONS = 4000;
    private static final String OPEN = " where id = :id and left_at is null";

    private final JdbcClient jdbc;

    PhaseRunStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(PhaseRun run) {
        jdbc.sql("insert into slipway_phase_run (id, flow_id, flow, definition_id, namespace, name, uid, element_id,"
                        + " phase, execution_id, scope_id, timer_id, owner, state, stuck, attempt, failures, unchanged,"
                        + " entered_at, stuck_at, next_check) values (:id, :flowId, :flow, :definitionId, :namespace,"
                        + " :name, :uid, :elementId, :phase, :executionId, :scopeId, :timerId, :owner, 'WAITING', false,"
                        + " 0, 0, 0, :enteredAt, :stuckAt, :enteredAt)")
                .param("id", run.id())
                .param("flowId", run.flowId())
                .param("flow", run.flow())
                .param("definitionId", run.definitionId())
                .param("namespace", run.cluster().namespace())
                .param("name", run.cluster().name())
                .param("uid", run.cluster().uid())
                .param("elementId", run.elementId())
                .param("phase", run.phase())
                .param("executionId", run.executionId())
                .param("scopeId", run.scopeId())
                .param("timerId", run.timerId())
                .param("owner", run.owner())
                .param("enteredAt", at(run.enteredAt()))
                .param("stuckAt", at(run.stuckAt()), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
    }

    /** Notes that the token came back through the requeue timer, on this node. */
    boolean reenter(String id, String executionId, @Nullable String timerId, String owner) {
        return jdbc.sql("update slipway_phase_run set execution_id = :executionId, timer_id = :timerId, owner = :owner"
                                + OPEN)
                        .param("id", id)
                        .param("executionId", executionId)
                        .param("timerId", timerId)
                        .param("owner", owner)
                        .update()
                == 1;
    }

    /** Reads a run and keeps others from writing it until the transaction ends; empty once it was left. */
    Optional<PhaseRun> lock(String id) {
        return jdbc.sql("select * from slipway_phase_run" + OPEN + " for update")
                .param("id", id)
                .query(PhaseRunStore::map)
                .optional();
    }

    Optional<PhaseRun> find(String id) {
        return jdbc.sql("select * from slipway_phase_run where id = :id")
                .param("id", id)
                .query(PhaseRunStore::map)
                .optional();
    }

    void save(String id, Progress progress) {
        jdbc.sql(
                        "update slipway_phase_run set state = :state, stuck = :stuck, attempt = :attempt, failures = :failures,"
                                + " failure_class = :failureClass, strikes = :strikes, strike_class = :strikeClass,"
                                + " unchanged = :unchanged, reason = :reason, message = :message,"
                                + " error_code = :errorCode, error_message = :errorMessage, cause_code = :causeCode,"
                                + " cause_message = :causeMessage, actions = :actions,"
                                + " last_check = :lastCheck, next_check = :nextCheck"
                                + OPEN)
                .param("id", id)
                .param("state", progress.state().name())
                .param("stuck", progress.stuck())
                .param("attempt", progress.attempt())
                .param("failures", progress.counters().failures())
                .param("failureClass", name(progress.counters().failureClass()))
                .param("strikes", progress.counters().strikes())
                .param("strikeClass", name(progress.counters().strikeClass()))
                .param("unchanged", progress.counters().unchanged())
                .param("reason", progress.reason())
                .param("message", cut(progress.message(), TEXT))
                .param("errorCode", code(progress.error()))
                .param("errorMessage", message(progress.error()))
                .param("causeCode", code(progress.cause()))
                .param("causeMessage", message(progress.cause()))
                .param("actions", cut(String.join("\n", progress.actions()), ACTIONS))
                .param("lastCheck", at(progress.lastCheck()), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("nextCheck", at(progress.nextCheck()), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
    }

    /** Notes that a phase needs an operator; its escalation is still to be shown. */
    void markStuck(String id) {
        jdbc.sql("update slipway_phase_run set stuck = true" + OPEN)
                .param("id", id)
                .update();
    }

    /** The stuck phase of a flow whose escalation is still to be shown, and shows it. */
    Optional<PhaseRun> takeStuck(String flowId, Instant now) {
        Optional<PhaseRun> run = jdbc.sql("select * from slipway_phase_run where flow_id = :flowId and left_at is null"
                        + " and stuck = true and escalated_at is null order by entered_at fetch first 1 rows only")
                .param("flowId", flowId)
                .query(PhaseRunStore::map)
                .optional();
        run.ifPresent(found -> jdbc.sql("update slipway_phase_run set escalated_at = :now" + OPEN)
                .param("id", found.id())
                .param("now", at(now))
                .update());
        return run;
    }

    /** Notes that the operator's task of a stuck phase is to be shown once more. */
    void showAgain(String id) {
        jdbc.sql("update slipway_phase_run set stuck = true, escalated_at = null" + OPEN)
                .param("id", id)
                .update();
    }

    /** Notes that a phase is held by an operator. */
    void pause(String id, String why) {
        jdbc.sql("update slipway_phase_run set state = 'PAUSED', stuck = false, escalated_at = null, stuck_at = null,"
                        + " reason = :reason, message = :message, actions = :actions, next_check = null" + OPEN)
                .param("id", id)
                .param("reason", Progress.entered().paused(why).reason())
                .param("message", cut(why, TEXT))
                .param(
                        "actions",
                        String.join("\n", Progress.entered().paused(why).actions()))
                .update();
    }

    /** Moves the time at which a phase counts as stuck. */
    void stuckAt(String id, Instant at) {
        jdbc.sql("update slipway_phase_run set stuck_at = :at" + OPEN)
                .param("id", id)
                .param("at", at(at))
                .update();
    }

    /** Ends a run; the first to end it decides how. */
    boolean leave(String id, PhaseState state, Instant now) {
        return jdbc.sql("update slipway_phase_run set state = :state, left_at = :now, next_check = null" + OPEN)
                        .param("id", id)
                        .param("state", state.name())
                        .param("now", at(now))
                        .update()
                == 1;
    }

    List<PhaseRun> ofFlow(String flowId) {
        return jdbc.sql("select * from slipway_phase_run where flow_id = :flowId order by entered_at, id")
                .param("flowId", flowId)
                .query(PhaseRunStore::map)
                .list();
    }

    List<PhaseRun> ofFlows(Collection<String> flowIds) {
        if (flowIds.isEmpty()) {
            return List.of();
        }
        return jdbc.sql("select * from slipway_phase_run where flow_id in (:flowIds) order by entered_at, id")
                .param("flowIds", flowIds)
                .query(PhaseRunStore::map)
                .list();
    }

    List<PhaseRun> openOfFlow(String flowId) {
        return jdbc.sql(
                        "select * from slipway_phase_run where flow_id = :flowId and left_at is null order by entered_at")
                .param("flowId", flowId)
                .query(PhaseRunStore::map)
                .list();
    }

    /** All phases that need an operator, with the oldest first. */
    List<PhaseRun> openStuck() {
        return jdbc.sql(
                        "select * from slipway_phase_run where left_at is null and stuck = true order by escalated_at, id")
                .query(PhaseRunStore::map)
                .list();
    }

    List<PhaseRun> openOfOwner(String owner) {
        return jdbc.sql("select * from slipway_phase_run where owner = :owner and left_at is null")
                .param("owner", owner)
                .query(PhaseRunStore::map)
                .list();
    }

    /** Takes over the open runs of nodes whose heartbeat is older than the limit, and of unknown nodes. */
    int adopt(String owner, OffsetDateTime deadBefore) {
        return jdbc.sql("update slipway_phase_run set owner = :owner where left_at is null and owner <> :owner and"
                        + " owner not in (select id from slipway_node where heartbeat_at >= :deadBefore)")
                .param("owner", owner)
                .param("deadBefore", deadBefore)
                .update();
    }

    static @Nullable OffsetDateTime at(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }

    private static Instant required(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static @Nullable String cut(@Nullable String text, int length) {
        return text == null || text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }

    private static PhaseRun map(ResultSet row, int number) throws SQLException {
        return new PhaseRun(
                row.getString("id"),
                row.getString("flow_id"),
                row.getString("flow"),
                row.getString("definition_id"),
                new ClusterRef(row.getString("namespace"), row.getString("name"), row.getString("uid")),
                row.getString("element_id"),
                row.getString("phase"),
                row.getString("execution_id"),
                row.getString("scope_id"),
                row.getString("timer_id"),
                row.getString("owner"),
                instant(row, "stuck_at"),
                required(row, "entered_at"),
                instant(row, "escalated_at"),
                instant(row, "left_at"),
                progress(row));
    }

    private static Progress progress(ResultSet row) throws SQLException {
        String actions = row.getString("actions");
        return new Progress(
                PhaseState.valueOf(row.getString("state")),
                row.getBoolean("stuck"),
                new Progress.Counters(
                        row.getInt("attempt"),
                        row.getInt("unchanged"),
                        row.getInt("failures"),
                        errorClass(row.getString("failure_class")),
                        row.getInt("strikes"),
                        errorClass(row.getString("strike_class"))),
                row.getString("reason"),
                row.getString("message"),
                note(row.getString("error_code"), row.getString("error_message")),
                note(row.getString("cause_code"), row.getString("cause_message")),
                actions == null || actions.isEmpty() ? List.of() : List.of(actions.split("\n")),
                instant(row, "last_check"),
                instant(row, "next_check"));
    }

    private static @Nullable String name(@Nullable ErrorClass errorClass) {
        return errorClass == null ? null : errorClass.name();
    }

    private static @Nullable ErrorClass errorClass(@Nullable String name) {
        return name == null ? null : ErrorClass.valueOf(name);
    }

    private static @Nullable String code(Progress.@Nullable Note note) {
        return note == null ? null : note.code();
    }

    private static @Nullable String message(Progress.@Nullable Note note) {
        return note == null ? null : cut(note.message(), TEXT);
    }

    private static Progress.@Nullable Note note(@Nullable String code, @Nullable String message) {
        return code == null || message == null ? null : new Progress.Note(code, message);
    }
}
