package dev.slipway.api;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts an example together, from those of the fields, wherever an operation has none of its own. */
final class Examples {

    private static final int DEEPEST = 6;
    private static final String REF = "#/components/schemas/";
    private static final String PROBLEM = "application/problem+json";

    private final Map<String, Schema> schemas;
    private final OpenAPI api;

    Examples(OpenAPI api) {
        this.api = api;
        this.schemas = api.getComponents().getSchemas();
    }

    void add() {
        api.getPaths().values().forEach(item -> item.readOperations().forEach(this::add));
    }

    private void add(Operation operation) {
        if (operation.getRequestBody() != null) {
            fill(operation.getRequestBody().getContent());
        }
        operation.getResponses().forEach((status, response) -> fill(response.getContent()));
    }

    private void fill(@Nullable Content content) {
        if (content != null) {
            content.forEach((type, media) -> {
                boolean has = media.getExample() != null
                        || (media.getExamples() != null && !media.getExamples().isEmpty());
                if (!has && media.getSchema() != null && !type.equals(PROBLEM)) {
                    example(media);
                }
            });
        }
    }

    private void example(MediaType media) {
        Object example = of(media.getSchema(), 0);
        if (example != null) {
            media.setExample(example);
        }
    }

    private @Nullable Object of(@Nullable Schema<?> given, int depth) {
        Schema<?> schema = resolved(given);
        if (schema == null || depth > DEEPEST) {
            return null;
        }
        if (schema.getExample() != null) {
            return schema.getExample();
        }
        if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
            return schema.getEnum().get(0);
        }
        Map<String, Schema> properties = schema.getProperties();
        if (properties != null) {
            Map<String, Object> object = new LinkedHashMap<>();
            properties.forEach((name, property) -> {
                Object value = of(property, depth + 1);
                if (value != null) {
                    object.put(name, value);
                }
            });
            return object;
        }
        return simple(schema, depth);
    }

    private @Nullable Object simple(Schema<?> schema, int depth) {
        String type = type(schema);
        return switch (type) {
            case "array" -> {
                Object item = of(schema.getItems(), depth + 1);
                yield item == null ? List.of() : List.of(item);
            }
            case "integer" -> 1;
            case "number" -> 1.5;
            case "boolean" -> false;
            case "string" -> "date-time".equals(schema.getFormat()) ? "2026-01-01T11:00:00Z" : null;
            default -> null;
        };
    }

    private static String type(Schema<?> schema) {
        Set<String> types = schema.getTypes();
        if (types != null && !types.isEmpty()) {
            return types.stream()
                    .filter(type -> !type.equals("null"))
                    .findFirst()
                    .orElse("");
        }
        return schema.getType() == null ? "" : schema.getType();
    }

    private @Nullable Schema<?> resolved(@Nullable Schema<?> schema) {
        if (schema == null || schema.get$ref() == null) {
            return schema;
        }
        return schemas.get(schema.get$ref().substring(REF.length()));
    }
}
