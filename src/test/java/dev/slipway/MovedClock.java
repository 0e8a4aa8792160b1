package dev.slipway;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until a test moves it. */
public final class MovedClock extends Clock {

    private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

    /** Moves it ahead. */
    public synchronized void move(Duration ahead) {
        now = now.plus(ahead);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
