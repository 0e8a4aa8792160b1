package dev.slipway.kernel;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.camunda.bpm.engine.impl.util.ClockUtil;

/** The engine's clock as a {@link Clock}: one time for timers, waits and the runner, and one to move in tests. */
final class EngineClock extends Clock {

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return Clock.tick(this, java.time.Duration.ofMillis(1)).withZone(zone);
    }

    @Override
    public Instant instant() {
        return ClockUtil.getCurrentTime().toInstant();
    }
}
