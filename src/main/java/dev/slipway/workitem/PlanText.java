package dev.slipway.workitem;

import dev.slipway.helm.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan for people: names of objects and fields, no value. */
public final class PlanText {

    private PlanText() {}

    /** One line for each object that changes, then what the server would refuse. */
    public static List<String> lines(Plan plan) {
        List<String> lines = new ArrayList<>();
        for (Plan.Change change : plan.changes()) {
            String fields = change.fields().isEmpty() ? "" : ": " + String.join(", ", change.fields());
            lines.add(change.kind().name().toLowerCase(Locale.ROOT) + " "
                    + change.object().display() + fields);
        }
        plan.problems().forEach(problem -> lines.add("would be refused: " + problem));
        return lines;
    }
}
