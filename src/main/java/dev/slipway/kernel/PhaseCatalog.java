package dev.slipway.kernel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.camunda.bpm.engine.RepositoryService;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.bpmn.instance.BoundaryEvent;
import org.camunda.bpm.model.bpmn.instance.FlowNode;
import org.camunda.bpm.model.bpmn.instance.ServiceTask;
import org.camunda.bpm.model.bpmn.instance.StartEvent;
import org.camunda.bpm.model.bpmn.instance.SubProcess;
import org.camunda.bpm.model.bpmn.instance.TimerEventDefinition;

/** Reads the phases of a diagram, in the order of its sequence flows. */
final class PhaseCatalog {

    static final String PHASE_PREFIX = "phase_";
    static final String STUCK_PREFIX = "stuck_";
    static final String REQUEUE_PREFIX = "requeue_";

    private final RepositoryService repository;
    private final Map<String, List<PhaseDefinition>> byDefinition = new ConcurrentHashMap<>();

    PhaseCatalog(RepositoryService repository) {
        this.repository = repository;
    }

    /** The phases of a process definition, in order. */
    List<PhaseDefinition> phases(String definitionId) {
        return byDefinition.computeIfAbsent(definitionId, id -> read(repository.getBpmnModelInstance(id)));
    }

    /** The phases of the latest version of a flow; empty if there is no such diagram. */
    Optional<List<PhaseDefinition>> latest(String processKey) {
        return Optional.ofNullable(repository
                        .createProcessDefinitionQuery()
                        .processDefinitionKey(processKey)
                        .latestVersion()
                        .singleResult())
                .map(definition -> phases(definition.getId()));
    }

    PhaseDefinition phase(String definitionId, String elementId) {
        return phases(definitionId).stream()
                .filter(phase -> phase.elementId().equals(elementId))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Diagram " + definitionId + " has no phase " + elementId
                        + ": it must follow the phase pattern"));
    }

    /** What an operator may decide about a run. */
    List<Choice> choices(PhaseRun run) {
        List<PhaseDefinition> phases = phases(run.definitionId());
        return phase(run.definitionId(), run.elementId())
                .choices(run, phases.get(0).elementId().equals(run.elementId()));
    }

    static List<PhaseDefinition> read(BpmnModelInstance model) {
        List<PhaseDefinition> phases = new ArrayList<>();
        for (SubProcess subProcess : inOrder(model)) {
            phases.add(define(model, subProcess));
        }
        return List.copyOf(phases);
    }

    private static PhaseDefinition define(BpmnModelInstance model, SubProcess subProcess) {
        ServiceTask task =
                subProcess.getChildElementsByType(ServiceTask.class).iterator().next();
        String bean = beanOf(task.getCamundaDelegateExpression());
        BoundaryEvent requeue = boundary(model, task.getId(), REQUEUE_PREFIX)
                .orElseThrow(() -> new IllegalStateException("Task " + task.getId() + " has no requeue timer"));
        Optional<BoundaryEvent> stuck = boundary(model, subProcess.getId(), STUCK_PREFIX);
        return new PhaseDefinition(
                subProcess.getId(),
                task.getId(),
                Character.toUpperCase(bean.charAt(0)) + bean.substring(1),
                bean,
                subProcess.getName(),
                duration(requeue),
                stuck.map(BoundaryEvent::getId).orElse(null),
                stuck.map(PhaseCatalog::duration).orElse(null),
                advice(subProcess),
                drawnChoices(subProcess));
    }

    private static List<String> advice(SubProcess phase) {
        return phase.getDocumentations().stream()
                .map(documentation -> Advice.in(documentation.getTextContent()))
                .filter(advice -> !advice.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** What the property {@code slipway:choices} of a phase allows; unknown words are left out, the lint names them. */
    private static Set<Choice> drawnChoices(SubProcess phase) {
        Set<String> words =
                DiagramProperties.words(phase, Choice.DIAGRAM_PROPERTY).collect(Collectors.toSet());
        return Stream.of(Choice.values())
                .filter(choice -> choice.onlyWhereDrawn() && words.contains(choice.name()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The bean that {@code ${bean}} names. */
    static String beanOf(String expression) {
        String text = expression.trim();
        if (!text.startsWith("${") || !text.endsWith("}")) {
            throw new IllegalStateException("A phase names its delegate as ${bean}, not as " + expression);
        }
        return text.substring(2, text.length() - 1).trim();
    }

    private static Optional<BoundaryEvent> boundary(BpmnModelInstance model, String attachedTo, String prefix) {
        return model.getModelElementsByType(BoundaryEvent.class).stream()
                .filter(event -> event.getAttachedTo().getId().equals(attachedTo))
                .filter(event -> event.getId().startsWith(prefix))
                .findFirst();
    }

    private static Duration duration(BoundaryEvent event) {
        return event.getEventDefinitions().stream()
                .filter(TimerEventDefinition.class::isInstance)
                .map(TimerEventDefinition.class::cast)
                .map(timer ->
                        Duration.parse(timer.getTimeDuration().getTextContent().trim()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(event.getId() + " has no timer duration"));
    }

    /** In the order of the sequence flows: what leads to a phase stands before it, whichever way is longer. */
    private static List<SubProcess> inOrder(BpmnModelInstance model) {
        Deque<FlowNode> ordered = new ArrayDeque<>();
        Set<FlowNode> seen = new HashSet<>();
        model.getModelElementsByType(StartEvent.class).stream()
                .filter(start -> !(start.getParentElement() instanceof SubProcess))
                .forEach(start -> visit(start, seen, ordered));
        return ordered.stream()
                .filter(SubProcess.class::isInstance)
                .map(SubProcess.class::cast)
                .filter(subProcess -> subProcess.getId().startsWith(PHASE_PREFIX))
                .toList();
    }

    /** Puts a node before all that follow it. */
    private static void visit(FlowNode node, Set<FlowNode> seen, Deque<FlowNode> ordered) {
        if (seen.add(node)) {
            Collection<FlowNode> next = node.getSucceedingNodes().list();
            next.forEach(following -> visit(following, seen, ordered));
            ordered.addFirst(node);
        }
    }
}
