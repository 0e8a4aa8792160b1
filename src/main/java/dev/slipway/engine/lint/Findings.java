package dev.slipway.engine.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.camunda.bpm.model.bpmn.instance.BaseElement;

/** Collects findings. */
final class Findings {

    private final List<Finding> found = new ArrayList<>();

    void add(LintRule rule, BaseElement element, String message) {
        String id = idOf(element);
        add(rule, id.isEmpty() ? element.getElementType().getTypeName() : id, message);
    }

    void add(LintRule rule, String elementId, String message) {
        found.add(new Finding(elementId, rule.id(), message, rule.remedy()));
    }

    /** The id, or nothing if the file gives none. */
    static String idOf(BaseElement element) {
        return Objects.requireNonNullElse(element.getId(), "");
    }

    List<Finding> all() {
        return List.copyOf(found);
    }
}
