package dev.slipway.diagnosis;

import dev.slipway.phase.ClusterRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Looks at what the controllers complain about: Warning Events of this cluster's objects, as long as they are kept. */
@Component
final class EventsStep implements Step {

    private static final int MOST = 20;

    private final EventLog log;

    EventsStep(EventLog log) {
        this.log = log;
    }

    @Override
    public int number() {
        return 5;
    }

    @Override
    public String title() {
        return "Events";
    }

    @Override
    public void look(ClusterRef cluster, Findings findings) {
        Set<String> objects = new HashSet<>();
        findings.look("objects", () -> objects.addAll(log.objects(cluster)));
        findings.look(
                "events",
                () -> findings.add(tell(log.events(cluster, objects).stream()
                        .filter(EventLog.Told::warning)
                        .toList())));
    }

    private static Seen tell(List<EventLog.Told> warnings) {
        if (warnings.isEmpty()) {
            return Seen.ok("events", "no Warning about this cluster's objects");
        }
        List<String> lines = new ArrayList<>(
                warnings.stream().limit(MOST).map(EventsStep::line).toList());
        if (warnings.size() > MOST) {
            lines.add("… and " + (warnings.size() - MOST) + " older ones");
        }
        return new Seen(
                "events",
                Verdict.WARNING,
                "WarningEvents",
                warnings.size() + (warnings.size() == 1 ? " Warning" : " Warnings") + ", the newest: "
                        + line(warnings.get(0)),
                lines);
    }

    private static String line(EventLog.Told told) {
        return told.at() + " " + (told.count() > 1 ? told.count() + " times " : "")
                + ObjectHealth.name(told.kind(), told.name()) + " " + told.reason() + ": " + told.message();
    }
}
