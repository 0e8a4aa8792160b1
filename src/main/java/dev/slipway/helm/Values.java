package dev.slipway.helm;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A chart's values as YAML texts; Helm merges them, later ones override earlier ones. No text of it shows them.
 *
 * @param parts in the order of their precedence, the weakest first
 */
public record Values(List<Part> parts) {

    /** A chart's own defaults. */
    public static final Values NONE = new Values(List.of());

    private static final String MARK = "Slipway: values sha256:";
    /** Shorter texts would blot out words of any message. */
    private static final int SHORTEST_SECRET = 4;

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** @throws Failure INVALID {@code ValuesInvalid} naming the part and the line, if one is not a YAML mapping */
    public Values {
        parts = List.copyOf(parts);
        parts.forEach(Values::tree);
    }

    /**
     * One text of values.
     *
     * @param origin where it is from, for messages, for example {@code Secret team/web-values, key values.yaml}
     * @param yaml the text
     * @param secret whether no message may show what stands in it
     */
    public record Part(String origin, String yaml, boolean secret) {

        @Override
        public String toString() {
            return "Values of " + origin + " (hidden)";
        }
    }

    /** SHA-256 of the texts and their order, in hex. */
    public String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Part part : parts) {
                byte[] text = part.yaml().getBytes(StandardCharsets.UTF_8);
                digest.update((text.length + ":").getBytes(StandardCharsets.UTF_8));
                digest.update(text);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What stands as description in Helm's record of a release with these values. */
    String mark() {
        return MARK + hash();
    }

    /** The hash in a description; empty if it is not Slipway's. */
    static String hashIn(String description) {
        return description.startsWith(MARK) ? description.substring(MARK.length()) : "";
    }

    /** Texts that no message may show, with those others. */
    List<String> secrets(List<String> others) {
        List<String> secrets = new ArrayList<>(others);
        for (Part part : parts) {
            if (part.secret()) {
                collect(tree(part), secrets);
            }
        }
        return secrets;
    }

    @Override
    public String toString() {
        return "Values (hidden)";
    }

    private static void collect(JsonNode node, List<String> into) {
        node.forEach(child -> collect(child, into));
        if (node.isValueNode() && node.asText().length() >= SHORTEST_SECRET) {
            into.add(node.asText());
        }
    }

    private static JsonNode tree(Part part) {
        try {
            JsonNode tree = YAML.readTree(part.yaml());
            if (tree.isObject() || tree.isNull() || tree.isMissingNode()) {
                return tree;
            }
            throw invalid(part, "it is not a mapping of names to values");
        } catch (JacksonException e) {
            // Its message quotes the text.
            JsonLocation where = e.getLocation();
            throw invalid(part, "it is no YAML" + (where == null ? "" : ", line " + where.getLineNr()));
        }
    }

    private static Failure invalid(Part part, String what) {
        return new Failure(
                ErrorClass.INVALID,
                "ValuesInvalid",
                "The values of " + part.origin() + " cannot be used: " + what + ".",
                List.of("Correct the YAML."),
                null,
                null);
    }
}
