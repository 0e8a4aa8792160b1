package dev.slipway.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Finds how kinds are served; remembers for some minutes what is there, never what is absent. */
final class Discovery {

    private static final Duration REMEMBERED = Duration.ofMinutes(5);

    private final RestClient rest;
    private final Clock clock;
    private final Map<Kind, Found> found = new ConcurrentHashMap<>();

    Discovery(RestClient rest, Clock clock) {
        this.rest = rest;
        this.clock = clock;
    }

    /** The kind in the preferred version of its group, or else in the first version that has it. */
    Optional<ResourceType> find(String group, String kind) {
        Kind key = new Kind(group, kind);
        Found known = found.get(key);
        if (known != null && clock.instant().isBefore(known.until())) {
            return Optional.of(known.type());
        }
        Set<String> versions = versions(group);
        if (versions.isEmpty()) {
            forgetGroup(group);
        }
        for (String version : versions) {
            Optional<ResourceType> type = resources(group, version, resource -> kind.equals(kind(resource)));
            if (type.isPresent()) {
                found.put(key, new Found(type.get(), clock.instant().plus(REMEMBERED)));
                return type;
            }
        }
        found.remove(key);
        return Optional.empty();
    }

    /** All kinds of the group that can be listed, each in its preferred version or else in the first that has it. */
    List<ResourceType> kinds(String group) {
        Map<String, ResourceType> kinds = new LinkedHashMap<>();
        for (String version : versions(group)) {
            ask(Paths.groupVersion(group, version))
                    .ifPresent(list -> list.path("resources").forEach(resource -> listable(group, version, resource)
                            .ifPresent(type -> kinds.putIfAbsent(type.kind(), type))));
        }
        return List.copyOf(kinds.values());
    }

    private static Optional<ResourceType> listable(String group, String version, JsonNode resource) {
        String plural = resource.path("name").asText();
        boolean listed = false;
        for (JsonNode verb : resource.path("verbs")) {
            listed = listed || "list".equals(verb.asText());
        }
        boolean namespaced = resource.path("namespaced").asBoolean();
        return listed && !plural.contains("/")
                ? Optional.of(new ResourceType(group, version, plural, kind(resource), namespaced))
                : Optional.empty();
    }

    /** Whether that very version of the kind is served now; asks the server. */
    boolean serves(ResourceType type) {
        return resources(type.group(), type.version(), resource -> type.plural()
                        .equals(resource.path("name").asText()))
                .isPresent();
    }

    /** Whether that very version of the kind has that sub-resource now; asks the server. */
    boolean servesSubresource(ResourceType type, String name) {
        String wanted = type.plural() + "/" + name;
        Optional<ObjectNode> list = ask(Paths.groupVersion(type.group(), type.version()));
        if (list.isEmpty()) {
            forgetGroup(type.group());
            return false;
        }
        for (JsonNode resource : list.get().path("resources")) {
            if (wanted.equals(resource.path("name").asText())) {
                return true;
            }
        }
        return false;
    }

    /** Forgets a kind that turned out to be absent. */
    void forget(ResourceType type) {
        found.remove(new Kind(type.group(), type.kind()));
    }

    /** Gone as a whole: of its kinds not one is there, whatever is remembered. */
    private void forgetGroup(String group) {
        found.keySet().removeIf(kind -> kind.group().equals(group));
    }

    private Set<String> versions(String group) {
        Set<String> versions = new LinkedHashSet<>();
        if (group.isEmpty()) {
            versions.add("v1");
            return versions;
        }
        // Asking for the group's own path passes over a broken aggregated API of another group.
        ask("/apis/" + group).ifPresent(answer -> {
            versions.add(answer.path("preferredVersion").path("version").asText(""));
            answer.path("versions").forEach(v -> versions.add(v.path("version").asText("")));
        });
        versions.remove("");
        return versions;
    }

    private Optional<ResourceType> resources(String group, String version, Wanted wanted) {
        Optional<ObjectNode> list = ask(Paths.groupVersion(group, version));
        if (list.isEmpty()) {
            return Optional.empty();
        }
        for (JsonNode resource : list.get().path("resources")) {
            String plural = resource.path("name").asText();
            if (!plural.contains("/") && wanted.accepts(resource)) {
                boolean namespaced = resource.path("namespaced").asBoolean();
                return Optional.of(new ResourceType(group, version, plural, kind(resource), namespaced));
            }
        }
        return Optional.empty();
    }

    private Optional<ObjectNode> ask(String path) {
        Operation operation = Operation.path(path);
        Answer answer = rest.call(operation, RestRequest.get(path));
        if (answer.code() == 404) {
            return Optional.empty();
        }
        if (!answer.ok()) {
            throw rest.errors().refused(operation, answer);
        }
        return Optional.of(rest.object(operation, answer));
    }

    private static String kind(JsonNode resource) {
        return resource.path("kind").asText();
    }

    private record Kind(String group, String kind) {}

    private record Found(ResourceType type, Instant until) {}

    /** Says which resource of a list is looked for. */
    private interface Wanted {
        boolean accepts(JsonNode resource);
    }
}
