package dev.slipway.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Kubernetes Events: one object per cluster and reason, counted up when it happens again.
 *
 * <p>Best effort: an Event that cannot be written is logged and forgotten.
 */
public final class ClusterEvents {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterEvents.class);
    private static final String COMPONENT = "slipway";
    private static final int LONGEST_MESSAGE = 1024;

    private final LiveReader reader;
    private final KubeWriter writer;
    private final InstantSource clock;

    public ClusterEvents(LiveReader reader, KubeWriter writer, InstantSource clock) {
        this.reader = reader;
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * Writes what happened to that cluster.
     *
     * @param cluster a WorkloadCluster, or a Cluster of Cluster API, as read from the server
     */
    public void record(KubeObject cluster, List<Happening> happenings) {
        for (Happening happening : happenings) {
            try {
                write(cluster, happening);
            } catch (RuntimeException e) {
                LOG.warn("Event {} not written: {}", happening.reason(), e.getMessage());
            }
        }
    }

    /** Writes what happened, unless just that was written before. */
    public void recordOnce(KubeObject object, Happening happening) {
        try {
            boolean known = reader.get(ResourceType.EVENTS, object.namespace(), name(object, happening.reason()))
                    .flatMap(event -> event.text("message"))
                    .filter(message(happening)::equals)
                    .isPresent();
            if (!known) {
                write(object, happening);
            }
        } catch (RuntimeException e) {
            LOG.warn("Event {} not written: {}", happening.reason(), e.getMessage());
        }
    }

    private void write(KubeObject cluster, Happening happening) {
        String name = name(cluster, happening.reason());
        Optional<KubeObject> known = reader.get(ResourceType.EVENTS, cluster.namespace(), name);
        if (known.isEmpty()
                && writer.create(ResourceType.EVENTS, event(cluster, name, happening))
                        .isPresent()) {
            return;
        }
        // Somebody else, another node for example, wrote it just now: count it up.
        int count = known.map(event -> event.at("count").asInt(1)).orElse(1);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.put("count", count + 1)
                .put("lastTimestamp", now())
                .put("type", type(happening))
                .put("message", message(happening));
        writer.mergePatch(ResourceType.EVENTS, cluster.namespace(), name, patch);
    }

    private KubeObject event(KubeObject cluster, String name, Happening happening) {
        KubeObject event = KubeObject.named(ResourceType.EVENTS, cluster.namespace(), name);
        ObjectNode json = event.json();
        json.putObject("involvedObject")
                .put("apiVersion", cluster.apiVersion())
                .put("kind", cluster.kind())
                .put("namespace", cluster.namespace())
                .put("name", cluster.name())
                .put("uid", cluster.uid());
        json.put("type", type(happening))
                .put("reason", happening.reason())
                .put("message", message(happening))
                .put("firstTimestamp", now())
                .put("lastTimestamp", now())
                .put("count", 1)
                .put("reportingComponent", COMPONENT)
                .putObject("source")
                .put("component", COMPONENT);
        return event;
    }

    /** The same object and reason give the same name, on every node and after every restart. */
    private static String name(KubeObject cluster, String reason) {
        UUID id = UUID.nameUUIDFromBytes((cluster.uid() + "/" + reason).getBytes(StandardCharsets.UTF_8));
        return cluster.name() + "." + id.toString().replace("-", "").substring(0, 16);
    }

    private static String type(Happening happening) {
        return happening.warning() ? "Warning" : "Normal";
    }

    private static String message(Happening happening) {
        String text = happening.message();
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE - 1) + "…";
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
