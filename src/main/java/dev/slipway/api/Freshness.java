package dev.slipway.api;

import java.time.Duration;
import java.time.Instant;

/**
 * For how long something computed is shown again.
 *
 * <p>By what it cost, it is computed for a tenth of the time at most.
 *
 * @param from when it was computed
 * @param until when it is to be computed anew
 */
record Freshness(Instant from, Instant until) {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int SHARE = 10;

    /** A second, longer if it took long, at most half a minute. */
    static Freshness costing(Duration took, Instant now) {
        Duration wanted = tenfold(took, SHORTEST);
        return lasting(wanted.compareTo(LONGEST) > 0 ? LONGEST : wanted, now);
    }

    /** So long that what took so long takes a tenth of the time at most. */
    static Duration tenfold(Duration took, Duration shortest) {
        Duration wanted = took.multipliedBy(SHARE);
        return wanted.compareTo(shortest) > 0 ? wanted : shortest;
    }

    static Freshness lasting(Duration time, Instant now) {
        return new Freshness(now, now.plus(time));
    }

    /** Not after its time, nor when the clock was set back before it. */
    boolean holds(Instant now) {
        return now.isBefore(until) && !now.isBefore(from);
    }
}
