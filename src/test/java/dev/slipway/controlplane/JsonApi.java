package dev.slipway.controlplane;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.kubernetes.client.openapi.ApiClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Plain JSON access to an API server: paths in, trees out.
 *
 * <p>Tests look and arrange with it, apart from the client of the product that they prove.
 */
public final class JsonApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final String MANAGER = "slipway-sandbox";

    private final ApiClient client;
    private final Map<String, String> plurals = new ConcurrentHashMap<>();

    public JsonApi(ApiClient client) {
        this.client = client;
    }

    /** Reads a path; empty when it is not there. */
    public Optional<ObjectNode> get(String path) {
        return ifThere(() -> call("GET", path, null, ""));
    }

    /** The items of a list. */
    public List<ObjectNode> list(String path) {
        List<ObjectNode> items = new ArrayList<>();
        call("GET", path, null, "").path("items").forEach(item -> items.add((ObjectNode) item));
        return items;
    }

    /** Creates an object in a collection; empty if one of that name exists. */
    public Optional<ObjectNode> create(String collection, JsonNode object) {
        try {
            return Optional.of(call("POST", collection, object, "application/json"));
        } catch (ApiError e) {
            if (e.status() == 409) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Server-side applies an object at its path, or its status when the path ends with {@code /status}. */
    public ObjectNode apply(String path, JsonNode object) {
        return call("PATCH", path + "?fieldManager=" + MANAGER + "&force=true", object, "application/apply-patch+yaml");
    }

    /** JSON merge patch. */
    public ObjectNode merge(String path, JsonNode patch) {
        return call("PATCH", path + "?fieldManager=" + MANAGER, patch, "application/merge-patch+json");
    }

    /** JSON merge patch given as text. */
    public ObjectNode merge(String path, String patch) {
        return merge(path, parse(patch));
    }

    /** Deletes what is at the path, if anything. */
    public void delete(String path) {
        ifThere(() -> call("DELETE", path, null, ""));
    }

    /** Server-side applies every document of a YAML text; those without a namespace go to the given one. */
    public List<ObjectNode> applyYaml(String yaml, String namespace) {
        List<ObjectNode> applied = new ArrayList<>();
        for (ObjectNode document : parseYaml(yaml)) {
            applied.add(apply(pathOf(document, namespace), document));
        }
        return applied;
    }

    /** The documents of a YAML text. */
    public static List<ObjectNode> parseYaml(String yaml) {
        try (var values = YAML.readerFor(ObjectNode.class).<ObjectNode>readValues(yaml)) {
            List<ObjectNode> documents = new ArrayList<>();
            while (values.hasNextValue()) {
                ObjectNode document = values.nextValue();
                if (document != null && !document.isEmpty()) {
                    documents.add(document);
                }
            }
            return documents;
        } catch (IOException e) {
            throw new UncheckedIOException("Not valid YAML", e);
        }
    }

    /** Parses a JSON object. */
    public static ObjectNode parse(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("Not valid JSON: " + json, e);
        }
    }

    /** The path of an object of a served kind, found by discovery. */
    public String pathOf(JsonNode object, String defaultNamespace) {
        return findPath(object, defaultNamespace)
                .orElseThrow(() -> new IllegalStateException(
                        "The kind " + object.path("kind") + " is not served in " + object.path("apiVersion")));
    }

    /** The path of an object, found by discovery; empty if its kind is not served. */
    public Optional<String> findPath(JsonNode object, String defaultNamespace) {
        String apiVersion = object.path("apiVersion").asText();
        String base = apiVersion.contains("/") ? "/apis/" + apiVersion : "/api/" + apiVersion;
        String name = object.path("metadata").path("name").asText();
        String namespace = object.path("metadata").path("namespace").asText(defaultNamespace);
        return resource(base, object.path("kind").asText())
                .map(resource -> resource.startsWith("/")
                        ? base + resource + "/" + name
                        : base + "/namespaces/" + namespace + "/" + resource + "/" + name);
    }

    private Optional<String> resource(String base, String kind) {
        String key = base + "/" + kind;
        String known = plurals.get(key);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<String> found = get(base).flatMap(answer -> discover(answer, kind));
        found.ifPresent(resource -> plurals.put(key, resource));
        return found;
    }

    /** The plural; cluster-scoped ones start with a slash. */
    private static Optional<String> discover(JsonNode answer, String kind) {
        for (JsonNode resource : answer.path("resources")) {
            String plural = resource.path("name").asText();
            if (kind.equals(resource.path("kind").asText()) && !plural.contains("/")) {
                return Optional.of(resource.path("namespaced").asBoolean() ? plural : "/" + plural);
            }
        }
        return Optional.empty();
    }

    private ObjectNode call(String method, String path, JsonNode body, String contentType) {
        RequestBody content = body == null ? null : RequestBody.create(body.toString(), MediaType.get(contentType));
        Request request = new Request.Builder()
                .url(client.getBasePath() + path)
                .header("Accept", "application/json")
                .method(method, content)
                .build();
        try (Response response = client.getHttpClient().newCall(request).execute()) {
            String text = response.body() == null ? "" : response.body().string();
            if (!response.isSuccessful()) {
                throw new ApiError(method + " " + path, response.code(), text);
            }
            return parse(text);
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path + " failed", e);
        }
    }

    private static Optional<ObjectNode> ifThere(Call call) {
        try {
            return Optional.of(call.run());
        } catch (ApiError e) {
            if (e.status() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** A call that answers with an object. */
    @FunctionalInterface
    private interface Call {
        ObjectNode run();
    }
}
