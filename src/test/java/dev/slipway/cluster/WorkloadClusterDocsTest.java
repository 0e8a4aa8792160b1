package dev.slipway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reference of the WorkloadCluster names every field and every reason of the code. */
class WorkloadClusterDocsTest {

    static final Path PAGE = Path.of("docs/workload-cluster.md");

    private static final Pattern REASON = Pattern.compile("\"(WaitingFor[A-Z]\\w+)\"");
    private static final Pattern CODE = Pattern.compile(
            "(?:problem|invalid|identity|Failure)\\(\\s*(?:ErrorClass\\.\\w+,\\s*)?\"([A-Z]\\w+)\",|\"(\\w+NotOurs)\"");

    @Test
    void namesEveryFieldOfTheSpec() throws IOException {
        // given
        JsonNode schema = new YAMLMapper()
                .readTree(
                        Path.of("deploy/crds/slipway.dev_workloadclusters.yaml").toFile())
                .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
        List<String> fields = new ArrayList<>();
        leaves("spec", schema, fields);
        // The page of work items has them.
        fields.removeIf(field -> field.startsWith("spec.workItems[]."));

        // then
        String page = Files.readString(PAGE);
        assertThat(fields).hasSizeGreaterThan(20).allSatisfy(field -> assertThat(page)
                .contains("| `" + field + "` |"));
    }

    @Test
    void namesEveryReasonAndCode() throws IOException {
        // given
        TreeSet<String> named = new TreeSet<>();
        String others = "";
        for (String diagram : List.of("cluster-import", "cluster-delete", "work-item-install", "work-item-delete")) {
            others += Files.readString(Path.of("bpmn/" + diagram + ".bpmn"));
        }
        try (Stream<Path> sources = Stream.concat(
                Files.walk(Path.of("delegates")), Files.walk(Path.of("src/main/java/dev/slipway/cluster")))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                String name = source.getFileName().toString().replace(".java", "");
                String bean = Character.toLowerCase(name.charAt(0)) + name.substring(1);
                // Others have pages of their own.
                if (!name.matches("EnsureCertificates|EnsureKubeconfig|WorkItem.*|DeclaredItem")
                        && !others.contains("${" + bean + "}")) {
                    String text = Files.readString(source);
                    REASON.matcher(text).results().map(found -> found.group(1)).forEach(named::add);
                    CODE.matcher(text)
                            .results()
                            .map(WorkloadClusterDocsTest::first)
                            .forEach(named::add);
                }
            }
        }

        // then
        String page = Files.readString(PAGE);
        assertThat(named).hasSizeGreaterThan(35).allSatisfy(reason -> assertThat(page)
                .contains("| `" + reason + "` |"));
    }

    private static String first(MatchResult found) {
        return found.group(1) == null ? found.group(2) : found.group(1);
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
