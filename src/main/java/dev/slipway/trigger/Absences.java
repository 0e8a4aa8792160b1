package dev.slipway.trigger;

import dev.slipway.phase.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes clusters for gone only after a second look.
 *
 * <p>One empty answer does not end a flow: an API that was restored, or a wrong backend, gives such answers too.
 */
final class Absences {

    /** How long after the first look the second one is due. */
    static final Duration SECOND_LOOK = Duration.ofSeconds(5);

    private final InstantSource clock;
    /** When a cluster was first found absent, by UID, until that is confirmed. */
    private final Map<String, Instant> since = new ConcurrentHashMap<>();

    Absences(InstantSource clock) {
        this.clock = clock;
    }

    /** Whether a cluster that was found absent just now had been so before, long enough ago. */
    boolean isConfirmed(ClusterRef cluster) {
        Instant now = clock.instant();
        Instant first = since.putIfAbsent(cluster.uid(), now);
        if (first == null || now.isBefore(first.plus(SECOND_LOOK.minusSeconds(1)))) {
            return false;
        }
        since.remove(cluster.uid());
        return true;
    }

    /** The cluster is there. */
    void forget(ClusterRef cluster) {
        since.remove(cluster.uid());
    }
}
