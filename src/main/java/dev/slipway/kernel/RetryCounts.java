package dev.slipway.kernel;

import dev.slipway.phase.Outcome;
import dev.slipway.storage.Expiring;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Counts failed runs of phases by the hour.
 *
 * <p>In memory, stored once a minute in rows of this node: no run waits for another one's row. What a node had not stored when it
 * crashed is lost.
 */
final class RetryCounts implements Expiring {

    private static final Duration KEEP = Duration.ofDays(90);
    private static final int BATCH = 5000;
    private static final int CODE = 128;

    private final JdbcClient jdbc;
    private final String node;
    private final Clock clock;
    private final Map<Key, Long> counts = new ConcurrentHashMap<>();

    RetryCounts(JdbcClient jdbc, String node, Clock clock) {
        this.jdbc = jdbc;
        this.node = node;
        this.clock = clock;
    }

    private record Key(Instant bucket, String kind, String phase, String code) {}

    /** Counts a run that failed; others are none of its business. */
    void count(PhaseRun run, Outcome outcome) {
        if (outcome instanceof Outcome.Retry retry) {
            count(run, retry.failure().code());
        } else if (outcome instanceof Outcome.Blocked blocked) {
            count(run, blocked.code());
        }
    }

    private void count(PhaseRun run, String code) {
        Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
        Key key = new Key(hour, run.kind(), run.phase(), code.length() > CODE ? code.substring(0, CODE) : code);
        counts.merge(key, 1L, Long::sum);
    }

    /** Stores what was counted since the last time. */
    void flush() {
        for (Key key : List.copyOf(counts.keySet())) {
            Long amount = counts.remove(key);
            if (amount == null) {
                continue;
            }
            try {
                store(key, amount);
            } catch (RuntimeException e) {
                counts.merge(key, amount, Long::sum);
                throw e;
            }
        }
    }

    private void store(Key key, long amount) {
        int updated = write(
                "update slipway_retry set amount = amount + :amount where bucket_at = :bucket and node = :node"
                        + " and kind = :kind and phase = :phase and code = :code",
                key,
                amount);
        if (updated == 0) {
            write(
                    "insert into slipway_retry (bucket_at, node, kind, phase, code, amount)"
                            + " values (:bucket, :node, :kind, :phase, :code, :amount)",
                    key,
                    amount);
        }
    }

    private int write(String sql, Key key, long amount) {
        return jdbc.sql(sql)
                .param("bucket", PhaseRunStore.at(key.bucket()))
                .param("node", node)
                .param("kind", key.kind())
                .param("phase", key.phase())
                .param("code", key.code())
                .param("amount", amount)
                .update();
    }

    @Override
    public boolean removeOld() {
        Instant limit = clock.instant().minus(KEEP);
        int removed = jdbc.sql("delete from slipway_retry where bucket_at < :limit and bucket_at <= (select max(b) from"
                        + " (select bucket_at as b from slipway_retry order by bucket_at fetch first " + BATCH
                        + " rows only) oldest)")
                .param("limit", PhaseRunStore.at(limit))
                .update();
        return removed >= BATCH;
    }
}
