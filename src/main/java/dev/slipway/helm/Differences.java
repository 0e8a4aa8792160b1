package dev.slipway.helm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which fields of two objects differ. */
final class Differences {

    private static final int MOST = 20;

    private Differences() {}

    /** The paths of the fields that differ, for example {@code spec.containers[0].image}; at most 20. */
    static List<String> between(JsonNode before, JsonNode after) {
        List<String> paths = new ArrayList<>();
        compare("", before, after, paths);
        return paths.size() > MOST ? paths.subList(0, MOST) : paths;
    }

    private static void compare(String path, JsonNode before, JsonNode after, List<String> paths) {
        if (before.equals(after)) {
            return;
        }
        if (before.isObject() && after.isObject()) {
            Set<String> names = new TreeSet<>();
            before.fieldNames().forEachRemaining(names::add);
            after.fieldNames().forEachRemaining(names::add);
            names.forEach(name ->
                    compare(path.isEmpty() ? name : path + "." + name, before.path(name), after.path(name), paths));
        } else if (before.isArray() && after.isArray()) {
            for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
                compare(path + "[" + i + "]", before.path(i), after.path(i), paths);
            }
        } else {
            paths.add(path);
        }
    }
}
