package dev.slipway.engine.lint;

import dev.slipway.kernel.Choice;
import dev.slipway.kernel.DiagramProperties;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.bpmn.instance.Activity;
import org.camunda.bpm.model.bpmn.instance.BoundaryEvent;
import org.camunda.bpm.model.bpmn.instance.EndEvent;
import org.camunda.bpm.model.bpmn.instance.EscalationEventDefinition;
import org.camunda.bpm.model.bpmn.instance.FlowElement;
import org.camunda.bpm.model.bpmn.instance.FlowNode;
import org.camunda.bpm.model.bpmn.instance.ServiceTask;
import org.camunda.bpm.model.bpmn.instance.StartEvent;
import org.camunda.bpm.model.bpmn.instance.SubProcess;
import org.camunda.bpm.model.bpmn.instance.TimerEventDefinition;
import org.camunda.bpm.model.bpmn.instance.camunda.CamundaProperty;

/** Every phase has the one shape: task, requeue timer, stuck timer, documentation, matching names. */
final class PhaseRules {

    private static final Pattern BEAN = Pattern.compile("\\$\\{([a-z][A-Za-z0-9]*)}");
    private static final String ENSURE = "ensure";

    private final Set<String> phaseBeans;
    private final Findings findings;

    PhaseRules(Set<String> phaseBeans, Findings findings) {
        this.phaseBeans = phaseBeans;
        this.findings = findings;
    }

    void check(BpmnModelInstance model) {
        Collection<SubProcess> subProcesses = model.getModelElementsByType(SubProcess.class);
        for (SubProcess subProcess : subProcesses) {
            if (!subProcess.triggeredByEvent()) {
                checkPhase(subProcess);
            }
        }
        for (ServiceTask task : model.getModelElementsByType(ServiceTask.class)) {
            boolean inPhase = task.getParentElement() instanceof SubProcess parent && !parent.triggeredByEvent();
            if (!inPhase && phaseBeans.contains(beanOf(task))) {
                findings.add(LintRule.PHASE_TASK, task, "the task of a phase stands outside of a phase.");
            }
        }
    }

    private void checkPhase(SubProcess phase) {
        if (phase.getDocumentations().stream()
                .allMatch(text -> text.getTextContent().isBlank())) {
            findings.add(LintRule.PHASE_DOCUMENTATION, phase, "the phase has no documentation.");
        }
        List<ServiceTask> tasks = children(phase, ServiceTask.class);
        if (tasks.size() != 1 || !hasPlainShape(phase)) {
            findings.add(
                    LintRule.PHASE_TASK,
                    phase,
                    "the phase must hold one start event, one service task, its requeue timer and end events only.");
        }
        if (tasks.size() == 1) {
            checkTask(phase, tasks.get(0));
        }
        checkStuckTimer(phase);
        checkChoices(phase);
    }

    private void checkChoices(SubProcess phase) {
        DiagramProperties.words(phase, Choice.DIAGRAM_PROPERTY)
                .filter(word -> Stream.of(Choice.values())
                        .noneMatch(choice ->
                                choice.onlyWhereDrawn() && choice.name().equals(word)))
                .forEach(word -> findings.add(LintRule.PHASE_CHOICES, phase, "there is no choice \"" + word + "\"."));
    }

    private static boolean hasPlainShape(SubProcess phase) {
        List<StartEvent> starts = children(phase, StartEvent.class);
        return starts.size() == 1
                && starts.get(0).getEventDefinitions().isEmpty()
                && children(phase, EndEvent.class).stream()
                        .anyMatch(end -> end.getEventDefinitions().isEmpty())
                && children(phase, FlowNode.class).stream()
                        .allMatch(node -> node instanceof StartEvent
                                || node instanceof EndEvent
                                || node instanceof ServiceTask
                                || node instanceof BoundaryEvent);
    }

    private void checkTask(SubProcess phase, ServiceTask task) {
        String bean = beanOf(task);
        if (!phaseBeans.contains(bean)) {
            String what =
                    bean.isEmpty() ? "the task has no delegate ${bean}." : "the delegate " + bean + " is no phase.";
            findings.add(LintRule.PHASE_TASK, task, what);
            return;
        }
        String object = bean.startsWith(ENSURE) && bean.length() > ENSURE.length()
                ? Character.toLowerCase(bean.charAt(ENSURE.length())) + bean.substring(ENSURE.length() + 1)
                : bean;
        if (!Findings.idOf(task).equals("task_" + bean)) {
            findings.add(LintRule.PHASE_NAME, task, "the id should be task_" + bean + ".");
        }
        if (!Findings.idOf(phase).equals("phase_" + object)) {
            findings.add(LintRule.PHASE_NAME, phase, "the id should be phase_" + object + ".");
        }
        checkRequeueTimer(task, object);
    }

    private void checkRequeueTimer(ServiceTask task, String object) {
        List<BoundaryEvent> attached = attachedTo(task);
        if (attached.size() != 1) {
            findings.add(
                    LintRule.REQUEUE_TIMER, task, "the task has " + attached.size() + " boundary events, not one.");
        }
        for (BoundaryEvent event : attached) {
            checkTimer(LintRule.REQUEUE_TIMER, event, true);
            if (event.getOutgoing().stream().anyMatch(flow -> !flow.getTarget().equals(task))) {
                findings.add(LintRule.REQUEUE_TIMER, event, "the flow does not lead back to the task.");
            }
            if (!Findings.idOf(event).equals("requeue_" + object)) {
                findings.add(LintRule.PHASE_NAME, event, "the id should be requeue_" + object + ".");
            }
        }
    }

    private void checkStuckTimer(SubProcess phase) {
        List<BoundaryEvent> attached = attachedTo(phase);
        int expected = neverEscalates(phase) ? 0 : 1;
        if (attached.size() != expected) {
            findings.add(
                    LintRule.STUCK_TIMER,
                    phase,
                    "the phase has " + attached.size() + " boundary events, not " + expected + ".");
        }
        for (BoundaryEvent event : attached) {
            checkTimer(LintRule.STUCK_TIMER, event, false);
            if (event.getOutgoing().stream().anyMatch(flow -> !escalates(flow.getTarget()))) {
                findings.add(LintRule.STUCK_TIMER, event, "the flow does not lead to an end event that escalates.");
            }
            String expectedId = Findings.idOf(phase).replaceFirst("^phase_", "stuck_");
            if (!Findings.idOf(event).equals(expectedId)) {
                findings.add(LintRule.PHASE_NAME, event, "the id should be " + expectedId + ".");
            }
        }
    }

    private void checkTimer(LintRule rule, BoundaryEvent event, boolean interrupting) {
        if (event.cancelActivity() != interrupting) {
            findings.add(rule, event, interrupting ? "does not interrupt." : "interrupts the phase.");
        }
        String duration = event.getEventDefinitions().stream()
                .filter(TimerEventDefinition.class::isInstance)
                .map(definition -> ((TimerEventDefinition) definition).getTimeDuration())
                .filter(text -> text != null)
                .map(text -> text.getTextContent().trim())
                .findFirst()
                .orElse("");
        if (event.getEventDefinitions().size() != 1 || !isLiteral(duration)) {
            findings.add(rule, event, "is not a timer with a literal duration (" + duration + ").");
        }
    }

    private static boolean isLiteral(String duration) {
        try {
            Duration parsed = Duration.parse(duration);
            return duration.startsWith("PT") && !parsed.isNegative() && !parsed.isZero();
        } catch (DateTimeParseException notIso) {
            return false;
        }
    }

    private static boolean escalates(FlowNode target) {
        return target instanceof EndEvent end
                && end.getEventDefinitions().stream()
                        .anyMatch(definition -> definition instanceof EscalationEventDefinition escalation
                                && PathRules.isPhaseStuck(escalation));
    }

    private static boolean neverEscalates(SubProcess phase) {
        return DiagramProperties.of(phase).anyMatch(PhaseRules::saysNever);
    }

    private static boolean saysNever(CamundaProperty property) {
        return "slipway:escalate".equals(property.getCamundaName()) && "never".equals(property.getCamundaValue());
    }

    private static List<BoundaryEvent> attachedTo(Activity activity) {
        return activity.getModelInstance().getModelElementsByType(BoundaryEvent.class).stream()
                .map(BoundaryEvent.class::cast)
                .filter(event -> activity.equals(event.getAttachedTo()))
                .toList();
    }

    private static <T extends FlowElement> List<T> children(SubProcess phase, Class<T> type) {
        return phase.getFlowElements().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private static String beanOf(ServiceTask task) {
        String expression = task.getCamundaDelegateExpression();
        var matcher = BEAN.matcher(expression == null ? "" : expression);
        return matcher.matches() ? matcher.group(1) : "";
    }
}
