package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The flows: who runs, who ran, and the keys that make a start happen once. */
final class FlowStore {

    /**
     * One flow as the database holds it.
     *
     * @param id the process instance
     * @param parent the process instance that called it; null if it stands alone
     */
    record FlowRow(
            String id,
            String kind,
            ClusterRef cluster,
            FlowState state,
            @Nullable String result,
            String startedBy,
            Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String parent) {}

    private static final String SELECT = "select * from slipway_flow where instance_id is not null";

    private final JdbcClient jdbc;

    FlowStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Claims the right to start; a duplicate key says that somebody else has it. */
    String claim(String kind, ClusterRef cluster, String startedBy, @Nullable String triggerKey, Instant now) {
        String id = UUID.randomUUID().toString();
        jdbc.sql("insert into slipway_flow (id, kind, namespace, name, uid, active_key, trigger_key, state, started_by,"
                        + " started_at) values (:id, :kind, :namespace, :name, :uid, :activeKey, :triggerKey, :state,"
                        + " :startedBy, :now)")
                .param("id", id)
                .param("kind", kind)
                .param("namespace", cluster.namespace())
                .param("name", cluster.name())
                .param("uid", cluster.uid())
                .param("activeKey", cluster.uid() + "/" + FlowKinds.group(kind))
                .param("triggerKey", triggerKey)
                .param("state", FlowState.RUNNING.name())
                .param("startedBy", startedBy)
                .param("now", PhaseRunStore.at(now))
                .update();
        return id;
    }

    /** Notes a flow that another one called; that one has the right to run. */
    void insertCalled(String instanceId, String kind, ClusterRef cluster, String parent, Instant now) {
        jdbc.sql("insert into slipway_flow (id, instance_id, kind, namespace, name, uid, parent_id, state, started_by,"
                        + " started_at) values (:id, :id, :kind, :namespace, :name, :uid, :parent, :state, 'slipway',"
                        + " :now)")
                .param("id", instanceId)
                .param("kind", kind)
                .param("namespace", cluster.namespace())
                .param("name", cluster.name())
                .param("uid", cluster.uid())
                .param("parent", parent)
                .param("state", FlowState.RUNNING.name())
                .param("now", PhaseRunStore.at(now))
                .update();
    }

    /** Whether a flow was started with that trigger key. */
    boolean hasFired(String triggerKey) {
        return jdbc.sql("select count(*) from slipway_flow where instance_id is not null and trigger_key = :key")
                        .param("key", triggerKey)
                        .query(Long.class)
                        .single()
                > 0;
    }

    /** The flow that another one called last. */
    Optional<FlowRow> lastCalled(String parent) {
        return jdbc.sql(SELECT + " and parent_id = :parent order by started_at desc, id fetch first 1 rows only")
                .param("parent", parent)
                .query(FlowStore::map)
                .optional();
    }

    void started(String claim, String instanceId) {
        jdbc.sql("update slipway_flow set instance_id = :instanceId where id = :id")
                .param("instanceId", instanceId)
                .param("id", claim)
                .update();
    }

    /** Notes how a flow is about to end. */
    void result(String instanceId, FlowState state, String result) {
        jdbc.sql(
                        "update slipway_flow set state = :state, result = :result where instance_id = :id and ended_at is null")
                .param("state", state.name())
                .param("result", result)
                .param("id", instanceId)
                .update();
    }

    /** Notes that a flow's instance is gone; without a result somebody deleted it. False if that was noted before. */
    boolean ended(String instanceId, Instant now) {
        return jdbc.sql("update slipway_flow set ended_at = :now, active_key = null,"
                                + " result = coalesce(result, 'InstanceDeleted'),"
                                + " state = case when state = 'RUNNING' then 'ABORTED' else state end"
                                + " where instance_id = :id and ended_at is null")
                        .param("now", PhaseRunStore.at(now))
                        .param("id", instanceId)
                        .update()
                == 1;
    }

    Optional<FlowRow> find(String instanceId) {
        return jdbc.sql(SELECT + " and instance_id = :id")
                .param("id", instanceId)
                .query(FlowStore::map)
                .optional();
    }

    List<FlowRow> find(Collection<String> instanceIds) {
        return jdbc.sql(SELECT + " and instance_id in (:ids)")
                .param("ids", instanceIds)
                .query(FlowStore::map)
                .list();
    }

    /** Reads a flow and keeps others from writing it until the transaction ends. */
    Optional<FlowRow> lock(String instanceId) {
        return jdbc.sql(SELECT + " and instance_id = :id for update")
                .param("id", instanceId)
                .query(FlowStore::map)
                .optional();
    }

    List<FlowRow> ofCluster(String uid) {
        return jdbc.sql(SELECT + " and uid = :uid order by started_at desc")
                .param("uid", uid)
                .query(FlowStore::map)
                .list();
    }

    List<FlowRow> latestOfAll() {
        return jdbc.sql("select f.* from slipway_flow f join (select uid, kind, max(started_at) as latest"
                        + " from slipway_flow where instance_id is not null group by uid, kind) l"
                        + " on f.uid = l.uid and f.kind = l.kind and f.started_at = l.latest"
                        + " where f.instance_id is not null")
                .query(FlowStore::map)
                .list();
    }

    private static FlowRow map(ResultSet row, int number) throws SQLException {
        return new FlowRow(
                row.getString("instance_id"),
                row.getString("kind"),
                new ClusterRef(row.getString("namespace"), row.getString("name"), row.getString("uid")),
                FlowState.valueOf(row.getString("state")),
                row.getString("result"),
                row.getString("started_by"),
                row.getObject("started_at", OffsetDateTime.class).toInstant(),
                PhaseRunStore.instant(row, "ended_at"),
                row.getString("parent_id"));
    }
}
