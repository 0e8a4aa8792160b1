package dev.slipway.faults;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/** A scripted fault: which calls, how often, and what then. */
public final class Rule {

    private final FaultKind kind;
    private final Predicate<ApiCall> pattern;
    private final Frequency frequency;
    private final Random random;
    private final Function<Random, Fault> fault;
    private final AtomicInteger matched = new AtomicInteger();
    private final AtomicInteger injected = new AtomicInteger();

    /**
     * How often.
     *
     * @param most so many times, then never again
     * @param every of the matching calls only each n-th
     * @param chance of those, with this probability
     */
    record Frequency(int most, int every, double chance) {
        static final Frequency ALWAYS = new Frequency(Integer.MAX_VALUE, 1, 1);
    }

    Rule(
            FaultKind kind,
            Predicate<ApiCall> pattern,
            Frequency frequency,
            Random random,
            Function<Random, Fault> fault) {
        this.kind = kind;
        this.pattern = pattern;
        this.frequency = frequency;
        this.random = random;
        this.fault = fault;
    }

    FaultKind kind() {
        return kind;
    }

    /** How many times it has struck. */
    public int injected() {
        return injected.get();
    }

    /** The fault for a call, if it strikes. */
    synchronized Optional<Fault> strike(ApiCall call) {
        if (injected.get() >= frequency.most() || !pattern.test(call)) {
            return Optional.empty();
        }
        boolean turn = matched.incrementAndGet() % frequency.every() == 0;
        if (!turn || random.nextDouble() >= frequency.chance()) {
            return Optional.empty();
        }
        injected.incrementAndGet();
        return Optional.of(fault.apply(random));
    }
}
