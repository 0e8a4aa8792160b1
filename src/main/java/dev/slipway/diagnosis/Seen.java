package dev.slipway.diagnosis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a look at one thing found, before it becomes a finding of a step.
 *
 * @param object what was looked at, for example {@code machine/c1-cp-0}
 * @param verdict how it stands
 * @param code what is wrong; null if nothing is
 * @param sentence what was seen
 * @param details more of it
 */
record Seen(String object, Verdict verdict, @Nullable String code, String sentence, List<String> details) {

    Seen {
        details = List.copyOf(details);
    }

    static Seen ok(String object, String sentence, String... details) {
        return new Seen(object, Verdict.OK, null, sentence, List.of(details));
    }

    static Seen warning(String object, String code, String sentence, String... details) {
        return new Seen(object, Verdict.WARNING, code, sentence, List.of(details));
    }

    static Seen unknown(String object, String code, String why, String... details) {
        return new Seen(object, Verdict.UNKNOWN, code, "could not be read: " + why, List.of(details));
    }

    static Seen problem(String object, String code, String sentence, String... details) {
        return new Seen(object, Verdict.PROBLEM, code, sentence, List.of(details));
    }

    /** The same with more details after those that are there. */
    Seen with(List<String> more) {
        List<String> all = new ArrayList<>(details);
        all.addAll(more);
        return new Seen(object, verdict, code, sentence, all);
    }
}
