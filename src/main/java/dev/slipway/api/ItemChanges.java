package dev.slipway.api;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.WorkItemEvents;
import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Which work items changed since somebody asked; by the watches, of whoever made the change. */
@Component
final class ItemChanges implements WorkItemEvents {

    private static final int MOST = 10_000;

    private Map<String, String> changed = new HashMap<>();
    private final Map<String, String> clusters = new HashMap<>();

    /** The changed ones, {@code namespace/name}, each with its cluster; from now on they count as known. */
    synchronized Map<String, String> take() {
        Map<String, String> taken = changed;
        changed = new HashMap<>();
        return taken;
    }

    @Override
    public synchronized void itemSeen(KubeObject item) {
        String key = item.namespace() + "/" + item.name();
        String cluster =
                item.namespace() + "/" + item.text("spec", "clusterRef", "name").orElse("");
        clusters.put(key, cluster);
        note(key, cluster);
    }

    @Override
    public synchronized void itemGone(String namespace, String name, String uid) {
        String key = namespace + "/" + name;
        String cluster = clusters.remove(key);
        note(key, cluster == null ? namespace + "/" : cluster);
    }

    private void note(String key, String cluster) {
        if (changed.size() < MOST) {
            changed.put(key, cluster);
        }
    }
}
