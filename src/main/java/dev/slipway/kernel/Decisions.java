package dev.slipway.kernel;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What operators decided: recorded first, then applied from outside of the flow until it holds.
 *
 * <p>A crash in between loses nothing: whatever is recorded and not applied is applied at the next heartbeat.
 */
final class Decisions {

    private static final Logger log = LoggerFactory.getLogger(Decisions.class);

    /** What an operator may choose. */
    enum Choice {
        /** Start the phase anew, with fresh timers and counters. */
        RETRY,
        /** Leave it as it is: it starts anew too, so that it can get stuck again. */
        WAIT,
        /** End the flow. */
        ABORT
    }

    private record Decision(String id, String runId, Choice choice, String by) {}

    private final JdbcClient jdbc;
    private final PhaseRunStore store;
    private final PhaseTokens tokens;
    private final Clock clock;

    Decisions(JdbcClient jdbc, PhaseRunStore store, PhaseTokens tokens, Clock clock) {
        this.jdbc = jdbc;
        this.store = store;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** Records a decision, in the caller's transaction if there is one. */
    void record(PhaseRun run, Choice choice, String by, @Nullable String reason) {
        jdbc.sql("insert into slipway_decision (id, flow_id, run_id, choice, decided_by, reason, decided_at) values"
                        + " (:id, :flowId, :runId, :choice, :by, :reason, :now)")
                .param("id", UUID.randomUUID().toString())
                .param("flowId", run.flowId())
                .param("runId", run.id())
                .param("choice", choice.name())
                .param("by", by)
                .param("reason", reason)
                .param("now", PhaseRunStore.at(clock.instant()))
                .update();
        log.info(
                "{} decided {} for {} of {}",
                by,
                choice,
                run.phase(),
                run.cluster().display());
    }

    /** Applies whatever is recorded and does not hold yet. */
    void applyOpen() {
        List<Decision> open = jdbc.sql("select id, run_id, choice, decided_by from slipway_decision"
                        + " where applied_at is null order by decided_at")
                .query((row, number) -> new Decision(
                        row.getString("id"),
                        row.getString("run_id"),
                        Choice.valueOf(row.getString("choice")),
                        row.getString("decided_by")))
                .list();
        for (Decision decision : open) {
            try {
                tokens.retrying(() -> apply(decision));
            } catch (RuntimeException e) {
                log.warn("Applying the decision {} of {} again later", decision.choice(), decision.by(), e);
            }
        }
    }

    private boolean apply(Decision decision) {
        Optional<PhaseRun> run = store.lock(decision.runId());
        boolean mine = jdbc.sql("update slipway_decision set applied_at = :now, result = :result"
                                + " where id = :id and applied_at is null")
                        .param("now", PhaseRunStore.at(now()))
                        .param("result", run.isPresent() ? "Applied" : "PhaseLeft")
                        .param("id", decision.id())
                        .update()
                == 1;
        if (mine) {
            run.ifPresent(found -> act(found, decision.choice()));
        }
        return mine;
    }

    private void act(PhaseRun run, Choice choice) {
        switch (choice) {
            case RETRY, WAIT -> tokens.restart(run);
            case ABORT -> tokens.abort(run);
        }
    }

    private Instant now() {
        return clock.instant();
    }
}
