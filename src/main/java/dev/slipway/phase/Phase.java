package dev.slipway.phase;

/**
 * One phase of a flow: a single idempotent step that is repeated until it holds.
 *
 * <p>An implementation looks first, live; decides; acts at most once; and reports an {@link Outcome}. It never sleeps,
 * never polls, and knows nothing of the engine. It may throw {@link Failure}: the kernel decides by its
 * {@link ErrorClass}. Any other exception is a bug and is treated as one.
 */
@FunctionalInterface
public interface Phase {

    /**
     * Runs the step once.
     *
     * @param context the cluster, the phase's counters, and what earlier phases recorded
     * @return what the step found; {@link Outcome#done} only after a live read proved the phase's goal
     * @throws Failure when a call failed; classified once, in the Kubernetes layer
     */
    Outcome run(PhaseContext context);
}
