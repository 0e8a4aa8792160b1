package dev.slipway.kernel;

import java.util.function.Supplier;
import org.camunda.bpm.engine.delegate.ExecutionListener;
import org.camunda.bpm.engine.delegate.TaskListener;
import org.camunda.bpm.engine.impl.bpmn.behavior.CallActivityBehavior;
import org.camunda.bpm.engine.impl.bpmn.behavior.UserTaskActivityBehavior;
import org.camunda.bpm.engine.impl.bpmn.helper.BpmnProperties;
import org.camunda.bpm.engine.impl.bpmn.parser.AbstractBpmnParseListener;
import org.camunda.bpm.engine.impl.core.model.CoreModelElement;
import org.camunda.bpm.engine.impl.persistence.entity.ExecutionEntity;
import org.camunda.bpm.engine.impl.persistence.entity.ProcessDefinitionEntity;
import org.camunda.bpm.engine.impl.pvm.process.ActivityImpl;
import org.camunda.bpm.engine.impl.pvm.process.ScopeImpl;
import org.camunda.bpm.engine.impl.task.TaskDefinition;
import org.camunda.bpm.engine.impl.util.xml.Element;
import org.jspecify.annotations.Nullable;

/**
 * Gives the elements of the phase pattern their behavior while a diagram is parsed.
 *
 * <p>All by built-in listeners, which also run when somebody deletes an instance and asks to skip listeners.
 */
final class PhaseParseListener extends AbstractBpmnParseListener {

    private final Supplier<PhaseTokens> tokens;
    private final Supplier<Escalations> escalations;
    private final Supplier<FlowEnds> ends;

    PhaseParseListener(Supplier<PhaseTokens> tokens, Supplier<Escalations> escalations, Supplier<FlowEnds> ends) {
        this.tokens = tokens;
        this.escalations = escalations;
        this.ends = ends;
    }

    @Override
    public void parseProcess(Element element, ProcessDefinitionEntity definition) {
        if (FlowKinds.isFlow(definition.getKey())) {
            listen(definition, ExecutionListener.EVENTNAME_START, e -> ends.get()
                    .called((ExecutionEntity) e));
            listen(definition, ExecutionListener.EVENTNAME_END, e -> ends.get().ended(e.getProcessInstanceId()));
        }
    }

    @Override
    public void parseServiceTask(Element element, ScopeImpl scope, ActivityImpl activity) {
        if (scope.getId().startsWith(PhaseCatalog.PHASE_PREFIX)) {
            activity.setActivityBehavior(new PhaseBehavior(tokens));
        }
    }

    @Override
    public void parseCallActivity(Element element, ScopeImpl scope, ActivityImpl activity) {
        if (activity.getActivityBehavior() instanceof CallActivityBehavior drawn) {
            activity.setActivityBehavior(new FlowCallBehavior(drawn, ends));
        }
    }

    @Override
    public void parseSubProcess(Element element, ScopeImpl scope, ActivityImpl activity) {
        if (activity.getId().startsWith(PhaseCatalog.PHASE_PREFIX)) {
            listen(activity, ExecutionListener.EVENTNAME_END, e -> tokens.get().left((ExecutionEntity) e));
        }
    }

    @Override
    public void parseBoundaryEvent(Element element, ScopeImpl scope, ActivityImpl activity) {
        if (activity.getId().startsWith(PhaseCatalog.STUCK_PREFIX)) {
            String phase = element.attribute("attachedToRef");
            listen(activity, ExecutionListener.EVENTNAME_START, e -> escalations
                    .get()
                    .stuckTimerFired(e, phase));
        }
    }

    @Override
    public void parseUserTask(Element element, ScopeImpl scope, ActivityImpl activity) {
        if (activity.getActivityBehavior() instanceof UserTaskActivityBehavior behavior) {
            TaskDefinition definition = behavior.getTaskDefinition();
            definition.setTaskFormHandler(new DecisionForm(
                    definition.getTaskFormHandler(), run -> escalations.get().choices(run)));
            definition.addBuiltInTaskListener(
                    TaskListener.EVENTNAME_CREATE, task -> escalations.get().describe(task));
        }
    }

    @Override
    public void parseEndEvent(Element element, ScopeImpl scope, ActivityImpl activity) {
        FlowState state = stateOf(scope);
        // An end event that throws the escalation ends a stuck timer's token, not the flow.
        if (state == null || element.element("escalationEventDefinition") != null) {
            return;
        }
        String name = element.attribute("name");
        String result = name == null ? activity.getId() : upperCamel(name);
        listen(activity, ExecutionListener.EVENTNAME_START, e -> ends.get()
                .ending(e.getProcessInstanceId(), state, result));
    }

    private static @Nullable FlowState stateOf(ScopeImpl scope) {
        if (scope instanceof ProcessDefinitionEntity) {
            return FlowState.COMPLETED;
        }
        if (scope instanceof ActivityImpl activity && activity.isTriggeredByEvent()) {
            String start = activity.getActivities().stream()
                    .map(child -> child.getProperties().get(BpmnProperties.TYPE))
                    .filter(type -> type != null && type.endsWith("StartEvent"))
                    .findFirst()
                    .orElse("");
            return switch (start) {
                case "messageStartEvent" -> FlowState.INTERRUPTED;
                case "errorStartEvent" -> FlowState.ABORTED;
                default -> null;
            };
        }
        return null;
    }

    private static String upperCamel(String name) {
        StringBuilder text = new StringBuilder();
        for (String word : name.trim().split("[^A-Za-z0-9]+", 0)) {
            if (!word.isEmpty()) {
                text.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
            }
        }
        return text.toString();
    }

    private static void listen(CoreModelElement element, String event, ExecutionListener listener) {
        element.addBuiltInListener(event, listener);
    }
}
