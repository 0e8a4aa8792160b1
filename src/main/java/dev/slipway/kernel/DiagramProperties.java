package dev.slipway.kernel;

import java.util.stream.Stream;
import org.camunda.bpm.model.bpmn.instance.BaseElement;
import org.camunda.bpm.model.bpmn.instance.camunda.CamundaProperties;
import org.camunda.bpm.model.bpmn.instance.camunda.CamundaProperty;

/** The extension properties that a diagram gives its elements. */
public final class DiagramProperties {

    private DiagramProperties() {}

    /** All properties of an element; none if it has no extensions. */
    public static Stream<CamundaProperty> of(BaseElement element) {
        if (element.getExtensionElements() == null) {
            return Stream.empty();
        }
        return element.getExtensionElements().getElementsQuery().filterByType(CamundaProperties.class).list().stream()
                .flatMap(properties -> properties.getCamundaProperties().stream());
    }

    /** The values of one property, split at commas, without blanks around them. */
    public static Stream<String> words(BaseElement element, String name) {
        return of(element)
                .filter(property -> name.equals(property.getCamundaName()))
                .flatMap(property -> Stream.of(property.getCamundaValue().split(",", -1)))
                .map(String::trim);
    }
}
