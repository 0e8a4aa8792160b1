package dev.slipway.deletion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.ClusterMarks;
import dev.slipway.imports.ImportTarget;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.ImportInvariants;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.stereotype.Component;

/**
 * Lets a cluster live on without Slipway: it is not imported again, and does not go when its WorkloadCluster goes.
 *
 * <p>Kubernetes' garbage collection deletes what a gone object owns: so each reference to the WorkloadCluster is taken off.
 */
@Component
public class Detachment {

    /** Groups of objects that templates bring, beside those that the Cluster refers to. */
    private static final List<String> GROUPS = List.of(
            ClusterApi.GROUP,
            "controlplane.cluster.x-k8s.io",
            "infrastructure.cluster.x-k8s.io",
            "bootstrap.cluster.x-k8s.io",
            "addons.cluster.x-k8s.io");

    private final LiveReader reader;
    private final KubeWriter writer;
    private final ClusterMarks marks;

    public Detachment(LiveReader reader, KubeWriter writer, ClusterMarks marks) {
        this.reader = reader;
        this.writer = writer;
        this.marks = marks;
    }

    /**
     * Takes the marks of Slipway off the Cluster, and the WorkloadCluster off the owners of everything.
     *
     * @return the objects that were released now
     */
    public List<String> detach(PhaseContext context, ImportTarget target) {
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put(ClusterMarks.OPT_OUT, "false");
        annotations.put(DeletionSubjects.DETACHED_FROM, context.cluster().uid());
        marks.annotate(target, annotations);
        if (ImportInvariants.imported(target.cluster().object())) {
            marks.unmarkImported(target);
        }
        List<String> released = new ArrayList<>();
        for (ResourceType type : kinds(context)) {
            for (KubeObject object : reader.list(type, target.namespace(), Map.of())) {
                if (ownedBy(object, context.cluster().uid())) {
                    disown(type, object, context.cluster().uid());
                    released.add(Remaining.name(object));
                }
            }
        }
        return released;
    }

    private List<ResourceType> kinds(PhaseContext context) {
        Set<String> groups = new TreeSet<>(GROUPS);
        groups.addAll(Descendants.Scope.of(context).groups());
        List<ResourceType> kinds = new ArrayList<>(List.of(ResourceType.SECRETS, ResourceType.CONFIG_MAPS));
        for (String group : groups) {
            reader.kinds(group).stream().filter(ResourceType::namespaced).forEach(kinds::add);
        }
        return kinds;
    }

    private void disown(ResourceType type, KubeObject object, String owner) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        // The list is replaced as a whole: only the version that was read may get it.
        ArrayNode owners = patch.putObject("metadata")
                .put("uid", object.uid())
                .put("resourceVersion", object.resourceVersion())
                .putArray("ownerReferences");
        for (JsonNode reference : object.at("metadata", "ownerReferences")) {
            if (!reference.path("uid").asText().equals(owner)) {
                owners.add(reference);
            }
        }
        writer.mergePatch(type, object.namespace(), object.name(), patch);
    }

    private static boolean ownedBy(KubeObject object, String owner) {
        for (JsonNode reference : object.at("metadata", "ownerReferences")) {
            if (reference.path("uid").asText().equals(owner)) {
                return true;
            }
        }
        return false;
    }
}
