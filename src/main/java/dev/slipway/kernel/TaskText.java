package dev.slipway.kernel;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What an operator's task says: enough to decide without looking elsewhere. */
final class TaskText {

    /** Begins the line that names the cause. */
    static final String CAUSE = "Cause: ";

    private static final int LONGEST = 4000;

    private TaskText() {}

    /**
     * Words a task.
     *
     * @param actions what a person can do
     * @param choices what may be decided
     * @param note what became of an earlier decision, or null
     * @param diagnosis what was seen around the cluster, or null if nobody has looked yet
     */
    static String of(
            PhaseRun run,
            List<String> actions,
            List<Choice> choices,
            @Nullable String note,
            @Nullable String diagnosis) {
        Progress p = run.progress();
        StringBuilder text = new StringBuilder();
        if (note != null) {
            text.append(note).append("\n\n");
        }
        text.append("In this phase since ")
                .append(run.enteredAt())
                .append(", ")
                .append(p.attempt())
                .append(p.attempt() == 1 ? " attempt.\n" : " attempts.\n");
        text.append(CAUSE).append(p.why());
        if (p.reason() != null && !p.why().code().equals(p.reason())) {
            text.append("\nLast seen: ").append(p.reason()).append(": ").append(p.message());
        }
        if (p.error() != null && !p.error().equals(p.why()) && !p.error().code().equals(p.reason())) {
            text.append("\nLast error: ").append(p.error());
        }
        text.append("\nIt goes on trying by itself")
                .append(p.nextCheck() == null ? " only after a decision." : ", next at " + p.nextCheck() + ".");
        if (!actions.isEmpty()) {
            text.append("\n\nWhat can be done:");
        }
        int number = 1;
        for (String action : actions) {
            text.append('\n').append(number++).append(". ").append(action);
        }
        text.append("\n\nAllowed here: ")
                .append(choices.stream().map(Choice::name).collect(Collectors.joining(", ")));
        if (diagnosis != null) {
            text.append("\n\n").append(diagnosis);
        }
        return text.length() > LONGEST ? text.substring(0, LONGEST - 1) + "…" : text.toString();
    }
}
