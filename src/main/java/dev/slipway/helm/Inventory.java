package dev.slipway.helm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which objects an installation of manifests consists of: a ConfigMap in the workload cluster.
 *
 * <p>Written before the first object is, so that none is ever forgotten.
 *
 * @param name where it lives and what the installation is called
 * @param entries by the object
 */
record Inventory(ReleaseName name, Map<ObjectId, Entry> entries) {

    /** On every object: whose it is. */
    static final String ANNOTATION = "slipway.dev/inventory";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEY = "objects";

    /**
     * An object of the installation.
     *
     * @param id which one
     * @param adopted whether it was there before, without our mark: such an object is never deleted
     */
    record Entry(ObjectId id, boolean adopted) {}

    static Inventory read(Workload workload, ReleaseName name) {
        Map<ObjectId, Entry> entries = new LinkedHashMap<>();
        workload.reader()
                .get(ResourceType.CONFIG_MAPS, name.namespace(), configMap(name))
                .ifPresent(map -> parse(name, map).forEach(entry -> entries.put(entry.id(), entry)));
        return new Inventory(name, entries);
    }

    /** The objects' ids in the order in which they were applied. */
    List<ObjectId> ids() {
        return List.copyOf(entries.keySet());
    }

    Inventory with(Collection<Entry> more) {
        Map<ObjectId, Entry> all = new LinkedHashMap<>(entries);
        more.forEach(entry -> all.putIfAbsent(entry.id(), entry));
        return new Inventory(name, all);
    }

    Inventory only(Collection<ObjectId> ids) {
        Map<ObjectId, Entry> all = new LinkedHashMap<>(entries);
        all.keySet().retainAll(ids);
        return new Inventory(name, all);
    }

    void write(Workload workload) {
        KubeObject map = KubeObject.named(ResourceType.CONFIG_MAPS, name.namespace(), configMap(name));
        try {
            map.json().putObject("data").put(KEY, JSON.writeValueAsString(entries.values()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
        workload.writer().apply(ResourceType.CONFIG_MAPS, map);
    }

    void delete(Workload workload) {
        workload.reader()
                .get(ResourceType.CONFIG_MAPS, name.namespace(), configMap(name))
                .ifPresent(map ->
                        workload.writer().delete(ResourceType.CONFIG_MAPS, map.namespace(), map.name(), map.uid()));
    }

    private static String configMap(ReleaseName name) {
        return "slipway-inventory-" + name.name();
    }

    private static List<Entry> parse(ReleaseName name, KubeObject map) {
        try {
            String text = map.at("data", KEY).asText();
            return text.isEmpty() ? new ArrayList<>() : JSON.readValue(text, new TypeReference<List<Entry>>() {});
        } catch (JsonProcessingException e) {
            // Going on would forget what is installed.
            throw new Failure(
                    ErrorClass.UNSAFE,
                    "InventoryUnreadable",
                    "The inventory of " + name.display() + ", the ConfigMap " + map.namespace() + "/" + map.name()
                            + ", cannot be read.",
                    List.of("Restore its key '" + KEY + "', or delete it and remove what is installed by hand."),
                    null,
                    null);
        }
    }
}
