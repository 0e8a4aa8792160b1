package dev.slipway.engine.lint;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.bpmn.instance.Association;
import org.camunda.bpm.model.bpmn.instance.BaseElement;
import org.camunda.bpm.model.bpmn.instance.BoundaryEvent;
import org.camunda.bpm.model.bpmn.instance.CallActivity;
import org.camunda.bpm.model.bpmn.instance.EndEvent;
import org.camunda.bpm.model.bpmn.instance.ExclusiveGateway;
import org.camunda.bpm.model.bpmn.instance.FlowNode;
import org.camunda.bpm.model.bpmn.instance.Gateway;
import org.camunda.bpm.model.bpmn.instance.Process;
import org.camunda.bpm.model.bpmn.instance.SequenceFlow;
import org.camunda.bpm.model.bpmn.instance.StartEvent;
import org.camunda.bpm.model.bpmn.instance.SubProcess;
import org.camunda.bpm.model.bpmn.instance.Task;
import org.camunda.bpm.model.bpmn.instance.TextAnnotation;
import org.camunda.bpm.model.bpmn.instance.bpmndi.BpmnEdge;
import org.camunda.bpm.model.bpmn.instance.bpmndi.BpmnShape;
import org.jspecify.annotations.Nullable;

/** The process is complete: its settings, ids, names, connections and picture. */
final class ProcessRules {

    private static final Pattern KEBAB = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final Pattern FLOW = Pattern.compile("cluster(-[a-z0-9]+)+");
    private static final String OBJECT = "[a-z][A-Za-z0-9]*";

    private final Findings findings;

    ProcessRules(Findings findings) {
        this.findings = findings;
    }

    void check(BpmnModelInstance model) {
        checkSettings(model.getModelElementsByType(Process.class));
        for (FlowNode node : model.getModelElementsByType(FlowNode.class)) {
            checkId(node);
            checkLabel(node);
            checkConnections(node);
            if (node instanceof CallActivity call) {
                checkCall(call);
            }
        }
        for (ExclusiveGateway gateway : model.getModelElementsByType(ExclusiveGateway.class)) {
            checkDefault(gateway);
        }
        for (SequenceFlow flow : model.getModelElementsByType(SequenceFlow.class)) {
            if (flow.getConditionExpression() != null && !(flow.getSource() instanceof ExclusiveGateway)) {
                findings.add(
                        LintRule.EXPRESSION_ALLOWED, flow, "has a condition but does not leave an exclusive gateway.");
            }
        }
        checkPicture(model);
    }

    private void checkSettings(Collection<Process> processes) {
        if (processes.size() != 1) {
            findings.add(
                    LintRule.PROCESS_SETTINGS, "definitions", "there are " + processes.size() + " processes, not one.");
        }
        for (Process process : processes) {
            if (!process.isExecutable()) {
                findings.add(LintRule.PROCESS_SETTINGS, process, "the process is not executable.");
            }
            if (!KEBAB.matcher(Findings.idOf(process)).matches()) {
                findings.add(LintRule.PROCESS_SETTINGS, process, "the process id is not kebab case.");
            }
            if (isBlank(process.getCamundaHistoryTimeToLiveString())) {
                findings.add(LintRule.PROCESS_SETTINGS, process, "the process has no history time to live.");
            }
            if (isBlank(process.getCamundaVersionTag())) {
                findings.add(LintRule.PROCESS_SETTINGS, process, "the process has no version tag.");
            }
        }
    }

    private void checkCall(CallActivity call) {
        String called = call.getCalledElement();
        if (called == null || !FLOW.matcher(called).matches()) {
            findings.add(LintRule.CALLED_FLOW, call, "it calls \"" + called + "\", which is no flow of clusters.");
        }
        boolean bounded = call.getModelInstance().getModelElementsByType(BoundaryEvent.class).stream()
                .anyMatch(event -> call.equals(((BoundaryEvent) event).getAttachedTo()));
        if (bounded) {
            findings.add(LintRule.CALLED_FLOW, call, "a boundary event is attached to it.");
        }
    }

    private void checkId(FlowNode node) {
        String prefix = prefixOf(node);
        if (!prefix.isEmpty() && !Findings.idOf(node).matches(prefix + OBJECT)) {
            findings.add(LintRule.ELEMENT_ID, node, "the id does not match " + prefix + "<object>.");
        }
    }

    private static String prefixOf(FlowNode node) {
        if (node instanceof SubProcess subProcess) {
            return subProcess.triggeredByEvent() ? "on_" : "phase_";
        }
        if (node instanceof Task) {
            return "task_";
        }
        if (node instanceof CallActivity) {
            return "call_";
        }
        if (node instanceof Gateway) {
            return "gateway_";
        }
        if (node instanceof EndEvent) {
            return "end_";
        }
        return node instanceof BoundaryEvent ? "(requeue|stuck|recovered)_" : "";
    }

    private void checkLabel(FlowNode node) {
        boolean joins = node instanceof Gateway && node.getOutgoing().size() < 2;
        if (isBlank(node.getName()) && !joins) {
            findings.add(LintRule.ELEMENT_LABEL, node, "has no name.");
        } else if (node instanceof ExclusiveGateway && !joins && !node.getName().endsWith("?")) {
            findings.add(LintRule.ELEMENT_LABEL, node, "\"" + node.getName() + "\" is not a question.");
        }
    }

    private void checkConnections(FlowNode node) {
        boolean triggered = node instanceof SubProcess subProcess && subProcess.triggeredByEvent();
        boolean entry = triggered || node instanceof StartEvent || node instanceof BoundaryEvent;
        if (!entry && node.getIncoming().isEmpty()) {
            findings.add(LintRule.ELEMENT_CONNECTED, node, "cannot be reached.");
        }
        if (!triggered && !(node instanceof EndEvent) && node.getOutgoing().isEmpty()) {
            findings.add(LintRule.ELEMENT_CONNECTED, node, "cannot be left.");
        }
    }

    private void checkDefault(ExclusiveGateway gateway) {
        if (gateway.getOutgoing().size() < 2) {
            return;
        }
        SequenceFlow otherwise = gateway.getDefault();
        if (otherwise == null) {
            findings.add(LintRule.ELEMENT_CONNECTED, gateway, "has no default flow.");
        }
        for (SequenceFlow flow : gateway.getOutgoing()) {
            if (!flow.equals(otherwise) && flow.getConditionExpression() == null) {
                findings.add(LintRule.ELEMENT_CONNECTED, flow, "is neither the default flow nor has a condition.");
            }
        }
    }

    private void checkPicture(BpmnModelInstance model) {
        Set<String> drawn = new HashSet<>();
        for (BpmnShape shape : model.getModelElementsByType(BpmnShape.class)) {
            if (shape.getBpmnElement() != null && shape.getBounds() != null) {
                drawn.add(shape.getBpmnElement().getId());
            }
        }
        for (BpmnEdge edge : model.getModelElementsByType(BpmnEdge.class)) {
            if (edge.getBpmnElement() != null && edge.getWaypoints().size() > 1) {
                drawn.add(edge.getBpmnElement().getId());
            }
        }
        checkDrawn(model.getModelElementsByType(FlowNode.class), drawn);
        checkDrawn(model.getModelElementsByType(SequenceFlow.class), drawn);
        checkDrawn(model.getModelElementsByType(TextAnnotation.class), drawn);
        checkDrawn(model.getModelElementsByType(Association.class), drawn);
    }

    private void checkDrawn(Collection<? extends BaseElement> elements, Set<String> drawn) {
        for (BaseElement element : elements) {
            if (!drawn.contains(element.getId())) {
                findings.add(LintRule.ELEMENT_DRAWN, element, "is not in the picture.");
            }
        }
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }
}
