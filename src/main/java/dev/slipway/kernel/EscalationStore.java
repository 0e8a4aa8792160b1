package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Each time that a phase needed an operator. */
final class EscalationStore {

    private static final int ACTIONS = 4000;
    private static final int TEXT = 2000;

    private final JdbcClient jdbc;

    EscalationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void open(String runId, Escalation escalation) {
        ClusterRef cluster = escalation.cluster();
        jdbc.sql("insert into slipway_escalation (id, open_key, run_id, flow_id, kind, namespace, name, uid, phase,"
                        + " title, since, attempts, reason, message, actions, choices, opened_at) values (:id, :runId,"
                        + " :runId, :flowId, :kind, :namespace, :name, :uid, :phase, :title, :since, :attempts, :reason,"
                        + " :message, :actions, :choices, :openedAt)")
                .param("id", escalation.id())
                .param("runId", runId)
                .param("flowId", escalation.flowId())
                .param("kind", escalation.kind())
                .param("namespace", cluster.namespace())
                .param("name", cluster.name())
                .param("uid", cluster.uid())
                .param("phase", escalation.phase())
                .param("title", PhaseRunStore.cut(escalation.title(), 255))
                .param("since", PhaseRunStore.at(escalation.since()))
                .param("attempts", escalation.attempts())
                .param("reason", PhaseRunStore.cut(escalation.reason(), 128))
                .param("message", PhaseRunStore.cut(escalation.message(), TEXT))
                .param("actions", PhaseRunStore.cut(String.join("\n", escalation.actions()), ACTIONS))
                .param("choices", String.join(",", escalation.choices()))
                .param("openedAt", PhaseRunStore.at(escalation.openedAt()))
                .update();
    }

    /** The open escalation of a run. */
    Optional<Escalation> openOfRun(String runId) {
        return jdbc.sql("select * from slipway_escalation where open_key = :runId")
                .param("runId", runId)
                .query(EscalationStore::map)
                .optional();
    }

    /** Closes the open escalation of a run; empty if there is none. */
    Optional<Escalation> close(String runId, String outcome, Instant now) {
        Optional<Escalation> open = openOfRun(runId);
        open.ifPresent(escalation -> jdbc.sql("update slipway_escalation set open_key = null, closed_at = :now,"
                        + " outcome = :outcome where id = :id")
                .param("now", PhaseRunStore.at(now))
                .param("outcome", outcome)
                .param("id", escalation.id())
                .update());
        return open.flatMap(escalation -> find(escalation.id()));
    }

    /** All open escalations, the oldest first. */
    List<Escalation> open() {
        return jdbc.sql("select * from slipway_escalation where open_key is not null order by opened_at, id")
                .query(EscalationStore::map)
                .list();
    }

    private Optional<Escalation> find(String id) {
        return jdbc.sql("select * from slipway_escalation where id = :id")
                .param("id", id)
                .query(EscalationStore::map)
                .optional();
    }

    static Escalation map(ResultSet row, int number) throws SQLException {
        return new Escalation(
                row.getString("id"),
                row.getString("flow_id"),
                row.getString("kind"),
                new ClusterRef(row.getString("namespace"), row.getString("name"), row.getString("uid")),
                row.getString("phase"),
                row.getString("title"),
                row.getObject("since", OffsetDateTime.class).toInstant(),
                row.getInt("attempts"),
                row.getString("reason"),
                row.getString("message"),
                lines(row.getString("actions"), "\n"),
                lines(row.getString("choices"), ","),
                row.getObject("opened_at", OffsetDateTime.class).toInstant(),
                PhaseRunStore.instant(row, "closed_at"),
                row.getString("outcome"));
    }

    private static List<String> lines(String text, String separator) {
        return text.isEmpty() ? List.of() : List.of(text.split(separator));
    }
}
