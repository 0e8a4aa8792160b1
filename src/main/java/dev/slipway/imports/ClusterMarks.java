package dev.slipway.imports;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.platform.ImportInvariants;
import org.springframework.stereotype.Component;

/** Labels and annotations of the Cluster API Cluster; each write changes just one, of the very object that was read. */
@Component
public class ClusterMarks {

    private final LiveReader reader;
    private final KubeWriter writer;

    public ClusterMarks(LiveReader reader, KubeWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    /** Whether the Cluster counts as imported: the label's key is there, whatever its value. */
    public static boolean imported(KubeObject cluster) {
        return cluster.labels().containsKey(ImportInvariants.IMPORTED_LABEL);
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

    /** Sets an annotation whose new value was made from the old one: refused if the Cluster changed since. */
    KubeObject annotate(ImportTarget target, String name, String value) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        metadata(patch, target)
                .put("resourceVersion", target.cluster().object().resourceVersion())
                .putObject("annotations")
                .put(name, value);
        return write(target, patch);
    }

    private static ObjectNode metadata(ObjectNode patch, ImportTarget target) {
        return patch.putObject("metadata").put("uid", target.cluster().uid());
    }

    private KubeObject write(ImportTarget target, ObjectNode patch) {
        ResourceType type = reader.find(ClusterApi.GROUP, "Cluster").orElseThrow();
        return writer.mergePatch(type, target.namespace(), target.name(), patch);
    }
}
