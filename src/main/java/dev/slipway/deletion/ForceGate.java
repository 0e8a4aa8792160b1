package dev.slipway.deletion;

import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Lets a phase go on by force, if an operator decided {@code FORCE} for just this phase, and only where nothing else helps.
 *
 * <ul>
 *   <li>the name was typed, and is the right one
 *   <li>the deletion was requested longer ago than {@code slipway.delete.force-after}
 *   <li>the phase was refused, could not reach something, or made no progress; or a kind is not served
 * </ul>
 *
 * <p>What can be done without force is done without it.
 */
@Component
public class ForceGate {

    /** The code of a phase whose remaining objects do not change any more. */
    public static final String NO_PROGRESS = "NoProgress";

    /** The code of a kind that the server does not serve. */
    public static final String KIND_ABSENT = "KindAbsent";

    private static final Set<ErrorClass> HOPELESS =
            Set.of(ErrorClass.AUTH, ErrorClass.TRUST, ErrorClass.ADMISSION, ErrorClass.TRANSIENT);

    private final DeletionSettings settings;

    public ForceGate(DeletionSettings settings) {
        this.settings = settings;
    }

    /**
     * Runs a step; if it does not get through, and force is decided and allowed, the other one.
     *
     * @param step the phase as usual
     * @param forced removes finalizers and records, and nothing else
     */
    public Outcome around(PhaseContext context, Supplier<Outcome> step, Supplier<Outcome> forced) {
        if (!decided(context)) {
            return step.get();
        }
        Outcome outcome;
        try {
            outcome = step.get();
        } catch (Failure e) {
            outcome = Outcome.retry(e);
        }
        if (outcome instanceof Outcome.Done) {
            return outcome;
        }
        Optional<String> refusal = refusal(context, outcome);
        if (refusal.isPresent()) {
            return Outcome.blocked(
                    ErrorClass.UNSAFE,
                    "ForceRefused",
                    "FORCE is not allowed: " + refusal.get() + ". " + messageOf(outcome),
                    "Remove what the message names; the phase then goes on by itself",
                    "Or decide FORCE again, once it is allowed");
        }
        Outcome result = forced.get();
        if (result instanceof Outcome.Done done) {
            String before = context.fact(DeletionFacts.FORCED)
                    .map(phases -> phases + " ")
                    .orElse("");
            return done.with(DeletionFacts.FORCED, before + context.phase());
        }
        return result;
    }

    /** Whether that phase of the flow went on by force. */
    public static boolean wasForced(PhaseContext context, String phase) {
        return context.fact(DeletionFacts.FORCED)
                .filter(phases -> Set.of(phases.split(" ")).contains(phase))
                .isPresent();
    }

    private static boolean decided(PhaseContext context) {
        return context.directive(Directive.FORCE).isPresent()
                && context.fact(Directive.FORCE.phaseFact())
                        .filter(phase -> !phase.equals(context.phase()))
                        .isEmpty();
    }

    private Optional<String> refusal(PhaseContext context, Outcome outcome) {
        String name = context.cluster().name();
        String typed = context.directive(Directive.FORCE).orElse("");
        if (!typed.equals(name)) {
            return Optional.of("the typed name is '" + typed + "', not '" + name + "'");
        }
        String code = codeOf(outcome);
        String earlier = context.fact(Directive.FORCE.reasonFact()).orElse("");
        if (code.equals(KIND_ABSENT)) {
            // Nothing is stuck, nobody can know: a person confirms that it is gone, at any time.
            return Optional.empty();
        }
        Instant from = requestedAt(context).plus(settings.forceAfter());
        if (context.now().isBefore(from)) {
            return Optional.of("the deletion was requested at " + requestedAt(context) + ", it is allowed from " + from
                    + " on (slipway.delete.force-after is " + settings.forceAfter() + ")");
        }
        boolean hopeless = code.equals(NO_PROGRESS)
                || earlier.equals(NO_PROGRESS)
                || classOf(outcome).filter(HOPELESS::contains).isPresent()
                || context.fact(Directive.FORCE.classFact())
                        .filter(name2 ->
                                HOPELESS.stream().anyMatch(one -> one.name().equals(name2)))
                        .isPresent();
        return hopeless ? Optional.empty() : Optional.of("it still moves, or waits for what can come");
    }

    static Instant requestedAt(PhaseContext context) {
        return context.fact(DeletionFacts.REQUESTED_AT).map(Instant::parse).orElse(context.since());
    }

    private static String codeOf(Outcome outcome) {
        if (outcome instanceof Outcome.Blocked blocked) {
            return blocked.code();
        }
        return outcome instanceof Outcome.Retry retry ? retry.failure().code() : "";
    }

    private static Optional<ErrorClass> classOf(Outcome outcome) {
        if (outcome instanceof Outcome.Blocked blocked) {
            return Optional.of(blocked.errorClass());
        }
        return outcome instanceof Outcome.Retry retry
                ? Optional.of(retry.failure().errorClass())
                : Optional.empty();
    }

    private static String messageOf(Outcome outcome) {
        if (outcome instanceof Outcome.Blocked blocked) {
            return "Now: " + blocked.message();
        }
        if (outcome instanceof Outcome.Waiting waiting) {
            return "Now: " + waiting.message();
        }
        return outcome instanceof Outcome.Retry retry
                ? "Now: " + retry.failure().message()
                : "";
    }
}
