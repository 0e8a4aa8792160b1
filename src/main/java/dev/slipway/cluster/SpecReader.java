package dev.slipway.cluster;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.slipway.cluster.WorkloadClusterSpec.ClusterNetwork;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads parts of an object into records; a value of the wrong type names its field. */
public final class SpecReader {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addModule(new SimpleModule()
                    .addDeserializer(Duration.class, new FromText<>(Duration.class, GoDuration::parse))
                    .addDeserializer(Instant.class, new FromText<>(Instant.class, Instant::parse)))
            .build();

    private SpecReader() {}

    /**
     * Reads a part of the object; an absent one as an empty one.
     *
     * @throws Failure INVALID {@code SpecInvalid} with the field
     */
    public static <T> T read(KubeObject object, String part, Class<T> type) {
        JsonNode json = object.at(part);
        try {
            return MAPPER.treeToValue(json.isObject() ? json : MAPPER.createObjectNode(), type);
        } catch (JsonMappingException e) {
            throw invalid(object, part + path(e), e.getOriginalMessage(), e);
        } catch (JsonProcessingException e) {
            throw invalid(object, part, e.getOriginalMessage(), e);
        }
    }

    /** The addresses that a Cluster API Cluster declares; null if it declares none. */
    static @Nullable ClusterNetwork network(KubeObject capiCluster) {
        JsonNode json = capiCluster.at("spec", "clusterNetwork");
        if (!json.isObject()) {
            return null;
        }
        try {
            return MAPPER.treeToValue(json, ClusterNetwork.class);
        } catch (JsonProcessingException e) {
            throw invalid(capiCluster, "spec.clusterNetwork", e.getOriginalMessage(), e);
        }
    }

    private static Failure invalid(KubeObject object, String field, String problem, Exception cause) {
        String message = "%s %s/%s: %s cannot be read: %s"
                .formatted(object.kind(), object.namespace(), object.name(), field, problem);
        return new Failure(
                ErrorClass.INVALID,
                "SpecInvalid",
                message,
                List.of("Correct " + field + "; `kubectl explain "
                        + object.kind().toLowerCase(Locale.ROOT) + "." + field + "` tells its type"),
                null,
                cause);
    }

    private static String path(JsonMappingException e) {
        StringBuilder path = new StringBuilder();
        for (Reference reference : e.getPath()) {
            if (reference.getFieldName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append('.').append(reference.getFieldName());
            }
        }
        return path.toString();
    }

    /** Reads a value that JSON carries as text. */
    private static final class FromText<T> extends StdDeserializer<T> {
        private static final long serialVersionUID = 1L;

        private final transient Function<String, T> parse;

        FromText(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            String text = parser.getValueAsString("");
            try {
                return parse.apply(text);
            } catch (IllegalArgumentException | DateTimeException e) {
                throw JsonMappingException.from(parser, String.valueOf(e.getMessage()), e);
            }
        }
    }
}
