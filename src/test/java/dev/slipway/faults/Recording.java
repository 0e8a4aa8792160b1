package dev.slipway.faults;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** The calls that came since it began, in their order, whatever became of them. */
public final class Recording {

    private final Predicate<ApiCall> pattern;
    private final List<ApiCall> calls = new CopyOnWriteArrayList<>();

    Recording(Predicate<ApiCall> pattern) {
        this.pattern = pattern;
    }

    void note(ApiCall call) {
        if (pattern.test(call)) {
            calls.add(call);
        }
    }

    /** Those of them that match all patterns. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final List<ApiCall> calls(Predicate<ApiCall>... patterns) {
        return calls.stream()
                .filter(call -> Arrays.stream(patterns).allMatch(wanted -> wanted.test(call)))
                .toList();
    }
}
