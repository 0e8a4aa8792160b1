package dev.slipway.kernel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.camunda.bpm.engine.delegate.VariableScope;
import org.camunda.bpm.engine.form.FormField;
import org.camunda.bpm.engine.form.TaskFormData;
import org.camunda.bpm.engine.impl.bpmn.parser.BpmnParse;
import org.camunda.bpm.engine.impl.form.FormFieldImpl;
import org.camunda.bpm.engine.impl.form.handler.TaskFormHandler;
import org.camunda.bpm.engine.impl.form.type.EnumFormType;
import org.camunda.bpm.engine.impl.persistence.entity.DeploymentEntity;
import org.camunda.bpm.engine.impl.persistence.entity.ProcessDefinitionEntity;
import org.camunda.bpm.engine.impl.persistence.entity.TaskEntity;
import org.camunda.bpm.engine.impl.util.xml.Element;
import org.camunda.bpm.engine.variable.VariableMap;
import org.jspecify.annotations.Nullable;

/**
 * The form of the operator's task: as drawn, but with only those choices that the stuck phase allows.
 *
 * <p>Its fields: {@code decision}, {@code from}, {@code duration}, {@code override}, {@code argument}, {@code reason}.
 */
final class DecisionForm implements TaskFormHandler {

    private static final String DECISION = "decision";
    private static final String FROM = "from";
    private static final String DURATION = "duration";
    private static final String REASON = "reason";
    private static final String OVERRIDE = "override";
    private static final String ARGUMENT = "argument";

    /** The fields' names. */
    static final List<String> FIELDS = List.of(DECISION, FROM, DURATION, REASON, OVERRIDE, ARGUMENT);

    private final TaskFormHandler drawn;
    private final Function<String, List<Choice>> choices;

    /**
     * Makes the form.
     *
     * @param drawn what the diagram says
     * @param choices what may be decided about a run
     */
    DecisionForm(TaskFormHandler drawn, Function<String, List<Choice>> choices) {
        this.drawn = drawn;
        this.choices = choices;
    }

    @Override
    public TaskFormData createTaskForm(TaskEntity task) {
        TaskFormData form = drawn.createTaskForm(task);
        Object runId = task.getExecution().getVariable(FlowVariables.STUCK_RUN);
        if (runId != null) {
            List<Choice> allowed = choices.apply((String) runId);
            for (FormField field : form.getFormFields()) {
                if (field.getId().equals(DECISION) && field instanceof FormFieldImpl changeable) {
                    changeable.setType(new EnumFormType(labels(allowed, field)));
                }
            }
        }
        return form;
    }

    /** The labels that the diagram gives, in its order; the choices' own where it gives none. */
    private static Map<String, String> labels(List<Choice> allowed, FormField field) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (field.getType().getInformation("values") instanceof Map<?, ?> all) {
            all.forEach((name, label) -> {
                if (allowed.stream().anyMatch(choice -> choice.name().equals(name))) {
                    labels.put(String.valueOf(name), String.valueOf(label));
                }
            });
        }
        allowed.forEach(choice -> labels.putIfAbsent(choice.name(), choice.label()));
        return labels;
    }

    @Override
    public void parseConfiguration(
            Element element, DeploymentEntity deployment, ProcessDefinitionEntity definition, BpmnParse parse) {
        drawn.parseConfiguration(element, deployment, definition, parse);
    }

    @Override
    public void submitFormVariables(VariableMap properties, VariableScope scope) {
        drawn.submitFormVariables(properties, scope);
    }

    /** What the fields of the completed form say. */
    static Decision.Wish wish(VariableScope form) {
        String choice = text(form, DECISION);
        return new Decision.Wish(
                choice == null ? Choice.RETRY : Choice.named(choice, DECISION),
                text(form, FROM),
                Decision.Wish.parseDuration(text(form, DURATION)),
                text(form, REASON),
                Boolean.TRUE.equals(form.getVariable(OVERRIDE)),
                text(form, ARGUMENT));
    }

    private static @Nullable String text(VariableScope form, String name) {
        String value = Objects.toString(form.getVariable(name), "").strip();
        return value.isEmpty() ? null : value;
    }
}
