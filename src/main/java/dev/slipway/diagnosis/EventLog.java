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
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Reads the Events of a cluster's objects, live, as long as they are kept. */
@Component
public class EventLog {

    private final LiveReader reader;
    private final ClusterApi api;

    EventLog(LiveReader reader, ClusterApi api) {
        this.reader = reader;
        this.api = api;
    }

    /**
     * One Event, which may stand for many of the same.
     *
     * @param at when it happened last
     * @param warning whether it is a Warning
     * @param kind the kind of what it is about
     * @param name the name of what it is about
     * @param reason UpperCamel
     * @param message the controller's words
     * @param count how often it happened
     * @param source which controller says it
     */
    public record Told(
            Instant at,
            boolean warning,
            String kind,
            String name,
            String reason,
            String message,
            long count,
            String source) {}

    /** The Events of the cluster's objects, the newest first. */
    public List<Told> of(ClusterRef cluster) {
        return events(cluster, objects(cluster));
    }

    /** The objects whose Events count, as {@code <Kind>/<name>}; a name that begins alike is another cluster's. */
    Set<String> objects(ClusterRef ref) {
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
        cluster.infrastructureRef().map(EventLog::key).ifPresent(objects::add);
        cluster.controlPlaneRef().map(EventLog::key).ifPresent(objects::add);
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

    /** The Events of these objects, and of all that have the cluster's name; the newest first. */
    List<Told> events(ClusterRef cluster, Set<String> objects) {
        return reader.list(ResourceType.EVENTS, cluster.namespace(), Map.of()).stream()
                .filter(event -> isAbout(event.at("involvedObject"), cluster, objects))
                .map(EventLog::told)
                .sorted(Comparator.comparing(Told::at).reversed())
                .toList();
    }

    private static boolean isAbout(JsonNode about, ClusterRef cluster, Set<String> objects) {
        String name = about.path("name").asText("");
        return name.equals(cluster.name())
                || objects.contains(about.path("kind").asText("") + "/" + name);
    }

    private static Told told(KubeObject event) {
        return new Told(
                lastOf(event),
                "Warning".equals(event.text("type").orElse("")),
                event.text("involvedObject", "kind").orElse(""),
                event.text("involvedObject", "name").orElse(""),
                event.text("reason").orElse(""),
                event.text("message").orElse(""),
                Math.max(
                        event.at("count").asLong(1), event.at("series", "count").asLong(1)),
                event.text("source", "component")
                        .or(() -> event.text("reportingComponent"))
                        .orElse(""));
    }

    /** The two APIs of Events keep it in different places. */
    private static Instant lastOf(KubeObject event) {
        Instant last = Instant.EPOCH;
        for (String[] place :
                new String[][] {{"series", "lastObservedTime"}, {"lastTimestamp"}, {"eventTime"}, {"firstTimestamp"}}) {
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
