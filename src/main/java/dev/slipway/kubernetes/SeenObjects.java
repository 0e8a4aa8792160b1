package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a watch remembers of each object: enough to tell changes from echoes, too little to decide anything.
 *
 * <p>Used by one thread.
 */
final class SeenObjects {

    private final WatchTarget target;
    private final Map<String, Seen> objects = new HashMap<>();

    SeenObjects(WatchTarget target) {
        this.target = target;
    }

    /**
     * One object.
     *
     * @param namespace its namespace
     * @param name its name
     * @param uid its UID
     * @param resourceVersion its version
     * @param cluster the name of its cluster, or empty
     * @param essence a hash of all that is not a projection of ours
     */
    record Seen(String namespace, String name, String uid, String resourceVersion, String cluster, int essence) {}

    /**
     * What an object's arrival means.
     *
     * @param before what was known of that name, or null
     * @param now what is known now
     */
    record Change(@Nullable Seen before, Seen now) {

        /** Whether it is the very version that was known. */
        boolean echo() {
            return before != null
                    && before.uid().equals(now.uid())
                    && before.resourceVersion().equals(now.resourceVersion());
        }

        /** Whether more changed than the status. */
        boolean essential() {
            return before == null || !before.uid().equals(now.uid()) || before.essence() != now.essence();
        }

        Optional<Seen> previous() {
            return Optional.ofNullable(before);
        }

        /** The object of that name which this one replaces. */
        Optional<Seen> replaced() {
            return previous().filter(old -> !old.uid().equals(now.uid()));
        }
    }

    Change put(KubeObject object) {
        Seen now = new Seen(
                object.namespace(),
                object.name(),
                object.uid(),
                object.resourceVersion(),
                target.clusterOf(object),
                target.whole() ? essence(object) : object.resourceVersion().hashCode());
        return new Change(objects.put(key(object), now), now);
    }

    Optional<Seen> remove(KubeObject object) {
        return Optional.ofNullable(objects.remove(key(object)));
    }

    /** Forgets all but those keys, and gives what went. */
    List<Seen> retain(Set<String> keys) {
        List<Seen> gone = new ArrayList<>();
        Iterator<Map.Entry<String, Seen>> iterator = objects.entrySet().iterator();
        while (iterator.hasNext()) {
            Map.Entry<String, Seen> entry = iterator.next();
            if (!keys.contains(entry.getKey())) {
                gone.add(entry.getValue());
                iterator.remove();
            }
        }
        return gone;
    }

    int size() {
        return objects.size();
    }

    static String key(KubeObject object) {
        return object.namespace() + "/" + object.name();
    }

    private static int essence(KubeObject object) {
        int hash = 0;
        for (Map.Entry<String, JsonNode> field : object.json().properties()) {
            if (!field.getKey().equals("status") && !field.getKey().equals("metadata")) {
                hash += Objects.hash(field.getKey(), field.getValue());
            }
        }
        for (Map.Entry<String, JsonNode> field : object.at("metadata").properties()) {
            if (!field.getKey().equals("managedFields") && !field.getKey().equals("resourceVersion")) {
                hash += Objects.hash(field.getKey(), field.getValue());
            }
        }
        return hash;
    }
}
