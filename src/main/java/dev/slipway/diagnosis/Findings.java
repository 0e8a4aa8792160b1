package dev.slipway.diagnosis;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one step has found so far; what it found before its deadline is kept.
 *
 * <p>All texts are cleaned here, so that no step can forget it.
 */
final class Findings {

    /** The code of what took too long. */
    static final String OVERDUE = "Overdue";

    private static final int MOST_OBJECTS = 20;
    private static final int MOST_DETAILS = 60;

    private final Step step;
    private final List<Finding> list = new ArrayList<>();
    private @Nullable Seen ifOverdue;
    private boolean hopeless;
    private boolean closed;

    Findings(Step step) {
        this.step = step;
    }

    /** Looks at something; what fails is told as unknown, and the next look goes on unless nobody answers. */
    void look(String object, Runnable look) {
        if (hopeless()) {
            return;
        }
        expect(null);
        asking(object);
        try {
            look.run();
        } catch (Failure failure) {
            failed(object, failure);
        }
        asking(step.title());
    }

    /** Says what is being asked, in case that no answer comes in time. */
    void asking(String object) {
        expect(Seen.unknown(object, OVERDUE, "it took too long"));
    }

    /** Says what it means if no answer comes in time. */
    synchronized void expect(@Nullable Seen overdue) {
        ifOverdue = overdue;
    }

    void failed(String object, Failure failure) {
        String[] actions = failure.actions().toArray(new String[0]);
        if ("KindAbsent".equals(failure.code())) {
            add(Seen.problem(object, failure.code(), failure.message(), actions));
            return;
        }
        // Whoever does not answer now will not answer the next question either: each would cost a whole deadline.
        boolean silent = failure.errorClass() == ErrorClass.TRANSIENT;
        add(Seen.unknown(
                object,
                failure.code(),
                failure.message() + (silent ? " The rest of this step was not looked at." : ""),
                actions));
        synchronized (this) {
            hopeless = silent;
        }
    }

    synchronized void add(Seen seen) {
        if (closed) {
            return;
        }
        list.add(new Finding(
                step.number(),
                step.title(),
                Redaction.clean(seen.object()),
                seen.verdict(),
                seen.code(),
                Redaction.clean(seen.sentence()),
                limited(seen.details().stream().map(Redaction::clean).toList())));
    }

    /**
     * Adds many of a kind: each one that is not well for itself, worst first, and the others together.
     *
     * @param noun what they are, in the plural, for example {@code machines}
     */
    void addAll(String noun, Collection<Seen> all) {
        List<Seen> worst = all.stream()
                .filter(seen -> seen.verdict() != Verdict.OK)
                .sorted(Comparator.comparing(Seen::verdict).reversed())
                .toList();
        List<Seen> well =
                all.stream().filter(seen -> seen.verdict() == Verdict.OK).toList();
        worst.stream().limit(MOST_OBJECTS).forEach(this::add);
        List<Seen> rest = worst.subList(Math.min(MOST_OBJECTS, worst.size()), worst.size());
        if (!rest.isEmpty()) {
            Verdict verdict = Verdict.worst(rest.stream().map(Seen::verdict).toList());
            add(new Seen(noun, verdict, "More", rest.size() + " more " + noun + " are not well", lines(rest)));
        }
        if (!well.isEmpty()) {
            add(new Seen(
                    noun, Verdict.OK, null, well.size() + " of " + all.size() + " " + noun + " are well", lines(well)));
        }
    }

    /** Ends it; what is still being asked for after the deadline becomes a finding. */
    synchronized void overdue(Duration deadline) {
        Seen open = ifOverdue == null ? Seen.unknown(step.title(), OVERDUE, "it took too long") : ifOverdue;
        add(new Seen(
                open.object(),
                open.verdict(),
                open.code(),
                open.sentence() + " (no answer within " + deadline.toMillis() + " ms)",
                open.details()));
        closed = true;
    }

    synchronized List<Finding> close() {
        closed = true;
        return List.copyOf(list);
    }

    private synchronized boolean hopeless() {
        return hopeless;
    }

    private static List<String> lines(List<Seen> seen) {
        return seen.stream().map(one -> one.object() + ": " + one.sentence()).toList();
    }

    private static List<String> limited(List<String> details) {
        if (details.size() <= MOST_DETAILS) {
            return details;
        }
        List<String> some = new ArrayList<>(details.subList(0, MOST_DETAILS));
        some.add("… and " + (details.size() - MOST_DETAILS) + " more");
        return some;
    }
}
