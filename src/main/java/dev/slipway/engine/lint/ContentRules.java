package dev.slipway.engine.lint;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.bpmn.impl.BpmnModelConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/**
 * Nothing in the diagram can run code.
 *
 * <p>Everything that is not known to be harmless is refused: the engine evaluates expressions in many places (names of
 * user tasks, default values of form fields, due dates), and reads the extensions of its ancestor's namespace as well.
 */
final class ContentRules {

    private static final String BPMN = BpmnModelConstants.BPMN20_NS;
    private static final String CAMUNDA = BpmnModelConstants.CAMUNDA_NS;
    private static final String XMLNS = "http://www.w3.org/2000/xmlns/";
    private static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";

    /** Pictures, colours and notes of the editor: the engine reads coordinates only. */
    private static final Set<String> DRAWING = Set.of(
            BpmnModelConstants.BPMNDI_NS,
            "http://www.omg.org/spec/DD/20100524/DC",
            "http://www.omg.org/spec/DD/20100524/DI",
            "http://camunda.org/schema/modeler/1.0",
            "http://bpmn.io/schema/bpmn/biocolor/1.0",
            "http://www.omg.org/spec/BPMN/non-normative/color/1.0");

    private static final Set<String> BPMN_ELEMENTS = Set.of(
            "definitions",
            "process",
            "subProcess",
            "callActivity",
            "documentation",
            "extensionElements",
            "incoming",
            "outgoing",
            "startEvent",
            "endEvent",
            "boundaryEvent",
            "serviceTask",
            "userTask",
            "exclusiveGateway",
            "parallelGateway",
            "sequenceFlow",
            "conditionExpression",
            "timerEventDefinition",
            "timeDuration",
            "messageEventDefinition",
            "errorEventDefinition",
            "escalationEventDefinition",
            "message",
            "error",
            "escalation",
            "textAnnotation",
            "text",
            "association");

    private static final Set<String> CAMUNDA_ELEMENTS =
            Set.of("properties", "property", "formData", "formField", "validation", "constraint", "value");

    private static final Set<String> FORM_CONSTRAINTS =
            Set.of("required", "readonly", "min", "max", "minlength", "maxlength");

    private static final Map<String, Set<String>> CAMUNDA_ATTRIBUTES = Map.of(
            "process", Set.of("versionTag", "historyTimeToLive", "isStartableInTasklist"),
            "serviceTask", Set.of("delegateExpression"),
            "userTask", Set.of("candidateGroups", "candidateUsers", "assignee", "priority"),
            "errorEventDefinition", Set.of("errorCodeVariable", "errorMessageVariable"),
            "escalationEventDefinition", Set.of("escalationCodeVariable"));

    private static final Set<String> TEMPLATE_ATTRIBUTES =
            Set.of("modelerTemplate", "modelerTemplateVersion", "modelerTemplateIcon");

    private static final Set<String> REFUSED_PLAIN_ATTRIBUTES = Set.of("language", "scriptFormat", "operationRef");

    private static final Pattern EXPRESSION = Pattern.compile("[$#]\\{");
    private static final Pattern BEAN = Pattern.compile("\\$\\{([a-z][A-Za-z0-9]*)}");
    private static final Pattern CONDITION = Pattern.compile("\\$\\{[a-z][A-Za-z0-9]* (==|!=) '[A-Za-z0-9 ._-]*'}");

    private final Set<String> phaseBeans;
    private final Set<String> supportBeans;
    private final Findings findings;

    ContentRules(Set<String> phaseBeans, Set<String> supportBeans, Findings findings) {
        this.phaseBeans = phaseBeans;
        this.supportBeans = supportBeans;
        this.findings = findings;
    }

    void check(BpmnModelInstance model) {
        Node node = model.getDocument().getDomSource().getNode();
        for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element) {
                checkElement(element);
            }
        }
    }

    private void checkElement(Element element) {
        String namespace = element.getNamespaceURI();
        if (namespace != null && DRAWING.contains(namespace)) {
            refuseProcessBelow(element);
            return;
        }
        String name = element.getLocalName();
        boolean known = (BPMN.equals(namespace) && BPMN_ELEMENTS.contains(name))
                || (CAMUNDA.equals(namespace) && CAMUNDA_ELEMENTS.contains(name));
        if (!known) {
            add(LintRule.ELEMENT_ALLOWED, element, "the element " + element.getNodeName() + " is not allowed.");
            return;
        }
        if (CAMUNDA.equals(namespace)
                && name.equals("constraint")
                && !FORM_CONSTRAINTS.contains(element.getAttribute("name"))) {
            add(
                    LintRule.ELEMENT_ALLOWED,
                    element,
                    "the form constraint " + element.getAttribute("name") + " is not allowed.");
        }
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            checkAttribute(element, (Attr) attributes.item(i));
        }
        checkText(element);
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element inner) {
                checkElement(inner);
            }
        }
    }

    private void checkAttribute(Element element, Attr attribute) {
        if (!isAllowed(element, attribute)) {
            add(
                    LintRule.ATTRIBUTE_ALLOWED,
                    element,
                    "the attribute " + attribute.getName() + "=\"" + attribute.getValue() + "\" of "
                            + element.getNodeName() + " is not allowed.");
        } else if (isDelegate(attribute)) {
            checkDelegate(element, attribute.getValue());
        } else if (EXPRESSION.matcher(attribute.getValue()).find()) {
            add(
                    LintRule.EXPRESSION_ALLOWED,
                    element,
                    "the attribute " + attribute.getName() + " holds the expression " + attribute.getValue() + ".");
        }
    }

    private static boolean isAllowed(Element element, Attr attribute) {
        String namespace = attribute.getNamespaceURI();
        if (namespace == null) {
            return !REFUSED_PLAIN_ATTRIBUTES.contains(attribute.getName());
        }
        String name = attribute.getLocalName();
        return switch (namespace) {
            case XMLNS -> true;
            case XSI -> name.equals("type") && attribute.getValue().endsWith("tFormalExpression");
            case CAMUNDA ->
                TEMPLATE_ATTRIBUTES.contains(name)
                        || CAMUNDA_ATTRIBUTES
                                .getOrDefault(element.getLocalName(), Set.of())
                                .contains(name);
            default -> DRAWING.contains(namespace);
        };
    }

    private static boolean isDelegate(Attr attribute) {
        return CAMUNDA.equals(attribute.getNamespaceURI()) && "delegateExpression".equals(attribute.getLocalName());
    }

    private void checkDelegate(Element element, String expression) {
        var matcher = BEAN.matcher(expression);
        if (!matcher.matches()) {
            add(LintRule.EXPRESSION_ALLOWED, element, "the delegate " + expression + " is not of the form ${bean}.");
        } else if (!phaseBeans.contains(matcher.group(1)) && !supportBeans.contains(matcher.group(1))) {
            add(LintRule.EXPRESSION_ALLOWED, element, "there is no delegate " + matcher.group(1) + ".");
        }
    }

    /** The engine joins text, CDATA sections and what stands around comments: so does this. */
    private void checkText(Element element) {
        StringBuilder joined = new StringBuilder();
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeType() == Node.TEXT_NODE || child.getNodeType() == Node.CDATA_SECTION_NODE) {
                joined.append(child.getNodeValue());
            }
        }
        String text = joined.toString().trim();
        if (element.getLocalName().equals("conditionExpression")) {
            if (!CONDITION.matcher(text).matches()) {
                add(
                        LintRule.EXPRESSION_ALLOWED,
                        element,
                        "the condition " + text + " is not of the form" + " ${name == 'text'}.");
            }
        } else if (!element.getLocalName().equals("documentation")
                && EXPRESSION.matcher(text).find()) {
            add(LintRule.EXPRESSION_ALLOWED, element, element.getNodeName() + " holds the expression " + text + ".");
        }
    }

    private void refuseProcessBelow(Element element) {
        if (element.getElementsByTagNameNS(BPMN, "*").getLength() > 0
                || element.getElementsByTagNameNS(CAMUNDA, "*").getLength() > 0) {
            add(LintRule.ELEMENT_ALLOWED, element, "the picture holds elements of the process.");
        }
    }

    private void add(LintRule rule, Element element, String message) {
        findings.add(rule, nearestId(element), message);
    }

    private static String nearestId(Element element) {
        for (@Nullable Node node = element; node instanceof Element at; node = node.getParentNode()) {
            if (!at.getAttribute("id").isEmpty()) {
                return at.getAttribute("id");
            }
        }
        return "definitions";
    }
}
