package dev.slipway.kernel;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Whether this node does its work: it beats, its name is its own, and the engine looks for due jobs. */
final class KernelHealth implements HealthIndicator {

    private static final Duration LONGEST_WITHOUT_JOBS = Duration.ofMinutes(2);

    private final Kernel kernel;
    private final JobAcquisition acquisition;
    private final NodeProperties node;
    private final Clock clock;

    KernelHealth(Kernel kernel, JobAcquisition acquisition, NodeProperties node, Clock clock) {
        this.kernel = kernel;
        this.acquisition = acquisition;
        this.node = node;
        this.clock = clock;
    }

    @Override
    public Health health() {
        Instant now = clock.instant();
        Instant beat = kernel.lastBeat();
        Instant jobs = acquisition.lastProgress();
        Health.Builder health = Health.up();
        if (kernel.lostItsName()) {
            health = Health.down()
                    .withDetail(
                            "problem",
                            "Another Slipway runs under this node's name: give each its own slipway.node.id");
        } else if (isOlder(beat, now, node.deadAfter())) {
            health = Health.down()
                    .withDetail("problem", "No heartbeat reaches the database: others take over its waits");
        } else if (isOlder(jobs, now, LONGEST_WITHOUT_JOBS)) {
            health = Health.down().withDetail("problem", "The engine does not look for due jobs: no timer fires");
        }
        health.withDetail("node", node.name());
        if (beat != null) {
            health.withDetail("lastHeartbeat", beat.toString());
        }
        if (jobs != null) {
            health.withDetail("lastJobAcquisition", jobs.toString());
        }
        return health.build();
    }

    private static boolean isOlder(@Nullable Instant time, Instant now, Duration limit) {
        return time != null && now.isAfter(time.plus(limit));
    }
}
