package dev.slipway.engine;

import dev.slipway.engine.lint.DiagramLint;
import dev.slipway.engine.lint.Finding;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.camunda.bpm.engine.exception.NotValidException;
import org.camunda.bpm.engine.impl.persistence.deploy.Deployer;
import org.camunda.bpm.engine.impl.persistence.entity.DeploymentEntity;
import org.camunda.bpm.model.bpmn.Bpmn;

/**
 * Refuses to deploy a diagram that the lint objects to: whoever deploys a diagram could run code otherwise.
 *
 * <p>Only at deployment. What is in the database already has passed it.
 */
final class DiagramGate implements Deployer {

    private static final Set<String> ALLOWED_SUFFIXES = Set.of(".bpmn", ".png", ".svg");

    private final Set<String> phaseBeans;
    private final Set<String> supportBeans;

    DiagramGate(Set<String> phaseBeans, Set<String> supportBeans) {
        this.phaseBeans = Set.copyOf(phaseBeans);
        this.supportBeans = Set.copyOf(supportBeans);
    }

    @Override
    public void deploy(DeploymentEntity deployment) {
        if (!deployment.isNew()) {
            return;
        }
        List<String> objections = new ArrayList<>();
        deployment.getResources().forEach((name, resource) -> {
            if (name.endsWith(".bpmn")) {
                findings(name, resource.getBytes()).forEach(finding -> objections.add(finding.text()));
            } else if (ALLOWED_SUFFIXES.stream().noneMatch(name::endsWith)) {
                objections.add(name + ": only .bpmn diagrams and their pictures can be deployed. Name the file so.");
            }
        });
        if (!objections.isEmpty()) {
            throw new NotValidException("The deployment \"" + deployment.getName() + "\" is refused:\n"
                    + objections.stream().map(text -> "- " + text).collect(Collectors.joining("\n")));
        }
    }

    private List<Finding> findings(String name, byte[] bytes) {
        return DiagramLint.check(
                name, Bpmn.readModelFromStream(new ByteArrayInputStream(bytes)), phaseBeans, supportBeans);
    }
}
