package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads multi-document YAML into objects: data only, never types, with limits on everything.
 *
 * <p>Scalars are read as Kubernetes' own tools do: no timestamps, no base-60 numbers.
 */
final class Manifests {

    /** A ConfigMap holds at most 1 MiB. */
    private static final int CHARACTERS = 1 << 20;

    private static final List<String[]> MAPS = List.of(
            new String[] {"metadata", "labels"}, new String[] {"metadata", "annotations"}, new String[] {"spec"});

    private static final int DOCUMENTS = 200;
    private static final int ALIASES = 50;
    private static final int DEPTH = 60;
    private static final double EXACT = 1L << 53;

    private Manifests() {}

    /** A text that is no manifest; the message names the document or the line. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String message) {
            super(message);
        }
    }

    /** Reads all documents that are not empty. */
    static List<KubeObject> read(String text) throws Unreadable {
        List<KubeObject> objects = new ArrayList<>();
        int number = 0;
        try {
            for (Object document : yaml().loadAll(text)) {
                number++;
                if (number > DOCUMENTS) {
                    throw new Unreadable("it has more than " + DOCUMENTS + " documents");
                }
                if (document != null) {
                    objects.add(object(document, number));
                }
            }
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            throw new Unreadable("line " + line + " after filling in variables is not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            throw new Unreadable("document " + (number + 1) + " cannot be read: " + e.getMessage());
        }
        return objects;
    }

    private static KubeObject object(Object document, int number) throws Unreadable {
        if (!(document instanceof Map<?, ?>) || !(json(document, 0) instanceof ObjectNode json)) {
            throw new Unreadable("document " + number + " is not an object");
        }
        KubeObject object = new KubeObject(json);
        if (object.apiVersion().isEmpty()
                || object.kind().isEmpty()
                || object.name().isEmpty()) {
            throw new Unreadable("document " + number + " lacks apiVersion, kind or metadata.name");
        }
        for (String[] path : MAPS) {
            JsonNode part = object.at(path);
            if (!part.isMissingNode() && !part.isNull() && !part.isObject()) {
                throw new Unreadable("document " + number + ": " + String.join(".", path) + " is not a map");
            }
        }
        return object;
    }

    private static JsonNode json(@Nullable Object value, int depth) throws Unreadable {
        if (depth > DEPTH) {
            // Anchors can make a list that contains itself.
            throw new Unreadable("a value is nested more than " + DEPTH + " deep");
        }
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = nodes.objectNode();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                object.set(String.valueOf(entry.getKey()), json(entry.getValue(), depth + 1));
            }
            return object;
        }
        if (value instanceof Collection<?> list) {
            ArrayNode array = nodes.arrayNode();
            for (Object item : list) {
                array.add(json(item, depth + 1));
            }
            return array;
        }
        return scalar(value, nodes);
    }

    private static JsonNode scalar(@Nullable Object value, JsonNodeFactory nodes) {
        if (value == null) {
            return nodes.nullNode();
        }
        if (value instanceof Boolean flag) {
            return nodes.booleanNode(flag);
        }
        if (value instanceof Integer || value instanceof Long) {
            return whole(((Number) value).longValue());
        }
        if (value instanceof BigInteger number) {
            return nodes.numberNode(number);
        }
        if (value instanceof Number number) {
            double real = number.doubleValue();
            boolean whole = real == Math.rint(real) && Math.abs(real) < EXACT;
            return whole ? whole((long) real) : nodes.numberNode(real);
        }
        if (value instanceof byte[] bytes) {
            return nodes.textNode(new String(bytes, StandardCharsets.UTF_8));
        }
        return nodes.textNode(value.toString());
    }

    /** A small number equals one that another parser read only if both have the smaller type. */
    private static JsonNode whole(long value) {
        boolean small = value == (int) value;
        return small ? JsonNodeFactory.instance.numberNode((int) value) : JsonNodeFactory.instance.numberNode(value);
    }

    private static Yaml yaml() {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(CHARACTERS);
        limits.setMaxAliasesForCollections(ALIASES);
        limits.setNestingDepthLimit(DEPTH);
        limits.setAllowDuplicateKeys(false);
        limits.setAllowRecursiveKeys(false);
        DumperOptions unused = new DumperOptions();
        return new Yaml(new SafeConstructor(limits), new Representer(unused), unused, limits, new Scalars());
    }

    /** The scalars that Kubernetes' tools know: a date or 12:30 stays a text. */
    private static final class Scalars extends Resolver {
        private static final Pattern INTEGER =
                Pattern.compile("[-+]?(?:0|[1-9][0-9_]*|0[0-7_]+|0x[0-9a-fA-F_]+|0b[01_]+)");
        private static final Pattern DECIMAL = Pattern.compile(
                "[-+]?(?:[0-9]+\\.[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+(?:[eE][-+]?[0-9]+)?");

        @Override
        protected void addImplicitResolvers() {
            addImplicitResolver(Tag.BOOL, BOOL, "yYnNtTfFoO");
            addImplicitResolver(Tag.INT, INTEGER, "-+0123456789");
            addImplicitResolver(Tag.FLOAT, DECIMAL, "-+0123456789.");
            addImplicitResolver(Tag.MERGE, MERGE, "<");
            addImplicitResolver(Tag.NULL, NULL, "~nN\0");
            addImplicitResolver(Tag.NULL, EMPTY, null);
        }
    }
}
