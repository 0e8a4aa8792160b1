package dev.slipway.trigger;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.platform.PlatformApi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/**
 * Whether there is a platform to import into, as last asked.
 *
 * <p>Its absence is DOWN where {@code slipway.platform.api} is {@code required}; elsewhere it only means that there is
 * nothing to do.
 */
final class PlatformPresence implements HealthIndicator {

    private static final Logger LOG = LoggerFactory.getLogger(PlatformPresence.class);

    private static final String SERVED = "served";
    private static final String ABSENT = "absent";

    private final PlatformApi platform;
    private volatile State state = new State("not asked yet", null);

    private record State(String platform, @Nullable String problem) {

        boolean served() {
            return platform.equals(SERVED);
        }
    }

    PlatformPresence(PlatformApi platform) {
        this.platform = platform;
    }

    /**
     * Asks now.
     *
     * @throws Failure while the API server does not answer; what was known stays
     */
    void check() {
        State before = state;
        State now = ask();
        state = now;
        if (now.problem() != null && !now.problem().equals(before.problem())) {
            LOG.error("No cluster is imported: {}", now.problem());
        }
        if (now.served() && !before.served()) {
            LOG.info("The platform API is served: Clusters are imported");
        }
    }

    /** Whether it was served when last asked; false before. */
    boolean isServed() {
        return state.served();
    }

    @Override
    public Health health() {
        State now = state;
        if (now.problem() != null) {
            return Health.down().withDetail("problem", now.problem()).build();
        }
        return Health.up().withDetail("platform", now.platform()).build();
    }

    private State ask() {
        try {
            return new State(platform.open().isPresent() ? SERVED : ABSENT, null);
        } catch (Failure failure) {
            if (failure.errorClass() != ErrorClass.INVALID) {
                throw failure;
            }
            return new State(ABSENT, failure.message() + ". What can be done: " + String.join("; ", failure.actions()));
        }
    }
}
