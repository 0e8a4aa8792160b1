package dev.slipway.controlplane;

import java.time.Duration;

/** Waits a moment between two looks at a process or an API that has no other way to tell. */
final class Pause {

    private Pause() {}

    static void of(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting", e);
        }
    }
}
