package dev.slipway.deletion;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.workitem.WorkItem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The WorkItems of a cluster: each is uninstalled by a flow of its own, which its deletion starts. */
@Component
public class ClusterItems {

    private static final String GROUP = "slipway.dev";
    private static final String KIND = "WorkItem";

    private final LiveReader reader;
    private final KubeWriter writer;

    public ClusterItems(LiveReader reader, KubeWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    /** All that name the cluster; if another Cluster has taken the name, just those that belong to the subject. */
    public List<KubeObject> of(DeletionSubject subject) {
        return type().map(type -> list(type, subject.ref())).orElse(List.of()).stream()
                .filter(item -> !subject.nameTaken() || belongs(item, subject.ref()))
                .toList();
    }

    private static boolean belongs(KubeObject item, ClusterRef cluster) {
        for (var owner : item.at("metadata", "ownerReferences")) {
            if (owner.path("uid").asText().equals(cluster.uid())) {
                return true;
            }
        }
        return false;
    }

    /** Deletes one, if it is not being deleted. */
    public void delete(KubeObject item) {
        if (!item.deleting()) {
            writer.delete(type().orElseThrow(), item.namespace(), item.name(), item.uid());
        }
    }

    /** Tells one that nothing is to be done in the workload cluster; one that was told already is left as it is. */
    public void skipRemote(KubeObject item, String why) {
        if (item.annotations().containsKey(WorkItem.SKIP_REMOTE)) {
            return;
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata")
                .put("uid", item.uid())
                .putObject("annotations")
                .put(WorkItem.SKIP_REMOTE, why);
        writer.mergePatch(type().orElseThrow(), item.namespace(), item.name(), patch);
    }

    /** For people: what an item says of itself, and what holds it. */
    public static String describe(KubeObject item) {
        String message = item.text("status", "flow", "message")
                .or(() -> item.condition("Deleting")
                        .map(condition -> condition.path("message").asText("")))
                .filter(text -> !text.isEmpty())
                .map(text -> ": " + text)
                .orElse("");
        return Remaining.describe(item) + message;
    }

    private Optional<ResourceType> type() {
        return reader.find(GROUP, KIND);
    }

    private List<KubeObject> list(ResourceType type, ClusterRef cluster) {
        try {
            return reader.list(type, cluster.namespace(), Map.of()).stream()
                    .filter(item -> item.text("spec", "clusterRef", "name")
                            .filter(cluster.name()::equals)
                            .isPresent())
                    .toList();
        } catch (Failure e) {
            // Its definition was removed a moment ago, and all items with it.
            if (e.code().equals(ForceGate.KIND_ABSENT)) {
                return List.of();
            }
            throw e;
        }
    }
}
