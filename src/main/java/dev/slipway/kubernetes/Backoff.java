package dev.slipway.kubernetes;

import java.util.concurrent.ThreadLocalRandom;

/** How long to pause after failures in a row: from a quarter of a second, doubling, up to 30 s, with jitter. */
final class Backoff {

    static final long LONGEST_MILLIS = 30_000;
    private static final long FIRST_MILLIS = 250;
    private static final int DOUBLINGS = 7;

    private int failures;

    int failures() {
        return failures;
    }

    void reset() {
        failures = 0;
    }

    /** Counts one more failure and says how many milliseconds to pause: half to all of the full pause. */
    long next() {
        long full = Math.min(FIRST_MILLIS << Math.min(failures, DOUBLINGS), LONGEST_MILLIS);
        failures++;
        return full / 2 + ThreadLocalRandom.current().nextLong(full / 2);
    }
}
