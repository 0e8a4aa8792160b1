package dev.slipway.chaos;

import java.util.ArrayList;
import java.util.List;

/** What must not be, and is; and how much was looked at. */
final class Violations {

    private final List<String> found = new ArrayList<>();
    private int checks;

    /** Notes the line unless the condition holds. */
    void check(boolean holds, String line) {
        checks++;
        if (!holds) {
            found.add(line);
        }
    }

    List<String> found() {
        return List.copyOf(found);
    }

    int checks() {
        return checks;
    }
}
