package dev.slipway.engine.lint;

import dev.slipway.kernel.FlowKinds;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.bpmn.instance.BoundaryEvent;
import org.camunda.bpm.model.bpmn.instance.ErrorEventDefinition;
import org.camunda.bpm.model.bpmn.instance.EscalationEventDefinition;
import org.camunda.bpm.model.bpmn.instance.EventDefinition;
import org.camunda.bpm.model.bpmn.instance.MessageEventDefinition;
import org.camunda.bpm.model.bpmn.instance.Process;
import org.camunda.bpm.model.bpmn.instance.StartEvent;
import org.camunda.bpm.model.bpmn.instance.SubProcess;
import org.camunda.bpm.model.bpmn.instance.UserTask;

/** The ways out of the chain of phases exist once each: operator, deletion, abort. */
final class PathRules {

    private static final String PHASE_STUCK = "phase-stuck";
    private static final String PHASE_RECOVERED = "phase-recovered";
    private static final String DELETE_REQUESTED = "delete-requested";
    private static final String ABORTED = "aborted";

    private final Findings findings;

    PathRules(Findings findings) {
        this.findings = findings;
    }

    static boolean isPhaseStuck(EscalationEventDefinition definition) {
        return definition.getEscalation() != null
                && PHASE_STUCK.equals(definition.getEscalation().getEscalationCode());
    }

    void check(BpmnModelInstance model) {
        for (Process process : model.getModelElementsByType(Process.class)) {
            checkOperatorPath(process);
            checkDeletePath(process);
            checkAbortPath(process);
        }
    }

    private void checkOperatorPath(Process process) {
        List<StartEvent> starts = starts(
                process,
                definition -> definition instanceof EscalationEventDefinition escalation && isPhaseStuck(escalation));
        if (starts.size() != 1) {
            findings.add(
                    LintRule.OPERATOR_PATH,
                    process,
                    starts.size() + " event sub-processes are started by the escalation " + PHASE_STUCK + ", not one.");
        }
        for (StartEvent start : starts) {
            if (start.isInterrupting()) {
                findings.add(LintRule.OPERATOR_PATH, start, "interrupts the phase, which must go on trying.");
            }
            if (!hasOperatorTask((SubProcess) start.getParentElement())) {
                findings.add(
                        LintRule.OPERATOR_PATH,
                        start.getParentElement().getAttributeValue("id"),
                        "there is no user task that the message " + PHASE_RECOVERED + " interrupts.");
            }
        }
    }

    private static boolean hasOperatorTask(SubProcess path) {
        return path.getFlowElements().stream()
                .filter(BoundaryEvent.class::isInstance)
                .map(BoundaryEvent.class::cast)
                .anyMatch(event -> event.getAttachedTo() instanceof UserTask
                        && event.cancelActivity()
                        && has(event.getEventDefinitions(), definition -> isMessage(definition, PHASE_RECOVERED)));
    }

    private void checkDeletePath(Process process) {
        List<StartEvent> starts = starts(process, definition -> isMessage(definition, DELETE_REQUESTED));
        boolean deletes = starts.isEmpty() && FlowKinds.isDeletion(Findings.idOf(process));
        if (starts.size() != 1 && !deletes) {
            findings.add(
                    LintRule.DELETE_PATH,
                    process,
                    starts.size() + " event sub-processes are started by the message " + DELETE_REQUESTED
                            + ", not one.");
        }
        for (StartEvent start : starts) {
            if (!start.isInterrupting()) {
                findings.add(LintRule.DELETE_PATH, start, "does not interrupt: the flow would go on while deleting.");
            }
        }
    }

    private void checkAbortPath(Process process) {
        List<StartEvent> starts = starts(
                process,
                definition -> definition instanceof ErrorEventDefinition error
                        && error.getError() != null
                        && ABORTED.equals(error.getError().getErrorCode()));
        if (starts.size() != 1) {
            findings.add(
                    LintRule.ABORT_PATH,
                    process,
                    starts.size() + " event sub-processes are started by the error " + ABORTED + ", not one.");
        }
    }

    private static List<StartEvent> starts(Process process, Predicate<EventDefinition> wanted) {
        return process.getFlowElements().stream()
                .filter(SubProcess.class::isInstance)
                .map(SubProcess.class::cast)
                .filter(SubProcess::triggeredByEvent)
                .flatMap(path -> path.getFlowElements().stream())
                .filter(StartEvent.class::isInstance)
                .map(StartEvent.class::cast)
                .filter(start -> has(start.getEventDefinitions(), wanted))
                .toList();
    }

    private static boolean has(Collection<EventDefinition> definitions, Predicate<EventDefinition> wanted) {
        return definitions.size() == 1 && definitions.stream().anyMatch(wanted);
    }

    private static boolean isMessage(EventDefinition definition, String name) {
        return definition instanceof MessageEventDefinition message
                && message.getMessage() != null
                && name.equals(message.getMessage().getName());
    }
}
