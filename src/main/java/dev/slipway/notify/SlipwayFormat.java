package dev.slipway.notify;

import dev.slipway.kernel.Escalation;
import dev.slipway.notify.Notification.Event;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Slipway's own JSON: everything that is known, as docs/operations.md describes it. */
record SlipwayFormat(Links links) implements MessageFormat {

    private static final int VERSION = 1;

    @Override
    public Object body(String key, Event event, Escalation escalation) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("version", VERSION);
        body.put("key", key);
        body.put("event", event.name().toLowerCase(Locale.ROOT));
        body.put("escalation", escalation.id());
        body.put("summary", Wording.summary(event, escalation));
        body.put("cluster", escalation.cluster());
        body.put("flow", Map.of("id", escalation.flowId(), "kind", escalation.kind()));
        body.put("phase", phase(escalation));
        body.put("reason", escalation.reason());
        body.put("message", escalation.message());
        body.put("actions", escalation.actions());
        body.put("choices", escalation.choices());
        body.put("openedAt", escalation.openedAt());
        body.put("closedAt", escalation.closedAt());
        body.put("outcome", escalation.outcome());
        body.put("consoleUrl", links.console());
        body.put("clusterUrl", links.cluster(escalation.cluster()));
        return body;
    }

    private static Map<String, Object> phase(Escalation escalation) {
        Map<String, Object> phase = new LinkedHashMap<>();
        phase.put("name", escalation.phase());
        phase.put("title", escalation.title());
        phase.put("since", escalation.since());
        phase.put("attempts", escalation.attempts());
        return phase;
    }
}
