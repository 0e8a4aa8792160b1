package dev.slipway.notify;

import dev.slipway.kernel.Escalation;
import dev.slipway.notify.Notification.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Alerts of Alertmanager's API v2, {@code POST /api/v2/alerts}.
 *
 * <p>Alertmanager takes an alert for resolved when nobody repeats it for some minutes, unless it has an end. So an
 * opening gets one far ahead, and a closing the real one. Labels are the alert's identity: they are the opening's in
 * both, and hold the escalation's id, lest the late end of one escalation resolve the next of the same phase.
 */
record AlertmanagerFormat(Links links) implements MessageFormat {

    private static final Duration FAR_AHEAD = Duration.ofDays(365);

    /**
     * An end that is in the future by Alertmanager's clock loses against the one far ahead: clocks may differ by this.
     */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    @Override
    public Object body(String key, Event event, Escalation escalation) {
        Map<String, Object> alert = new LinkedHashMap<>();
        alert.put("startsAt", escalation.openedAt().toString());
        alert.put("endsAt", end(event, escalation).toString());
        alert.put("labels", labels(escalation));
        alert.put("annotations", annotations(event, escalation));
        String generator = links.cluster(escalation.cluster());
        if (generator != null) {
            alert.put("generatorURL", generator);
        }
        return List.of(alert);
    }

    private static Instant end(Event event, Escalation escalation) {
        Instant start = escalation.openedAt();
        Instant closed = escalation.closedAt();
        if (event == Event.OPENED || closed == null) {
            return start.plus(FAR_AHEAD);
        }
        Instant end = closed.minus(CLOCKS_DIFFER);
        return end.isBefore(start) ? start : end;
    }

    private static Map<String, String> labels(Escalation escalation) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("alertname", "SlipwayPhaseStuck");
        labels.put("namespace", escalation.cluster().namespace());
        labels.put("cluster", escalation.cluster().name());
        labels.put("flow", escalation.kind());
        labels.put("phase", escalation.phase());
        labels.put("reason", escalation.reason());
        labels.put("severity", "warning");
        labels.put("escalation", escalation.id());
        return labels;
    }

    private Map<String, String> annotations(Event event, Escalation escalation) {
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put("summary", Wording.summary(event, escalation));
        annotations.put("description", description(escalation));
        String console = links.console();
        if (console != null) {
            annotations.put("console_url", console);
        }
        return annotations;
    }

    private static String description(Escalation escalation) {
        String actions = Wording.numbered(escalation.actions());
        return Wording.cause(escalation) + (actions.isEmpty() ? "" : "\n" + actions);
    }
}
