package dev.slipway.workitem;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the page about work items complete: every field, every reason and every code. */
class WorkItemDocsTest {

    private static final Path PAGE = Path.of("docs/work-items.md");
    private static final Pattern WORD = Pattern.compile(
            "\"(WaitingFor[A-Z]\\w+)\"|(?:ErrorClass\\.\\w+,|failure\\(\\s*ErrorClass\\.\\w+,)\\s*\"([A-Z]\\w+)\"");

    @Test
    void namesEveryFieldOfTheSpec() throws IOException {
        // given
        JsonNode schema = new YAMLMapper()
                .readTree(Path.of("deploy/crds/slipway.dev_workitems.yaml").toFile())
                .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
        List<String> fields = new ArrayList<>();
        leaves("spec", schema, fields);

        // then
        String page = Files.readString(PAGE);
        assertThat(fields).hasSizeGreaterThan(25).allSatisfy(field -> assertThat(page)
                .contains("| `" + field + "` |"));
    }

    @Test
    void namesEveryReasonAndCode() throws IOException {
        // given
        String diagrams = Files.readString(Path.of("bpmn/work-item-install.bpmn"))
                + Files.readString(Path.of("bpmn/work-item-delete.bpmn"));
        TreeSet<String> named = new TreeSet<>();
        try (Stream<Path> sources = Stream.concat(
                Files.walk(Path.of("delegates")), Files.walk(Path.of("src/main/java/dev/slipway/workitem")))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                String name = source.getFileName().toString().replace(".java", "");
                String bean = "${" + Character.toLowerCase(name.charAt(0)) + name.substring(1) + "}";
                if (diagrams.contains(bean) || source.toString().contains("workitem")) {
                    WORD.matcher(Files.readString(source))
                            .results()
                            .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                            .forEach(named::add);
                }
            }
        }
        named.removeAll(List.of("CallInterrupted", "KindAbsent"));

        // then
        String page = Files.readString(PAGE);
        assertThat(named).hasSizeGreaterThan(20).allSatisfy(word -> assertThat(page)
                .contains("`" + word + "`"));
    }

    private static void leaves(String path, JsonNode schema, List<String> into) {
        if (schema.has("properties")) {
            schema.path("properties")
                    .properties()
                    .forEach(field -> leaves(path + "." + field.getKey(), field.getValue(), into));
        } else if (schema.path("items").has("properties")) {
            leaves(path + "[]", schema.path("items"), into);
        } else {
            into.add(path);
        }
    }
}
