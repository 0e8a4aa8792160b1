package dev.slipway.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Optional;
import org.camunda.bpm.engine.RepositoryService;
import org.camunda.bpm.engine.repository.ProcessDefinition;

/** Reads diagrams from the engine's repository. */
final class DeployedDiagrams implements Diagrams {

    private final RepositoryService repository;
    private final FlowStore flows;
    private final PhaseRunStore runs;

    DeployedDiagrams(RepositoryService repository, FlowStore flows, PhaseRunStore runs) {
        this.repository = repository;
        this.flows = flows;
        this.runs = runs;
    }

    @Override
    public Optional<String> ofFlow(String flowId) {
        return flows.find(flowId)
                .flatMap(flow -> lastRun(flowId).or(() -> latest(flow.kind())))
                .map(this::xml);
    }

    /** The definition of the phase entered last: an instance that was migrated runs the newer one. */
    private Optional<ProcessDefinition> lastRun(String flowId) {
        return runs.ofFlow(flowId).stream()
                .max(Comparator.comparing(PhaseRun::enteredAt))
                .map(run -> repository
                        .createProcessDefinitionQuery()
                        .processDefinitionId(run.definitionId())
                        .singleResult());
    }

    private Optional<ProcessDefinition> latest(String kind) {
        return Optional.ofNullable(repository
                .createProcessDefinitionQuery()
                .processDefinitionKey(FlowKinds.processKey(kind))
                .latestVersion()
                .singleResult());
    }

    private String xml(ProcessDefinition definition) {
        try (InputStream model = repository.getProcessModel(definition.getId())) {
            return new String(model.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The diagram of " + definition.getId() + " cannot be read", e);
        }
    }
}
