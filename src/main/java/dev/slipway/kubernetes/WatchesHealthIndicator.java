package dev.slipway.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;

/**
 * How the watches do.
 *
 * <p>Never DOWN: watches only wake, and timers look without them. UNKNOWN says that changes are noticed late.
 */
final class WatchesHealthIndicator implements HealthIndicator {

    private final ClusterWatches watches;

    WatchesHealthIndicator(ClusterWatches watches) {
        this.watches = watches;
    }

    @Override
    public Health health() {
        List<WatchHealth> all = watches.health();
        boolean deaf = all.isEmpty() || all.stream().anyMatch(watch -> watch.state() == WatchHealth.State.BROKEN);
        Health.Builder health = deaf
                ? Health.status(Status.UNKNOWN)
                        .withDetail("problem", "Some changes are noticed late: phases look by their timers only")
                : Health.up();
        Map<String, String> details = new TreeMap<>();
        for (WatchHealth watch : all) {
            String where = watch.namespace().isEmpty() ? "" : " in " + watch.namespace();
            String failure = watch.lastFailure().isEmpty() ? "" : ", last failure " + watch.lastFailure();
            details.put(watch.kind() + where, watch.state() + ", " + watch.objects() + " objects" + failure);
        }
        return health.withDetails(details).build();
    }
}
