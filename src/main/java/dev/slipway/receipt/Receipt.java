package dev.slipway.receipt;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a deletion did, who decided what, and how long it took.
 *
 * @param head what it is about
 * @param reason why somebody asked for it; null if nobody said so
 * @param result how it ended, for example {@code Deleted}; null while it runs
 * @param closedAt when it ended; null while it runs
 * @param entries the objects, in the order in which their fate was first seen
 * @param phases all runs of the flow's phases, in their order
 * @param decisions what operators decided, in their order
 */
public record Receipt(
        Head head,
        @Nullable String reason,
        @Nullable String result,
        @Nullable Instant closedAt,
        List<Entry> entries,
        List<PhaseTime> phases,
        List<Decided> decisions) {

    private static final int NAMED = 10;

    /**
     * How long a phase took.
     *
     * @param phase its name
     * @param state how it was left, for example {@code DONE}
     * @param reason the last reason; null if it had none
     * @param from when it was entered
     * @param to when it was left; null while it runs
     */
    public record PhaseTime(String phase, String state, @Nullable String reason, Instant from, @Nullable Instant to) {}

    /**
     * A decision of an operator.
     *
     * @param choice what, for example {@code SKIP_REMOTE}
     * @param phase about which phase; null if it was about the flow
     * @param by who
     * @param why the reason given; null if none was
     * @param state what became of the decision, for example {@code APPLIED}
     * @param at when
     */
    public record Decided(
            String choice, @Nullable String phase, String by, @Nullable String why, String state, Instant at) {}

    /** How many objects had each fate; those that none had are left out. */
    public Map<Fate, Long> counts() {
        return entries.stream()
                .collect(Collectors.groupingBy(
                        Entry::fate, () -> new EnumMap<Fate, Long>(Fate.class), Collectors.counting()));
    }

    /** In one sentence: how many objects had which fate, and which of them stay behind. */
    public String summary() {
        Map<Fate, Long> counts = counts();
        String text = counts.isEmpty()
                ? "Nothing was to be deleted"
                : counts.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + words(entry.getKey()))
                        .collect(Collectors.joining(", "));
        List<String> behind = entries.stream()
                .filter(entry -> entry.fate() == Fate.LEFT)
                .map(Entry::what)
                .toList();
        String more = behind.size() > NAMED ? " and " + (behind.size() - NAMED) + " more" : "";
        return behind.isEmpty()
                ? text
                : text + ": " + behind.stream().limit(NAMED).collect(Collectors.joining(", ")) + more;
    }

    private static String words(Fate fate) {
        return switch (fate) {
            case DELETED -> "deleted";
            case GONE -> "gone before";
            case LEFT -> "left behind";
            case KEPT -> "kept";
            case SKIPPED -> "skipped";
            case RELEASED -> "released";
        };
    }
}
