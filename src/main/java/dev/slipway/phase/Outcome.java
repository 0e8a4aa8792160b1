package dev.slipway.phase;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one run of a phase found. There is no other way out of a phase. */
public sealed interface Outcome {

    /** The phase's goal holds, proven by a live read: the token leaves. */
    static Done done(String message) {
        return new Done(message, Map.of());
    }

    /**
     * Something outside is not there yet; looked at again at the diagram's pace, slower while nothing changes.
     *
     * @param reason {@code WaitingFor<What>}
     * @param message what was last seen, for people
     */
    static Waiting waiting(String reason, String message) {
        return new Waiting(reason, message, null, null);
    }

    /** A transient fault that is not an exception of a call: tried again, exponentially. */
    static Retry retry(Failure failure) {
        return new Retry(failure);
    }

    /**
     * A person or another fix is needed: escalates at once.
     *
     * @param errorClass how the kernel re-checks
     * @param code an UpperCamel reason, for example {@code CaExpired}
     * @param message what is wrong, naming object and field
     * @param actions what a person can do, in order
     */
    static Blocked blocked(ErrorClass errorClass, String code, String message, String... actions) {
        return new Blocked(errorClass, code, message, List.of(actions));
    }

    /**
     * What an earlier phase brought about does not hold any more: the flow goes back to it. The first time at once, then
     * 1, 5 and 15 minutes after the time before; after that a person is asked.
     *
     * @param phase the earlier phase's name, for example {@code EnsureSentry}
     * @param reason an UpperCamel reason
     * @param message what was found, naming the object
     */
    static Back back(String phase, String reason, String message) {
        return new Back(phase, reason, message);
    }

    /** See {@link Outcome#done}. */
    record Done(String message, Map<String, String> facts) implements Outcome {

        public Done {
            facts = Map.copyOf(facts);
        }

        /** Records a fact for later phases: an id or a name, never a secret. */
        public Done with(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(facts);
            more.put(name, value);
            return new Done(message, more);
        }
    }

    /** See {@link Outcome#waiting}. */
    record Waiting(String reason, String message, @Nullable Duration requeueAfter, @Nullable String unskippable)
            implements Outcome {

        /** Asks for another pace than the diagram's. */
        public Waiting after(Duration delay) {
            return new Waiting(reason, message, delay, unskippable);
        }

        /** Says why not even an operator may skip the phase as things are now. */
        public Waiting unskippable(String why) {
            return new Waiting(reason, message, requeueAfter, why);
        }

        /** The pace asked for; empty means the diagram's requeue timer. */
        public Optional<Duration> after() {
            return Optional.ofNullable(requeueAfter);
        }
    }

    /** See {@link Outcome#retry}. */
    record Retry(Failure failure) implements Outcome {}

    /** See {@link Outcome#blocked}. */
    record Blocked(ErrorClass errorClass, String code, String message, List<String> actions) implements Outcome {

        public Blocked {
            actions = List.copyOf(actions);
        }
    }

    /** See {@link Outcome#back}. */
    record Back(String phase, String reason, String message) implements Outcome {}
}
