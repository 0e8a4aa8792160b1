package dev.slipway.queue;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long to wait after so many failures in a row: exponential, with jitter.
 *
 * @param first the wait after the first failure
 * @param longest the wait that is never exceeded, jitter apart
 * @param random gives 0 to 1; spreads the waits by 20 % up or down
 */
public record Backoff(Duration first, Duration longest, DoubleSupplier random) {

    private static final double SPREAD = 0.2;
    private static final int MAX_DOUBLINGS = 30;

    /** The wait after that many failures in a row, counted from 1. */
    public Duration after(int failures) {
        int doublings = Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
        double exact = Math.min((double) first.toMillis() * Math.pow(2, doublings), (double) longest.toMillis());
        double factor = 1 - SPREAD + 2 * SPREAD * random.getAsDouble();
        return Duration.ofMillis(Math.round(exact * factor));
    }
}
