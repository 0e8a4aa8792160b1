package dev.slipway.workitem;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.DeclaredItem;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Makes the work items that a WorkloadCluster declares, and deletes those that it declares no more. */
@Component
public class DeclaredItems {

    /** The label of a work item with the name of the WorkloadCluster that declares it. */
    static final String DECLARED_BY = WorkloadCluster.ANNOTATION_PREFIX + "declared-by";

    /** The annotation with the hash of what was declared. */
    private static final String DECLARED = WorkloadCluster.ANNOTATION_PREFIX + "declared";

    private final LiveReader reader;
    private final KubeWriter writer;

    public DeclaredItems(LiveReader reader, KubeWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * Makes it so; what is as declared is not written.
     *
     * @return the declared work items, as they are now
     * @throws Failure IDENTITY {@code WorkItemNotOurs} if one of the names is somebody else's; else by class
     */
    public List<WorkItem> apply(WorkloadCluster cluster) {
        Map<String, KubeObject> there = there(cluster);
        List<WorkItem> items = new ArrayList<>();
        Set<String> wanted = new HashSet<>();
        for (KubeObject declared : declared(cluster)) {
            wanted.add(declared.name());
            KubeObject live = there.get(declared.name());
            boolean same = live != null
                    && live.annotations()
                            .getOrDefault(DECLARED, "")
                            .equals(declared.annotations().get(DECLARED))
                    && holds(live.at("spec"), declared.at("spec"));
            if (live == null) {
                requireFree(cluster, declared.name());
            }
            items.add(WorkItem.of(same && live != null ? live : writer.apply(ResourceType.WORK_ITEMS, declared)));
        }
        there.values().stream()
                .filter(item -> !wanted.contains(item.name()) && !item.deleting())
                .forEach(item -> writer.delete(ResourceType.WORK_ITEMS, item.namespace(), item.name(), item.uid()));
        return items;
    }

    private Map<String, KubeObject> there(WorkloadCluster cluster) {
        try {
            return reader
                    .list(ResourceType.WORK_ITEMS, cluster.namespace(), Map.of(DECLARED_BY, cluster.name()))
                    .stream()
                    .filter(item -> ours(cluster, item))
                    .collect(Collectors.toMap(KubeObject::name, item -> item));
        } catch (Failure e) {
            if (cluster.spec().workItems().isEmpty() && e.code().equals("KindAbsent")) {
                return Map.of();
            }
            throw e;
        }
    }

    private static boolean ours(WorkloadCluster cluster, KubeObject item) {
        for (JsonNode owner : item.at("metadata", "ownerReferences")) {
            if (owner.path("uid").asText().equals(cluster.uid())) {
                return true;
            }
        }
        return false;
    }

    private void requireFree(WorkloadCluster cluster, String name) {
        Optional<KubeObject> other =
                reader.get(ResourceType.WORK_ITEMS, cluster.namespace(), name).filter(item -> !ours(cluster, item));
        if (other.isPresent()) {
            throw new Failure(
                    ErrorClass.IDENTITY,
                    "WorkItemNotOurs",
                    "WorkItem " + cluster.namespace() + "/" + name + " exists and was not made for "
                            + cluster.display(),
                    List.of(
                            "Give the work item another name in spec.workItems of " + cluster.display(),
                            "Or delete that WorkItem"),
                    null,
                    null);
        }
    }

    private static List<KubeObject> declared(WorkloadCluster cluster) {
        Set<String> names =
                cluster.spec().workItems().stream().map(DeclaredItem::name).collect(Collectors.toSet());
        List<KubeObject> objects = new ArrayList<>();
        for (JsonNode declared : cluster.object().at("spec", "workItems")) {
            String name = declared.path("name").asText();
            ObjectNode spec = declared.deepCopy();
            spec.remove("name");
            spec.putObject("clusterRef").put("name", cluster.name());
            if (!spec.has("releaseName")) {
                spec.put("releaseName", name);
            }
            if (spec.has("dependsOn")) {
                spec.set("dependsOn", qualified(cluster, spec.path("dependsOn"), names));
            }
            KubeObject object =
                    KubeObject.named(ResourceType.WORK_ITEMS, cluster.namespace(), cluster.name() + "-" + name);
            ObjectNode metadata = object.json().withObject("metadata");
            metadata.putObject("labels").put(DECLARED_BY, cluster.name());
            metadata.putObject("annotations").put(DECLARED, hash(spec.toString()));
            metadata.putArray("ownerReferences").add(cluster.object().ownerReference(true));
            object.json().set("spec", spec);
            objects.add(object);
        }
        return objects;
    }

    /** Names of the cluster's own list become those of its work items; others are kept. */
    private static ArrayNode qualified(WorkloadCluster cluster, JsonNode names, Set<String> own) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        names.forEach(
                name -> all.add(own.contains(name.asText()) ? cluster.name() + "-" + name.asText() : name.asText()));
        return all;
    }

    /** Whether everything that is wanted stands in what is there; defaults of the server may be there as well. */
    private static boolean holds(JsonNode there, JsonNode wanted) {
        if (!wanted.isObject()) {
            return wanted.equals(there);
        }
        return wanted.properties().stream().allMatch(field -> holds(there.path(field.getKey()), field.getValue()));
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
