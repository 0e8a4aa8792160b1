package dev.slipway.diagnosis;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.ObjectRef;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.pki.CertificatePurpose;
import dev.slipway.pki.KubeconfigSecret;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Looks at what the controllers complain about: Warning Events of this cluster's objects, as long as they are kept. */
@Component
final class EventsStep implements Step {

    private static final int MOST = 20;

    private final LiveReader reader;
    private final ClusterApi api;

    EventsStep(LiveReader reader, ClusterApi api) {
        this.reader = reader;
        this.api = api;
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
        findings.look("objects", () -> objects.addAll(objects(cluster)));
        findings.look("events", () -> findings.add(tell(warnings(cluster, objects))));
    }

    /** The objects whose Events count, as {@code <Kind>/<name>}; a name that begins alike is another cluster's. */
    private Set<String> objects(ClusterRef ref) {
        Set<String> objects = new HashSet<>();
        for (CertificatePurpose purpose : CertificatePurpose.values()) {
            objects.add("Secret/" + purpose.secretName(ref.name()));
        }
        objects.add("Secret/" + KubeconfigSecret.name(ref.name()));
        api.cluster(ref.namespace(), ref.name()).ifPresent(cluster -> references(cluster, objects));
        for (String kind : List.of("Machine", "MachineDeployment")) {
            reader.find(ClusterApi.GROUP, kind).ifPresent(type -> reader.list(
                            type, ref.namespace(), Map.of(ClusterApi.CLUSTER_NAME_LABEL, ref.name()))
                    .forEach(object -> withRelatives(object, objects)));
        }
        return objects;
    }

    private static void references(CapiCluster cluster, Set<String> objects) {
        cluster.infrastructureRef().map(EventsStep::key).ifPresent(objects::add);
        cluster.controlPlaneRef().map(EventsStep::key).ifPresent(objects::add);
    }

    /** The object, its owners, its infrastructure and its bootstrap configuration. */
    private static void withRelatives(KubeObject object, Set<String> objects) {
        objects.add(object.kind() + "/" + object.name());
        object.at("metadata", "ownerReferences").forEach(owner -> add(owner, objects));
        add(object.at("spec", "infrastructureRef"), objects);
        add(object.at("spec", "bootstrap", "configRef"), objects);
    }

    private static void add(JsonNode reference, Set<String> objects) {
        String name = reference.path("name").asText("");
        if (!name.isEmpty()) {
            objects.add(reference.path("kind").asText("") + "/" + name);
        }
    }

    private static String key(ObjectRef ref) {
        return ref.kind() + "/" + ref.name();
    }

    private List<Warning> warnings(ClusterRef cluster, Set<String> objects) {
        List<Warning> warnings = new ArrayList<>();
        for (KubeObject event : reader.list(ResourceType.EVENTS, cluster.namespace(), Map.of())) {
            JsonNode about = event.at("involvedObject");
            String kind = about.path("kind").asText("");
            String name = about.path("name").asText("");
            boolean ours = name.equals(cluster.name()) || objects.contains(kind + "/" + name);
            if (ours && "Warning".equals(event.text("type").orElse(""))) {
                warnings.add(Warning.of(event, ObjectHealth.name(kind, name)));
            }
        }
        warnings.sort(Comparator.comparing(Warning::last).reversed());
        return warnings;
    }

    private static Seen tell(List<Warning> warnings) {
        if (warnings.isEmpty()) {
            return Seen.ok("events", "no Warning about this cluster's objects");
        }
        List<String> lines =
                new ArrayList<>(warnings.stream().limit(MOST).map(Warning::line).toList());
        if (warnings.size() > MOST) {
            lines.add("… and " + (warnings.size() - MOST) + " older ones");
        }
        return new Seen(
                "events",
                Verdict.WARNING,
                "WarningEvents",
                warnings.size() + (warnings.size() == 1 ? " Warning" : " Warnings") + ", the newest: "
                        + warnings.get(0).line(),
                lines);
    }

    /** One Event, which may stand for many of the same. */
    private record Warning(Instant last, long count, String object, String reason, String message) {

        static Warning of(KubeObject event, String object) {
            long count = Math.max(
                    event.at("count").asLong(1), event.at("series", "count").asLong(1));
            return new Warning(
                    lastOf(event),
                    count,
                    object,
                    event.text("reason").orElse(""),
                    event.text("message").orElse(""));
        }

        String line() {
            return last + " " + (count > 1 ? count + " times " : "") + object + " " + reason + ": " + message;
        }

        /** The two APIs of Events keep it in different places. */
        private static Instant lastOf(KubeObject event) {
            Instant last = Instant.EPOCH;
            for (String[] place :
                    new String[][] {{"series", "lastObservedTime"}, {"lastTimestamp"}, {"eventTime"}, {"firstTimestamp"}
                    }) {
                Instant time = time(event.text(place).orElse(""));
                last = time.isAfter(last) ? time : last;
            }
            return last.equals(Instant.EPOCH) ? event.created().orElse(last) : last;
        }

        private static Instant time(String text) {
            try {
                return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
            } catch (DateTimeException e) {
                // As good as none.
                return Instant.EPOCH;
            }
        }
    }
}
