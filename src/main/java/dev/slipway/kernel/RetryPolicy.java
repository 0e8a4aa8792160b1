package dev.slipway.kernel;

import dev.slipway.kernel.Progress.Counters;
import dev.slipway.kernel.Progress.Note;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns an outcome into what happens next: the one place for back-off, jitter and escalation by error class.
 *
 * <ul>
 *   <li>waiting: the requested pace, half as slow again with each unchanged observation, up to the longest requeue
 *   <li>retry: 2 s, 4 s, 8 s … up to 60 s; never sooner than {@code Retry-After}
 *   <li>blocked: a minute, growing to five; never again by itself for AUTH
 *   <li>back: at once, then a while after the time before; see {@link Returns}
 *   <li>all but the last with ±20 % jitter
 * </ul>
 */
final class RetryPolicy {

    private static final Duration FIRST_RETRY = Duration.ofSeconds(2);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(60);
    private static final Duration LONGEST_BLOCKED = Duration.ofMinutes(5);
    private static final double WAITING_FACTOR = 1.5;
    private static final double JITTER = 0.2;
    /** From so many failures in a row on an outage counts as the cause. */
    private static final int LASTING = 3;

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
     * @param returns how often the flow went back from this phase
     * @param now when the run ended
     */
    Verdict judge(Progress before, Outcome outcome, Duration pace, Returns returns, Instant now) {
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
        if (outcome instanceof Outcome.Back back) {
            return back(before, back, returns, now);
        }
        Outcome.Blocked blocked = (Outcome.Blocked) outcome;
        Seen seen = new Seen(PhaseState.BLOCKED, blocked.code(), blocked.message(), blocked.actions());
        Strikes strikes = Strikes.after(before.counters(), blocked.errorClass());
        return blocked(before, seen, blocked.errorClass(), strikes, null, now);
    }

    private Verdict back(Progress before, Outcome.Back back, Returns returns, Instant now) {
        Optional<Instant> next = returns.next();
        if (next.isEmpty()) {
            Seen seen = new Seen(
                    PhaseState.BLOCKED,
                    back.reason(),
                    back.message() + "; it was repaired " + returns.count() + " times and did not last",
                    List.of("Find out what undoes it", "Then decide RETRY: it is repaired again"));
            Strikes strikes = Strikes.after(before.counters(), ErrorClass.TRANSIENT);
            return blocked(before, seen, ErrorClass.TRANSIENT, strikes, null, now);
        }
        Counters counters = counters(before, 0, 0, null, Strikes.NONE);
        if (now.isBefore(next.get())) {
            Seen seen = new Seen(
                    PhaseState.WAITING,
                    back.reason(),
                    back.message() + "; the flow goes back to " + back.phase() + " at " + next.get(),
                    List.of());
            Duration delay = Duration.between(now, next.get());
            return stay(before, seen, counters, new Told(before.error(), seen.note()), delay, false, now);
        }
        Progress progress = new Progress(
                before.state(),
                before.stuck(),
                counters,
                back.reason(),
                back.message() + "; the flow went back to " + back.phase(),
                before.error(),
                null,
                List.of(),
                now,
                null);
        return new Verdict.Back(progress, back.phase(), returns.oneMore(now));
    }

    private static Verdict leave(Progress before, String message, Map<String, String> facts, Instant now) {
        Progress progress = new Progress(
                before.state(),
                before.stuck(),
                counters(before, 0, 0, null, Strikes.NONE),
                "Done",
                message,
                before.error(),
                null,
                List.of(),
                now,
                null);
        return new Verdict.Leave(progress, facts);
    }

    private Verdict waiting(Progress before, Outcome.Waiting waiting, Duration pace, Instant now) {
        Seen seen = new Seen(PhaseState.WAITING, waiting.reason(), waiting.message(), List.of());
        int unchanged = seen.sameAs(before) ? before.counters().unchanged() + 1 : 0;
        Duration base = waiting.after().orElse(pace);
        Duration limit = base.compareTo(longestWaiting) > 0 ? base : longestWaiting;
        Duration delay = jitter(grow(base, WAITING_FACTOR, unchanged, limit));
        Counters counters = counters(before, unchanged, 0, null, Strikes.NONE);
        return stay(before, seen, counters, new Told(before.error(), seen.note()), delay, false, now);
    }

    private Verdict failed(Progress before, Failure failure, Instant now) {
        ErrorClass errorClass = failure.errorClass();
        Strikes strikes = Strikes.after(before.counters(), errorClass);
        Note error = new Note(failure.code(), failure.message());
        int failures = failuresOf(before.counters(), errorClass);
        boolean covers = before.cause() == null || isCause(errorClass, failures);
        Note cause = covers ? error : before.cause();
        if (errorClass.triesBeforeBlocked() > 0 && strikes.count() >= errorClass.triesBeforeBlocked()) {
            Seen seen = new Seen(PhaseState.BLOCKED, failure.code(), failure.message(), failure.actions());
            return blocked(before, seen, errorClass, strikes, error, now);
        }
        Duration delay = jitter(grow(FIRST_RETRY, 2, failures - 1, LONGEST_RETRY));
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        Seen seen = new Seen(PhaseState.RETRYING, failure.code(), failure.message(), failure.actions());
        Counters counters = counters(before, unchanged(seen, before), failures, errorClass, strikes);
        Duration later = delay.compareTo(asked) < 0 ? asked : delay;
        return stay(before, seen, counters, new Told(error, cause), later, false, now);
    }

    /** Whether a failure explains more than what was awaited before: conflicts never do, outages once they last. */
    private static boolean isCause(ErrorClass errorClass, int failures) {
        return switch (errorClass) {
            case CONTENTION -> false;
            case TRANSIENT -> failures >= LASTING;
            default -> true;
        };
    }

    private Verdict blocked(
            Progress before, Seen seen, ErrorClass errorClass, Strikes strikes, @Nullable Note error, Instant now) {
        int failures = failuresOf(before.counters(), errorClass);
        int rechecks = Math.max(0, strikes.count() - Math.max(1, errorClass.triesBeforeBlocked()));
        Duration delay =
                errorClass.recheckedWhenBlocked() ? jitter(grow(firstBlocked, 2, rechecks, LONGEST_BLOCKED)) : null;
        Counters counters = counters(before, unchanged(seen, before), failures, errorClass, strikes);
        Told told = new Told(error == null ? before.error() : error, seen.note());
        return stay(before, seen, counters, told, delay, !before.stuck(), now);
    }

    private static Verdict stay(
            Progress before,
            Seen seen,
            Counters counters,
            Told told,
            @Nullable Duration delay,
            boolean escalate,
            Instant now) {
        Progress progress = new Progress(
                seen.state(),
                before.stuck(),
                counters,
                seen.reason(),
                seen.message(),
                told.error(),
                told.cause(),
                seen.actions(),
                now,
                delay == null ? null : now.plus(delay));
        return new Verdict.Stay(progress, delay, escalate, !seen.sameAs(before));
    }

    private static Counters counters(
            Progress before, int unchanged, int failures, @Nullable ErrorClass errorClass, Strikes strikes) {
        return new Counters(
                before.attempt() + 1, unchanged, failures, errorClass, strikes.count(), strikes.errorClass());
    }

    private static int unchanged(Seen seen, Progress before) {
        return seen.sameAs(before) ? before.counters().unchanged() + 1 : 0;
    }

    /** Failures in a row, for the back-off: all that pass by themselves count alike. */
    private static int failuresOf(Counters before, ErrorClass errorClass) {
        ErrorClass last = before.failureClass();
        boolean alike = last == errorClass
                || (last != null && last.triesBeforeBlocked() == 0 && errorClass.triesBeforeBlocked() == 0);
        return alike ? before.failures() + 1 : 1;
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

        boolean sameAs(Progress before) {
            return state == before.state() && reason.equals(before.reason()) && message.equals(before.message());
        }

        Note note() {
            return new Note(reason, message);
        }
    }

    /** The last failed call, and why the phase is still here. */
    private record Told(@Nullable Note error, @Nullable Note cause) {}

    /**
     * Failures that escalate by count. Only an outcome that is no failure clears them: an account must not be locked
     * because bad credentials and a busy server took turns.
     */
    private record Strikes(int count, @Nullable ErrorClass errorClass) {

        static final Strikes NONE = new Strikes(0, null);

        static Strikes after(Counters before, ErrorClass errorClass) {
            if (errorClass.triesBeforeBlocked() == 0) {
                return new Strikes(before.strikes(), before.strikeClass());
            }
            return new Strikes(before.strikeClass() == errorClass ? before.strikes() + 1 : 1, errorClass);
        }
    }
}
