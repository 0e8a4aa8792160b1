package dev.slipway.engine;

import dev.slipway.kernel.DiagramProperties;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.camunda.bpm.model.bpmn.Bpmn;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.bpmn.instance.Activity;
import org.camunda.bpm.model.bpmn.instance.BaseElement;
import org.camunda.bpm.model.bpmn.instance.BoundaryEvent;
import org.camunda.bpm.model.bpmn.instance.FlowNode;
import org.camunda.bpm.model.bpmn.instance.Process;
import org.camunda.bpm.model.bpmn.instance.SequenceFlow;
import org.camunda.bpm.model.bpmn.instance.ServiceTask;
import org.camunda.bpm.model.bpmn.instance.StartEvent;
import org.camunda.bpm.model.bpmn.instance.SubProcess;
import org.camunda.bpm.model.bpmn.instance.TimerEventDefinition;

/** Writes docs/phases.md from the diagrams: what operators look up is what runs. */
final class PhasesPage {

    private static final String HEAD =
            """
            # Phases

            <!-- Generated from bpmn/*.bpmn: change the diagram, then run
                 mvn test -DskipWeb -Dtest=DiagramDocsTest -Dslipway.regenerate=true -->

            Each flow is a chain of phases. A phase is repeated until what it guarantees holds; *requeue* is the pause
            between two looks unless the phase asks for another one, *stuck* is the time after which an operator is
            asked while it goes on trying. Both are timers in the diagram and can be changed there
            ([diagrams.md](diagrams.md)).
            """;

    private PhasesPage() {}

    /** Renders the page. */
    static String render(Collection<Path> diagrams) {
        StringBuilder page = new StringBuilder(HEAD);
        for (Path diagram : diagrams) {
            BpmnModelInstance model = Bpmn.readModelFromFile(new File(diagram.toString()));
            for (Process process : model.getModelElementsByType(Process.class)) {
                renderProcess(page, process);
            }
        }
        return page.toString();
    }

    private static void renderProcess(StringBuilder page, Process process) {
        page.append("\n## ")
                .append(process.getName())
                .append("\n\n")
                .append(documentation(process))
                .append("\n\n![")
                .append(process.getName())
                .append("](images/")
                .append(process.getId())
                .append(".png)\n\n")
                .append(
                        "| | phase | delegate | requeue | stuck | may be decided besides |\n|---|---|---|---|---|---|\n");
        List<SubProcess> phases = phasesInOrder(process);
        for (int i = 0; i < phases.size(); i++) {
            SubProcess phase = phases.get(i);
            page.append("| %d | [%s](#%s) | `%s` | %s | %s | %s |\n"
                    .formatted(
                            i + 1,
                            phase.getName(),
                            anchor(phase),
                            delegate(phase),
                            timer(task(phase)),
                            timer(phase),
                            property(phase, "slipway:choices")));
        }
        for (SubProcess phase : phases) {
            page.append("\n### ")
                    .append(phase.getName())
                    .append("\n\n`")
                    .append(delegate(phase))
                    .append("`, element `")
                    .append(phase.getId())
                    .append("`\n\n")
                    .append(documentation(phase))
                    .append('\n');
        }
    }

    /** The sub-processes in the order in which a token meets them first. */
    private static List<SubProcess> phasesInOrder(Process process) {
        Set<FlowNode> seen = new LinkedHashSet<>();
        Deque<FlowNode> next = new ArrayDeque<>();
        process.getChildElementsByType(StartEvent.class).forEach(next::add);
        while (!next.isEmpty()) {
            FlowNode node = next.remove();
            if (seen.add(node)) {
                node.getOutgoing().stream().map(SequenceFlow::getTarget).forEach(next::add);
            }
        }
        List<SubProcess> phases = new ArrayList<>();
        for (FlowNode node : seen) {
            if (node instanceof SubProcess phase) {
                phases.add(phase);
            }
        }
        return phases;
    }

    private static ServiceTask task(SubProcess phase) {
        return phase.getChildElementsByType(ServiceTask.class).iterator().next();
    }

    private static String delegate(SubProcess phase) {
        String bean = task(phase).getCamundaDelegateExpression().replaceAll("[${}]", "");
        return Character.toUpperCase(bean.charAt(0)) + bean.substring(1);
    }

    private static String timer(Activity activity) {
        return activity.getModelInstance().getModelElementsByType(BoundaryEvent.class).stream()
                .filter(event -> activity.equals(event.getAttachedTo()))
                .flatMap(event -> event.getEventDefinitions().stream())
                .filter(TimerEventDefinition.class::isInstance)
                .map(timer -> ((TimerEventDefinition) timer)
                        .getTimeDuration()
                        .getTextContent()
                        .trim())
                .map(PhasesPage::people)
                .collect(Collectors.collectingAndThen(Collectors.joining(), text -> text.isEmpty() ? "never" : text));
    }

    private static String people(String iso) {
        Duration duration = Duration.parse(iso);
        return duration.toSecondsPart() == 0 ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
    }

    private static String property(SubProcess phase, String name) {
        return DiagramProperties.of(phase)
                .filter(property -> name.equals(property.getCamundaName()))
                .map(property -> property.getCamundaValue())
                .collect(Collectors.joining());
    }

    private static String anchor(SubProcess phase) {
        return phase.getName().toLowerCase(java.util.Locale.ROOT).replace(' ', '-');
    }

    /** Angle brackets and asterisks of the text are not Markdown's. */
    private static String documentation(BaseElement element) {
        return element.getDocumentations().stream()
                .map(text -> text.getTextContent().trim())
                .collect(Collectors.joining("\n\n"))
                .replace("<", "\\<")
                .replace("*", "\\*");
    }
}
