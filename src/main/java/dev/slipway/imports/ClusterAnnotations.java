package dev.slipway.imports;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Annotations of the Cluster: unlike its status they survive a move to another management cluster. */
@Component
public class ClusterAnnotations {

    private final LiveReader reader;
    private final KubeWriter writer;

    public ClusterAnnotations(LiveReader reader, KubeWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * Brings annotations to these values if the Cluster still has its UID; writes nothing if they have them.
     *
     * @param wanted each annotation with its value; an empty value takes it away
     */
    public void set(ImportTarget target, Map<String, String> wanted) {
        Map<String, String> stored = target.cluster().object().annotations();
        Map<String, String> changed = new TreeMap<>(wanted);
        changed.entrySet()
                .removeIf(entry -> stored.getOrDefault(entry.getKey(), "").equals(entry.getValue()));
        if (changed.isEmpty()) {
            return;
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata =
                patch.putObject("metadata").put("uid", target.cluster().uid());
        ObjectNode annotations = metadata.putObject("annotations");
        changed.forEach((key, value) -> annotations.put(key, value.isEmpty() ? null : value));
        ResourceType type = reader.find(ClusterApi.GROUP, "Cluster").orElseThrow();
        writer.mergePatch(type, target.namespace(), target.name(), patch);
    }
}
