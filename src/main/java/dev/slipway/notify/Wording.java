package dev.slipway.notify;

import dev.slipway.kernel.Escalation;
import dev.slipway.notify.Notification.Event;
import java.util.List;

/** What people read, the same in every format. */
final class Wording {

    private Wording() {}

    /** One line: which phase of which cluster, and why. */
    static String summary(Event event, Escalation escalation) {
        String phase = escalation.phase() + " of " + escalation.cluster().display();
        return event == Event.OPENED
                ? phase + " needs an operator: " + escalation.reason()
                : phase + " no longer needs an operator: " + end(escalation);
    }

    private static String end(Escalation escalation) {
        String outcome = escalation.outcome();
        if (outcome == null || outcome.equals("Recovered")) {
            return "it recovered";
        }
        return outcome.equals("Left") ? "its flow ended" : "an operator decided " + outcome;
    }

    /** The cause in a sentence, and for how long. */
    static String cause(Escalation escalation) {
        return escalation.message() + "\nIn this phase since " + escalation.since() + ", attempts: "
                + escalation.attempts() + ".";
    }

    /** What to do, one numbered line each. */
    static String numbered(List<String> actions) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < actions.size(); i++) {
            text.append(i == 0 ? "" : "\n").append(i + 1).append(". ").append(actions.get(i));
        }
        return text.toString();
    }

    /** At most so many characters, with a mark where something is missing. */
    static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }
}
