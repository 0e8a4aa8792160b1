package dev.slipway.kernel;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns an outcome into what happens next: the one place for back-off, jitter and escalation by error class.
 *
 * <ul>
 *   <li>waiting: the requested pace, half as slow again with each unchanged observation, up to the longest requeue
 *   <li>retry: 2 s, 4 s, 8 s … up to 60 s; never sooner than {@code Retry-After}
 *   <li>blocked: a minute, growing to five; never again by itself for AUTH
 *   <li>all with ±20 % jitter
 * </ul>
 */
final class RetryPolicy {

    private static final Duration FIRST_RETRY = Duration.ofSeconds(2);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(60);
    private static final Duration LONGEST_BLOCKED = Duration.ofMinutes(5);
    private static final double WAITING_FACTOR = 1.5;
    private static final double JITTER = 0.2;
    private static final int MAX_EXPONENT = 30;

    private final Duration longestWaiting;
    private final Duration firstBlocked;
    private final DoubleSupplier random;

    /**
     * Makes a policy.
     *
     * @param random gives numbers in [0, 1)
     */
    RetryPolicy(Duration longestWaiting, Duration firstBlocked, DoubleSupplier random) {
        this.longestWaiting = longestWaiting;
        this.firstBlocked = firstBlocked;
        this.random = random;
    }

    /**
     * Judges one run.
     *
     * @param before what earlier runs found
     * @param outcome what this run found
     * @param pace the diagram's requeue duration
     * @param now when the run ended
     */
    Verdict judge(PhaseRun.Progress before, Outcome outcome, Duration pace, Instant now) {
        // No default branch: a new kind of outcome must not compile before it is handled here.
        if (outcome instanceof Outcome.Done done) {
            return leave(before, done.message(), done.facts(), now);
        }
        if (outcome instanceof Outcome.Waiting waiting) {
            return waiting(before, waiting, pace, now);
        }
        if (outcome instanceof Outcome.Retry retry) {
            return failed(before, retry.failure(), now);
        }
        Outcome.Blocked blocked = (Outcome.Blocked) outcome;
        Seen seen = new Seen(PhaseState.BLOCKED, blocked.code(), blocked.message(), blocked.actions());
        int failures = countOf(before, blocked.errorClass());
        return blocked(before, seen, new Fault(blocked.errorClass(), failures, null, null), now);
    }

    private static Verdict leave(PhaseRun.Progress before, String message, Map<String, String> facts, Instant now) {
        PhaseRun.Progress progress = new PhaseRun.Progress(
                before.state(),
                before.stuck(),
                before.attempt() + 1,
                0,
                null,
                0,
                "Done",
                message,
                before.errorCode(),
                before.errorMessage(),
                List.of(),
                now,
                null);
        return new Verdict.Leave(progress, facts);
    }

    private Verdict waiting(PhaseRun.Progress before, Outcome.Waiting waiting, Duration pace, Instant now) {
        Seen seen = new Seen(PhaseState.WAITING, waiting.reason(), waiting.message(), List.of());
        int unchanged = seen.sameAs(before) ? before.unchanged() + 1 : 0;
        Duration base = waiting.after().orElse(pace);
        Duration limit = base.compareTo(longestWaiting) > 0 ? base : longestWaiting;
        Duration delay = jitter(grow(base, WAITING_FACTOR, unchanged, limit));
        Fault none = new Fault(null, 0, before.errorCode(), before.errorMessage());
        return stay(before, seen, none, delay, false, now);
    }

    private Verdict failed(PhaseRun.Progress before, Failure failure, Instant now) {
        ErrorClass errorClass = failure.errorClass();
        int failures = countOf(before, errorClass);
        Fault fault = new Fault(errorClass, failures, failure.code(), failure.message());
        int tries = errorClass.triesBeforeBlocked();
        if (tries > 0 && failures >= tries) {
            return blocked(
                    before,
                    new Seen(PhaseState.BLOCKED, failure.code(), failure.message(), failure.actions()),
                    fault,
                    now);
        }
        Duration delay = jitter(grow(FIRST_RETRY, 2, failures - 1, LONGEST_RETRY));
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        Seen seen = new Seen(PhaseState.RETRYING, failure.code(), failure.message(), failure.actions());
        return stay(before, seen, fault, delay.compareTo(asked) < 0 ? asked : delay, false, now);
    }

    private Verdict blocked(PhaseRun.Progress before, Seen seen, Fault fault, Instant now) {
        ErrorClass errorClass = Objects.requireNonNull(fault.errorClass());
        int rechecks = Math.max(0, fault.failures() - Math.max(1, errorClass.triesBeforeBlocked()));
        Duration delay =
                errorClass.recheckedWhenBlocked() ? jitter(grow(firstBlocked, 2, rechecks, LONGEST_BLOCKED)) : null;
        Fault shown = fault.code() == null
                ? new Fault(errorClass, fault.failures(), before.errorCode(), before.errorMessage())
                : fault;
        return stay(before, seen, shown, delay, !before.stuck(), now);
    }

    private static Verdict stay(
            PhaseRun.Progress before, Seen seen, Fault fault, @Nullable Duration delay, boolean escalate, Instant now) {
        boolean same = seen.sameAs(before);
        PhaseRun.Progress progress = new PhaseRun.Progress(
                seen.state(),
                before.stuck(),
                before.attempt() + 1,
                fault.failures(),
                fault.errorClass(),
                same ? before.unchanged() + 1 : 0,
                seen.reason(),
                seen.message(),
                fault.code(),
                fault.message(),
                seen.actions(),
                now,
                delay == null ? null : now.plus(delay));
        return new Verdict.Stay(progress, delay, escalate, !same);
    }

    private static int countOf(PhaseRun.Progress before, ErrorClass errorClass) {
        return before.failureClass() == errorClass ? before.failures() + 1 : 1;
    }

    private static Duration grow(Duration base, double factor, int times, Duration limit) {
        double millis = base.toMillis() * Math.pow(factor, Math.min(times, MAX_EXPONENT));
        return millis >= limit.toMillis() ? limit : Duration.ofMillis((long) millis);
    }

    private Duration jitter(Duration delay) {
        double factor = 1 - JITTER + 2 * JITTER * random.getAsDouble();
        return Duration.ofMillis(Math.round(delay.toMillis() * factor));
    }

    private record Seen(PhaseState state, String reason, String message, List<String> actions) {

        boolean sameAs(PhaseRun.Progress before) {
            return state == before.state() && reason.equals(before.reason()) && message.equals(before.message());
        }
    }

    private record Fault(
            @Nullable ErrorClass errorClass, int failures, @Nullable String code, @Nullable String message) {}
}
