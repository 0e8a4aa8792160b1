package dev.slipway.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.slipway.kernel.Choice;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each folder of {@code src/test/resources/projection} is a case: {@code in.yaml} gives the flows and the earlier
 * status, {@code out.yaml} the status and the Events that must come of it.
 *
 * <p>{@code -Dprojection.rewrite=true} writes {@code out.yaml} anew: look at the difference before you commit it.
 */
class ProjectionTest {

    private static final Path CASES = Path.of("src/test/resources/projection");
    private static final ClusterRef CLUSTER = new ClusterRef("demo", "c1", "uid-1");
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES))
            .registerModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    static Stream<String> cases() throws IOException {
        try (Stream<Path> folders = Files.list(CASES)) {
            return folders.map(folder -> folder.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void projectsFlowsAsTheCaseSays(String name) throws IOException {
        // given
        Path folder = CASES.resolve(name);
        JsonNode in = YAML.readTree(folder.resolve("in.yaml").toFile());
        KubeObject object = object(in);
        List<FlowView> flows = flows(in);

        // when
        Projection projection = in.path("origin").asText().equals("Cluster")
                ? Projections.ofCluster(flows)
                : in.has("deletion")
                        ? Projections.ofDeleting(flows, finalizers(in.get("deletion")))
                        : Projections.of(flows);
        ObjectNode status = new StatusFactory(InstantSource.fixed(NOW)).status(object, projection);
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        out.set("status", status);
        out.set("events", YAML.valueToTree(Happenings.between(before(object), status)));

        // then
        Path expected = folder.resolve("out.yaml");
        if (Boolean.getBoolean("projection.rewrite")) {
            Files.writeString(expected, YAML.writeValueAsString(out));
        }
        assertThat(YAML.writeValueAsString(out)).isEqualTo(Files.readString(expected));
    }

    private static List<String> finalizers(JsonNode list) {
        List<String> finalizers = new ArrayList<>();
        list.forEach(finalizer -> finalizers.add(finalizer.asText()));
        return finalizers;
    }

    private static KubeObject object(JsonNode in) {
        KubeObject object = KubeObject.named(ResourceType.WORKLOAD_CLUSTERS, CLUSTER.namespace(), CLUSTER.name());
        ((ObjectNode) object.at("metadata"))
                .put("generation", in.path("generation").asLong(1))
                .put("uid", CLUSTER.uid());
        if (in.has("status")) {
            object.json().set("status", in.get("status"));
        }
        return object;
    }

    private static ObjectNode before(KubeObject object) {
        return object.at("status") instanceof ObjectNode status ? status : JsonNodeFactory.instance.objectNode();
    }

    private static List<FlowView> flows(JsonNode in) {
        List<FlowView> flows = new ArrayList<>();
        for (JsonNode flow : in.path("flows")) {
            List<PhaseView> phases = new ArrayList<>();
            flow.path("phases").forEach(phase -> phases.add(phase(phase)));
            flows.add(new FlowView(
                    flow.path("id").asText("f-1"),
                    flow.path("kind").asText("init"),
                    CLUSTER,
                    FlowState.valueOf(flow.path("state").asText("RUNNING")),
                    flow.path("result").asText(null),
                    "slipway",
                    time(flow, "startedAt", "2026-01-01T11:00:00Z"),
                    time(flow, "endedAt", null),
                    flow.path("incident").asText(null),
                    flow.path("parent").asText(null),
                    phases));
        }
        return flows;
    }

    private static PhaseView phase(JsonNode phase) {
        List<String> actions = new ArrayList<>();
        phase.path("actions").forEach(action -> actions.add(action.asText()));
        List<Choice> choices = new ArrayList<>();
        phase.path("choices").forEach(choice -> choices.add(Choice.valueOf(choice.asText())));
        PhaseView.Cause cause = phase.has("cause")
                ? new PhaseView.Cause(
                        phase.path("cause").path("code").asText(),
                        phase.path("cause").path("message").asText())
                : null;
        String name = phase.path("name").asText();
        return new PhaseView(
                name,
                phase.path("title").asText(name.replace("Ensure", "")),
                "phase_" + name,
                PhaseState.valueOf(phase.path("state").asText("PENDING")),
                phase.path("stuck").asBoolean(),
                phase.path("attempt").asInt(),
                time(phase, "since", null),
                time(phase, "until", null),
                phase.path("reason").asText(null),
                phase.path("message").asText(null),
                phase.path("lastErrorCode").asText(null),
                phase.path("lastError").asText(null),
                time(phase, "lastCheck", null),
                time(phase, "nextCheck", null),
                null,
                actions,
                "run-" + name,
                cause,
                choices);
    }

    private static Instant time(JsonNode node, String field, String otherwise) {
        String text = node.path(field).asText(otherwise);
        return text == null ? null : Instant.parse(text);
    }

    static {
        if (!Files.isDirectory(CASES)) {
            throw new UncheckedIOException(new IOException("Run from the project's folder: no " + CASES));
        }
    }
}
