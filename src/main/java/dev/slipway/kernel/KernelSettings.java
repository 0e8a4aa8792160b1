package dev.slipway.kernel;

import java.time.Clock;
import java.time.Duration;
import java.util.function.IntSupplier;

/** What the kernel's parts share: the node, the clock, and which clock drives. */
final class KernelSettings {

    private static final Duration LATE_TIMER = Duration.ofSeconds(30);

    private final String node;
    private final Clock clock;
    private final KernelProperties properties;
    private volatile IntSupplier waits = () -> 0;

    KernelSettings(String node, Clock clock, KernelProperties properties) {
        this.node = node;
        this.clock = clock;
        this.properties = properties;
    }

    /** Tells how many waits this node has, for {@code auto}. */
    void countWaitsWith(IntSupplier waits) {
        this.waits = waits;
    }

    String node() {
        return node;
    }

    Clock clock() {
        return clock;
    }

    /** The time after which a phase counts as stuck: as drawn, or scaled down to no less than a run may take. */
    Duration scaleStuck(Duration drawn) {
        if (properties.stuckScale() == 1) {
            return drawn;
        }
        Duration scaled = Duration.ofMillis(Math.round(drawn.toMillis() * properties.stuckScale()));
        Duration least = drawn.compareTo(properties.runDeadline()) < 0 ? drawn : properties.runDeadline();
        return scaled.compareTo(least) < 0 ? least : scaled;
    }

    Duration deadMan() {
        return properties.deadMan();
    }

    /** How late a boundary timer may be before the runner looks without it. */
    Duration lateTimer() {
        return LATE_TIMER;
    }

    /** How long a token waits for its first outcome before the boundary timer brings it back. */
    Duration guard() {
        return runnerDrives() ? properties.deadMan() : properties.runDeadline().multipliedBy(2);
    }

    /** Whether the runner's clock drives re-checks, rather than the boundary timers. */
    boolean runnerDrives() {
        return switch (properties.clock()) {
            case ENGINE -> false;
            case RUNNER -> true;
            case AUTO -> waits.getAsInt() > properties.autoThreshold();
        };
    }
}
