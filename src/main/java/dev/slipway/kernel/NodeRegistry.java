package dev.slipway.kernel;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * This node among the others: its heartbeat, and who is dead.
 *
 * <p>All times are the database's, so that the nodes' clocks need not agree.
 */
final class NodeRegistry {

    private static final Logger log = LoggerFactory.getLogger(NodeRegistry.class);

    private final JdbcClient jdbc;
    private final PhaseRunStore runs;
    private final String node;
    private final Duration deadAfter;
    private final String incarnation = UUID.randomUUID().toString();

    NodeRegistry(JdbcClient jdbc, PhaseRunStore runs, NodeProperties properties) {
        this.jdbc = jdbc;
        this.runs = runs;
        this.node = properties.name();
        this.deadAfter = properties.deadAfter();
    }

    /** Registers this start of the node; an earlier start under the same name loses its place. */
    void register() {
        int updated = jdbc.sql("update slipway_node set incarnation = :incarnation, started_at = current_timestamp,"
                        + " heartbeat_at = current_timestamp where id = :id")
                .param("incarnation", incarnation)
                .param("id", node)
                .update();
        if (updated == 0) {
            jdbc.sql("insert into slipway_node (id, incarnation, started_at, heartbeat_at)"
                            + " values (:id, :incarnation, current_timestamp, current_timestamp)")
                    .param("id", node)
                    .param("incarnation", incarnation)
                    .update();
        }
    }

    /** Gives the engine the index that its acquisition of due jobs lacks. */
    void indexJobs() {
        jdbc.sql("create index if not exists slipway_job_duedate on act_ru_job (duedate_)")
                .update();
    }

    /** Releases what the engine's job executor held when an earlier start of this node died. */
    void releaseJobs() {
        int released = jdbc.sql(
                        "update act_ru_job set lock_owner_ = null, lock_exp_time_ = null" + " where lock_owner_ = :id")
                .param("id", node)
                .update();
        if (released > 0) {
            log.info("Released {} jobs that an earlier start of this node had locked", released);
        }
    }

    /**
     * Says that this node lives.
     *
     * @return false if another start under the same name has taken its place
     */
    boolean beat() {
        return jdbc.sql("update slipway_node set heartbeat_at = current_timestamp"
                                + " where id = :id and incarnation = :incarnation")
                        .param("id", node)
                        .param("incarnation", incarnation)
                        .update()
                == 1;
    }

    /** Takes over the waits of nodes without a recent heartbeat. */
    int adopt() {
        OffsetDateTime now =
                jdbc.sql("select current_timestamp").query(OffsetDateTime.class).single();
        int adopted = runs.adopt(node, now.minus(deadAfter));
        if (adopted > 0) {
            log.info("Adopted {} waits of nodes that no longer answer", adopted);
        }
        return adopted;
    }

    /** Leaves at a clean stop, so that others need not wait. */
    void leave() {
        jdbc.sql("delete from slipway_node where id = :id and incarnation = :incarnation")
                .param("id", node)
                .param("incarnation", incarnation)
                .update();
    }
}
