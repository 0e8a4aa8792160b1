package dev.slipway.cluster;

import java.util.List;

/** What a dry run would do, as a text that fits into a condition and a process variable. */
public final class PlanLines {

    // Engine variables hold 4000 characters; some room is left for what others add.
    private static final int LIMIT = 3000;

    private PlanLines() {}

    /** The lines as one text of limited length; it says how many it leaves out. */
    public static String text(List<String> lines) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            if (text.length() + lines.get(i).length() > LIMIT) {
                return text.append("… and ")
                        .append(lines.size() - i)
                        .append(" more")
                        .toString();
            }
            text.append(lines.get(i)).append('\n');
        }
        return text.toString().strip();
    }
}
