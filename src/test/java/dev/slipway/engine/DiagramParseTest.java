package dev.slipway.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.camunda.bpm.engine.ProcessEngine;
import org.camunda.bpm.engine.impl.cfg.StandaloneInMemProcessEngineConfiguration;
import org.camunda.bpm.engine.repository.DeploymentWithDefinitions;
import org.junit.jupiter.api.Test;

/** Every diagram is accepted by the engine's own parser. */
class DiagramParseTest {

    @Test
    void theEngineAcceptsEveryDiagram() throws Exception {
        // given
        ProcessEngine engine = new StandaloneInMemProcessEngineConfiguration()
                .setJdbcUrl("jdbc:h2:mem:diagram-parse;DB_CLOSE_DELAY=-1")
                .setJobExecutorActivate(false)
                .setEnforceHistoryTimeToLive(true)
                .buildProcessEngine();
        try (var diagrams = Files.newDirectoryStream(Path.of("bpmn"), "*.bpmn")) {
            for (Path diagram : diagrams) {
                // when
                DeploymentWithDefinitions deployed = engine.getRepositoryService()
                        .createDeployment()
                        .addString(diagram.getFileName().toString(), Files.readString(diagram))
                        .deployWithResult();

                // then
                assertThat(deployed.getDeployedProcessDefinitions())
                        .as("executable processes of %s", diagram)
                        .singleElement()
                        .satisfies(definition -> {
                            assertThat(definition.getKey() + ".bpmn")
                                    .isEqualTo(diagram.getFileName().toString());
                            assertThat(definition.getHistoryTimeToLive()).isPositive();
                        });
            }
        } finally {
            engine.close();
        }
    }
}
