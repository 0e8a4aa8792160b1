package dev.slipway.imports;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.platform.ImportInvariants;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Labels and annotations of a Cluster: unlike its status they survive a move to another management cluster. */
@Component
public class ClusterMarks {

    /** The annotation that keeps a Cluster from being imported, if its value is {@code false}. */
    public static final String OPT_OUT = WorkloadCluster.ANNOTATION_PREFIX + "import";

    private final LiveReader reader;
    private final KubeWriter writer;

    public ClusterMarks(LiveReader reader, KubeWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    /** Whether somebody decided that it is not to be imported, on that Cluster or WorkloadCluster. */
    public static boolean optedOut(KubeObject cluster) {
        return "false".equals(cluster.annotations().get(OPT_OUT));
    }

    /** Puts the label of imported clusters on, with an empty value. */
    public KubeObject markImported(ImportTarget target) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        metadata(patch, target).putObject("labels").put(ImportInvariants.IMPORTED_LABEL, "");
        return write(target, patch);
    }

    /** Takes the label of imported clusters off. */
    public KubeObject unmarkImported(ImportTarget target) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        metadata(patch, target).putObject("labels").putNull(ImportInvariants.IMPORTED_LABEL);
        return write(target, patch);
    }

    /**
     * Brings annotations to these values if the Cluster still has its UID; writes nothing if they have them.
     *
     * @param wanted each annotation with its value; an empty value takes it away
     */
    public void annotate(ImportTarget target, Map<String, String> wanted) {
        Map<String, String> stored = target.cluster().object().annotations();
        Map<String, String> changed = new TreeMap<>(wanted);
        changed.entrySet()
                .removeIf(entry -> stored.getOrDefault(entry.getKey(), "").equals(entry.getValue()));
        if (changed.isEmpty()) {
            return;
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode annotations = metadata(patch, target).putObject("annotations");
        changed.forEach((key, value) -> annotations.put(key, value.isEmpty() ? null : value));
        write(target, patch);
    }

    /** Sets an annotation whose new value was made from the old one: refused if the Cluster changed since. */
    void annotateUnchanged(ImportTarget target, String name, String value) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        metadata(patch, target)
                .put("resourceVersion", target.cluster().object().resourceVersion())
                .putObject("annotations")
                .put(name, value);
        write(target, patch);
    }

    private static ObjectNode metadata(ObjectNode patch, ImportTarget target) {
        return patch.putObject("metadata").put("uid", target.cluster().uid());
    }

    private KubeObject write(ImportTarget target, ObjectNode patch) {
        ResourceType type = reader.find(ClusterApi.GROUP, "Cluster").orElseThrow();
        return writer.mergePatch(type, target.namespace(), target.name(), patch);
    }
}
