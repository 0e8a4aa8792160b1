package dev.slipway.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.lint.DiagramLint;
import dev.slipway.engine.lint.LintRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.camunda.bpm.model.bpmn.Bpmn;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.bpmn.instance.ServiceTask;
import org.camunda.bpm.model.bpmn.instance.SubProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The diagrams pass the lint, and what is derived from them is not stale. */
class DiagramDocsTest {

    private static final Path IMAGES = Path.of("docs/images");
    private static final Path CATALOGUE = Path.of("docs/phases.md");
    private static final Path DIAGRAM_GUIDE = Path.of("docs/diagrams.md");

    static List<Path> diagrams() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("bpmn"))) {
            return files.filter(file -> file.toString().endsWith(".bpmn"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("diagrams")
    void theDiagramPassesTheLint(Path diagram) {
        // given
        BpmnModelInstance model = Bpmn.readModelFromFile(diagram.toFile());

        // when
        var findings = DiagramLint.check(diagram.toString(), model, beans(model, false), beans(model, true));

        // then
        assertThat(findings).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("diagrams")
    void thePictureShowsThePresentDiagram(Path diagram) throws Exception {
        // given
        String name = diagram.getFileName().toString().replace(".bpmn", "");
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(diagram)));

        // then
        assertThat(IMAGES.resolve(name + ".sha256"))
                .as("docs/images/%s.* must be drawn again: (cd web && npm ci && npm run diagrams)", name)
                .hasContent(hash + "\n");
        assertThat(IMAGES.resolve(name + ".svg")).isNotEmptyFile();
        assertThat(IMAGES.resolve(name + ".png")).isNotEmptyFile();
    }

    @Test
    void theCatalogueOfPhasesIsThatOfTheDiagrams() throws IOException {
        // given
        String catalogue = PhasesPage.render(diagrams());
        if (Boolean.getBoolean("slipway.regenerate")) {
            Files.writeString(CATALOGUE, catalogue);
        }

        // then
        assertThat(CATALOGUE)
                .as("docs/phases.md must be written again:"
                        + " mvn test -DskipWeb -Dtest=DiagramDocsTest -Dslipway.regenerate=true")
                .hasContent(catalogue);
    }

    @Test
    void theGuideExplainsEveryRuleOfTheLint() throws IOException {
        // given
        String guide = Files.readString(DIAGRAM_GUIDE);

        // then
        for (LintRule rule : LintRule.values()) {
            assertThat(guide)
                    .as("docs/diagrams.md must have this row in its table of rules")
                    .contains("| `" + rule.id() + "` | " + rule.meaning() + " |");
        }
    }

    /** The beans that the diagram itself names, of phases or of the rest; the real lists are checked on deployment. */
    private static Set<String> beans(BpmnModelInstance model, boolean support) {
        return model.getModelElementsByType(ServiceTask.class).stream()
                .filter(task -> ((SubProcess) task.getParentElement()).triggeredByEvent() == support)
                .map(task -> task.getCamundaDelegateExpression().replaceAll("[${}]", ""))
                .collect(Collectors.toSet());
    }
}
