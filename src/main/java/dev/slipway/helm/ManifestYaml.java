package dev.slipway.helm;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Kubernetes objects in YAML with several documents. */
final class ManifestYaml {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private ManifestYaml() {}

    /**
     * Parses them in their order; empty documents are left out, lists are taken apart.
     *
     * @param origin where the text is from, for messages
     * @throws Failure INVALID {@code ManifestInvalid} naming the document
     */
    static List<KubeObject> parse(String origin, String text) {
        List<KubeObject> objects = new ArrayList<>();
        int document = 0;
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNextValue()) {
                JsonNode next = documents.nextValue();
                document++;
                add(origin, document, next, objects);
            }
        } catch (JacksonException e) {
            // Its message quotes the text.
            throw invalid(origin, document + 1, "is no YAML");
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read a text", e);
        }
        return objects;
    }

    private static void add(String origin, int document, JsonNode json, List<KubeObject> objects) {
        if (json.isNull() || json.isMissingNode()) {
            return;
        }
        if (!(json instanceof ObjectNode object)) {
            throw invalid(origin, document, "is no object");
        }
        if (object.path("items").isArray() && object.path("kind").asText().endsWith("List")) {
            object.path("items").forEach(item -> add(origin, document, item, objects));
            return;
        }
        KubeObject parsed = new KubeObject(object);
        if (parsed.apiVersion().isEmpty()
                || parsed.kind().isEmpty()
                || parsed.name().isEmpty()) {
            throw invalid(origin, document, "lacks apiVersion, kind or metadata.name");
        }
        objects.add(parsed);
    }

    private static Failure invalid(String origin, int document, String what) {
        return new Failure(
                ErrorClass.INVALID,
                "ManifestInvalid",
                "Document " + document + " of " + origin + " " + what + ".",
                List.of("Correct the manifest."),
                null,
                null);
    }
}
