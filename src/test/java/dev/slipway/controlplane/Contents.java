package dev.slipway.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What an API server holds: every object of every kind that it lists. */
public final class Contents {

    /** What comes and goes by itself, or tells of the past. */
    private static final Set<String> PASSING =
            Set.of("events", "leases", "endpoints", "endpointslices", "namespaces", "apiservices", "componentstatuses");

    private Contents() {}

    /** All objects in the namespaces, and all that have none; a line each: {@code <group/version>/<kind> <namespace>/<name>}. */
    public static Set<String> of(JsonApi api, List<String> namespaces) {
        Set<String> found = new TreeSet<>();
        for (String version : versions(api)) {
            JsonNode resources = api.get(version).orElseThrow().path("resources");
            for (JsonNode resource : resources) {
                if (isListed(resource)) {
                    lists(version, resource, namespaces).forEach(path -> api.list(path)
                            .forEach(object -> found.add(resource.path("kind").asText() + " "
                                    + object.at("/metadata/namespace").asText("") + "/"
                                    + object.at("/metadata/name").asText())));
                }
            }
        }
        return found;
    }

    private static List<String> versions(JsonApi api) {
        List<String> versions = new ArrayList<>(List.of("/api/v1"));
        for (JsonNode group : api.get("/apis").orElseThrow().path("groups")) {
            versions.add("/apis/" + group.at("/preferredVersion/groupVersion").asText());
        }
        return versions;
    }

    private static boolean isListed(JsonNode resource) {
        String name = resource.path("name").asText();
        return !name.contains("/")
                && !PASSING.contains(name)
                && resource.path("verbs").toString().contains("\"list\"");
    }

    private static List<String> lists(String version, JsonNode resource, List<String> namespaces) {
        String name = "/" + resource.path("name").asText();
        return resource.path("namespaced").asBoolean()
                ? namespaces.stream()
                        .map(namespace -> version + "/namespaces/" + namespace + name)
                        .toList()
                : List.of(version + name);
    }
}
