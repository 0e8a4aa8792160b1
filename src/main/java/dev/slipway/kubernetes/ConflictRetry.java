package dev.slipway.kubernetes;

import dev.slipway.phase.Failure;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Repeats a write that met a conflict: at most 5 times, a few milliseconds apart. */
final class ConflictRetry {

    private static final int ATTEMPTS = 5;
    private static final int LEAST_MILLIS = 5;
    private static final int STEP_MILLIS = 20;

    /**
     * Runs the step again while it fails with {@code Conflict}.
     *
     * @param step reads what it needs anew each time
     * @throws Failure the last conflict, or whatever else the step threw
     */
    <T> T retrying(Supplier<T> step) {
        for (int attempt = 1; ; attempt++) {
            try {
                return step.get();
            } catch (Failure e) {
                if (!CallError.CONFLICT.is(e) || attempt == ATTEMPTS) {
                    throw e;
                }
                pause(attempt, e);
            }
        }
    }

    private static void pause(int attempt, Failure conflict) {
        try {
            // Jitter parts two writers; short, since a thread of the runner waits here.
            Thread.sleep(ThreadLocalRandom.current().nextInt(LEAST_MILLIS, LEAST_MILLIS + STEP_MILLIS * attempt));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw conflict;
        }
    }
}
