package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keeps the custom resource's schema and the Java records in step, in both directions. */
class CustomResourceDriftTest {

    /** The custom resources, each with its records. */
    enum Resource {
        WORKLOAD_CLUSTERS("workloadclusters", WorkloadClusterSpec.class, WorkloadClusterStatus.class),
        WORK_ITEMS("workitems", WorkItemSpec.class, WorkItemStatus.class);

        private final Path file;
        private final Class<?> spec;
        private final Class<?> status;

        Resource(String plural, Class<?> spec, Class<?> status) {
            this.file = Path.of("deploy/crds/slipway.dev_" + plural + ".yaml");
            this.spec = spec;
            this.status = status;
        }
    }

    @ParameterizedTest
    @EnumSource
    void theRecordsHaveExactlyTheFieldsOfTheSchema(Resource resource) throws IOException {
        // given
        Map<String, String> schema = new TreeMap<>();
        ofSchema("spec", schemaOf(resource, "spec"), schema);
        ofSchema("status", schemaOf(resource, "status"), schema);

        // when
        Map<String, String> records = new TreeMap<>();
        ofType("spec", resource.spec, records);
        ofType("status", resource.status, records);

        // then
        assertThat(missing(schema, records))
                .as("fields that %s has and the records lack, or type otherwise", resource.file)
                .isEmpty();
        assertThat(missing(records, schema))
                .as("fields that the records have and %s lacks, or types otherwise", resource.file)
                .isEmpty();
    }

    @Test
    void theSchemaHasTheDefaultsOfTheRecords() throws IOException {
        // given
        KubeObject bare = KubeObject.named(ResourceType.WORKLOAD_CLUSTERS, "a", "b");
        WorkloadClusterSpec spec = WorkloadCluster.of(bare).spec();
        JsonNode schema = schemaOf(Resource.WORKLOAD_CLUSTERS, "spec").path("properties");

        // then
        assertThat(spec.paused()).isEqualTo(defaultOf(schema, "paused").booleanValue());
        assertThat(spec.dryRun()).isEqualTo(defaultOf(schema, "dryRun").booleanValue());
        assertThat(spec.workers().minimumReadyPercent())
                .isEqualTo(defaultOf(schema, "workers", "minimumReadyPercent").intValue());
        assertThat(spec.certificates().keyAlgorithm().name())
                .isEqualTo(defaultOf(schema, "certificates", "keyAlgorithm").asText());
        assertThat(spec.certificates().caValidity())
                .isEqualTo(GoDuration.parse(
                        defaultOf(schema, "certificates", "caValidity").asText()));
        assertThat(spec.certificates().clientValidity())
                .isEqualTo(GoDuration.parse(
                        defaultOf(schema, "certificates", "clientValidity").asText()));
        assertThat(new WorkloadClusterSpec.TemplateRef("x", null, null).key())
                .isEqualTo(defaultOf(schema, "templateRef", "key").asText());
        assertThat(new WorkloadClusterSpec.Endpoint("x", null).port())
                .isEqualTo(defaultOf(schema, "controlPlaneEndpoint", "port").intValue());
        assertThat(spec.deletion().isProtected())
                .isEqualTo(defaultOf(schema, "deletion", "protected").booleanValue());
        assertThat(spec.deletion().paused().name())
                .isEqualToIgnoringCase(defaultOf(schema, "deletion", "paused").asText());
    }

    @Test
    void theSchemaOfWorkItemsHasTheDefaultsOfTheRecords() throws IOException {
        // given
        WorkItemSpec spec =
                SpecReader.read(KubeObject.named(ResourceType.WORK_ITEMS, "a", "b"), "spec", WorkItemSpec.class);
        JsonNode schema = schemaOf(Resource.WORK_ITEMS, "spec").path("properties");
        JsonNode declared = schemaOf(Resource.WORKLOAD_CLUSTERS, "spec").at("/properties/workItems/items/properties");

        // then
        for (JsonNode properties : List.of(schema, declared)) {
            assertThat(spec.namespace())
                    .isEqualTo(defaultOf(properties, "namespace").asText());
            assertThat(spec.timeout())
                    .isEqualTo(GoDuration.parse(defaultOf(properties, "timeout").asText()));
            assertThat(spec.blocking())
                    .isEqualTo(defaultOf(properties, "blocking").booleanValue());
            assertThat(spec.createNamespace())
                    .isEqualTo(defaultOf(properties, "createNamespace").booleanValue());
            assertThat(new WorkItemSpec.CaRef("x", "").key())
                    .isEqualTo(
                            defaultOf(properties, "chart", "caSecretRef", "key").asText());
            assertThat(new WorkItemSpec.ManifestsRef("x", "").key())
                    .isEqualTo(defaultOf(properties, "manifests", "configMapRef", "key")
                            .asText());
            assertThat(new WorkItemSpec.ValuesFrom(null, "x", null, false).key())
                    .isEqualTo(defaultOf(properties.at("/valuesFrom/items/properties"), "key")
                            .asText());
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyFieldOfTheSpecIsDescribed(Resource resource) throws IOException {
        // when
        List<String> undescribed = new ArrayList<>();
        undescribed("spec", schemaOf(resource, "spec"), undescribed);

        // then
        assertThat(undescribed)
                .as("fields without a description for `kubectl explain`")
                .isEmpty();
    }

    private static List<String> missing(Map<String, String> from, Map<String, String> in) {
        return from.entrySet().stream()
                .filter(field -> !field.getValue().equals(in.get(field.getKey())))
                .map(field -> field.getKey() + " (" + field.getValue() + ")")
                .toList();
    }

    private static JsonNode schemaOf(Resource resource, String part) throws IOException {
        JsonNode version = new YAMLMapper()
                .readTree(resource.file.toFile())
                .path("spec")
                .path("versions")
                .path(0);
        return version.path("schema").path("openAPIV3Schema").path("properties").path(part);
    }

    private static JsonNode defaultOf(JsonNode properties, String... path) {
        JsonNode node = properties.path(path[0]);
        for (int i = 1; i < path.length; i++) {
            node = node.path("properties").path(path[i]);
        }
        return node.required("default");
    }

    private static void undescribed(String path, JsonNode schema, List<String> found) {
        if (!path.endsWith("[]") && schema.path("description").asText().isBlank()) {
            found.add(path);
        }
        schema.path("properties")
                .properties()
                .forEach(field -> undescribed(path + "." + field.getKey(), field.getValue(), found));
        if (schema.has("items")) {
            undescribed(path + "[]", schema.path("items"), found);
        }
    }

    private static void ofSchema(String path, JsonNode schema, Map<String, String> into) {
        boolean open = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        String type = open ? "any" : schema.path("type").asText("any");
        if (schema.has("properties")) {
            into.put(path, "object");
            schema.path("properties")
                    .properties()
                    .forEach(field -> ofSchema(path + "." + field.getKey(), field.getValue(), into));
        } else if (schema.has("additionalProperties")) {
            into.put(path, "map of " + schema.at("/additionalProperties/type").asText());
        } else if (schema.has("items")) {
            into.put(path, "list");
            ofSchema(path + "[]", schema.path("items"), into);
        } else {
            String format = schema.path("format").asText("");
            into.put(path, format.isEmpty() ? type : type + " " + format);
        }
    }

    private static void ofType(String path, Type type, Map<String, String> into) {
        if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            into.put(path, "list");
            ofType(path + "[]", generic.getActualTypeArguments()[0], into);
        } else if (type instanceof ParameterizedType) {
            into.put(path, "map of string");
        } else if (type instanceof Class<?> raw && raw.isRecord()) {
            into.put(path, "object");
            for (RecordComponent component : raw.getRecordComponents()) {
                ofType(path + "." + nameOf(component), component.getGenericType(), into);
            }
        } else {
            into.put(path, scalar((Class<?>) type));
        }
    }

    private static String nameOf(RecordComponent component) {
        JsonProperty renamed = component.getAccessor().getAnnotation(JsonProperty.class);
        return renamed == null ? component.getName() : renamed.value();
    }

    private static String scalar(Class<?> type) {
        if (type == String.class || type == Duration.class || type.isEnum()) {
            return "string";
        }
        if (type == Instant.class) {
            return "string date-time";
        }
        if (type == Integer.class || type == int.class) {
            return "integer int32";
        }
        if (type == Long.class || type == long.class) {
            return "integer int64";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "boolean";
        }
        if (type == JsonNode.class) {
            return "any";
        }
        throw new AssertionError("no schema type is known for " + type);
    }
}
