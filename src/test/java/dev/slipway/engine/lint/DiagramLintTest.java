package dev.slipway.engine.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.camunda.bpm.model.bpmn.Bpmn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A good diagram passes; each way to spoil it is found, by the rule and at the element that it breaks. */
class DiagramLintTest {

    private static final Path GOOD = Path.of("src/test/resources/lint/good.bpmn");
    private static final Set<String> PHASES = Set.of("ensureCertificates", "ensureEndpoint", "ensureNotPaused");
    private static final Set<String> SUPPORT = Set.of("collectDiagnosis", "recordDecision", "recordFailure");

    /** One way to spoil the good diagram: what is replaced, and what the lint then says first. */
    record Spoiled(String how, String from, String to, LintRule rule, String elementId) {
        /** A word is renamed everywhere, anything else is replaced once. */
        String spoil(String good) {
            if (from.matches("\\w+")) {
                return good.replace(from, to);
            }
            int at = good.indexOf(from);
            return good.substring(0, at) + to + good.substring(at + from.length());
        }

        @Override
        public String toString() {
            return how;
        }
    }

    @Test
    void aGoodDiagramHasNoFindings() throws IOException {
        // when
        List<Finding> findings = lint("bpmn/good.bpmn", Files.readString(GOOD));

        // then
        assertThat(findings).isEmpty();
    }

    @Test
    void aFileThatIsNotNamedLikeItsProcessIsRefused() throws IOException {
        // when
        List<Finding> findings = lint("bpmn/better.bpmn", Files.readString(GOOD));

        // then
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("process-settings");
            assertThat(finding.text()).startsWith("good: the process in the file better.bpmn has the id good.");
        });
    }

    @Test
    void aDiagramThatDeletesNeedsNoWayToDelete() throws IOException {
        // given
        String without = Files.readString(GOOD).replace("name=\"delete-requested\"", "name=\"other\"");

        // then
        for (String deletion : List.of("cluster-delete", "work-item-delete")) {
            String diagram = without.replace("=\"good\"", "=\"" + deletion + "\"");
            assertThat(lint(deletion + ".bpmn", diagram)).isEmpty();
        }
        assertThat(lint("good.bpmn", without)).extracting(Finding::rule).containsExactly("delete-path");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spoiledDiagrams")
    void findsWhatIsWrong(Spoiled spoiled) throws IOException {
        // given
        String good = Files.readString(GOOD);
        assertThat(good).contains(spoiled.from());
        String bad = spoiled.spoil(good);

        // when
        List<Finding> findings = lint("good.bpmn", bad);

        // then
        assertThat(findings).as("findings of a diagram with %s", spoiled.how()).anySatisfy(finding -> {
            assertThat(finding.rule()).isEqualTo(spoiled.rule().id());
            assertThat(finding.elementId()).isEqualTo(spoiled.elementId());
            assertThat(finding.message()).isNotBlank();
            assertThat(finding.remedy()).isNotBlank();
        });
        assertThat(findings.stream().map(Finding::rule).collect(Collectors.toSet()))
                .as("rules broken by %s: %s", spoiled.how(), findings)
                .hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void everyRuleIsBrokenByACase() {
        // given
        Set<LintRule> broken = spoiledDiagrams().map(Spoiled::rule).collect(Collectors.toSet());

        // then
        assertThat(broken).containsExactlyInAnyOrder(LintRule.values());
    }

    static Stream<Spoiled> spoiledDiagrams() {
        return Stream.of(content(), settings(), phases(), paths()).flatMap(List::stream);
    }

    private static List<Spoiled> content() {
        String task = "camunda:delegateExpression=\"${ensureCertificates}\"";
        String endpoint = "<camunda:property name=\"slipway:choices\" value=\"SKIP\" />";
        return List.of(
                new Spoiled(
                        "a script task",
                        "<bpmn:endEvent id=\"end_planned\"",
                        "<bpmn:scriptTask id=\"task_x\""
                                + " name=\"x\" scriptFormat=\"js\"><bpmn:script>1</bpmn:script></bpmn:scriptTask>"
                                + "<bpmn:endEvent id=\"end_planned\"",
                        LintRule.ELEMENT_ALLOWED,
                        "task_x"),
                new Spoiled(
                        "an execution listener",
                        "<camunda:properties>",
                        "<camunda:executionListener" + " class=\"a.B\" event=\"start\" /><camunda:properties>",
                        LintRule.ELEMENT_ALLOWED,
                        "phase_endpoint"),
                new Spoiled(
                        "an input mapping with a script",
                        "<camunda:properties>",
                        "<camunda:inputOutput>"
                                + "<camunda:inputParameter name=\"a\"><camunda:script scriptFormat=\"js\">1"
                                + "</camunda:script></camunda:inputParameter></camunda:inputOutput>"
                                + "<camunda:properties>",
                        LintRule.ELEMENT_ALLOWED,
                        "phase_endpoint"),
                new Spoiled(
                        "a connector",
                        "<camunda:properties>",
                        "<camunda:connector><camunda:connectorId>http"
                                + "</camunda:connectorId></camunda:connector><camunda:properties>",
                        LintRule.ELEMENT_ALLOWED,
                        "phase_endpoint"),
                new Spoiled(
                        "an extension of the engine's ancestor",
                        "<camunda:properties>",
                        "<old:executionListener"
                                + " xmlns:old=\"http://activiti.org/bpmn\" class=\"a.B\" event=\"start\" />"
                                + "<camunda:properties>",
                        LintRule.ELEMENT_ALLOWED,
                        "phase_endpoint"),
                new Spoiled(
                        "a class as validator of a form field",
                        "<camunda:constraint name=\"required\" />",
                        "<camunda:constraint name=\"validator\" config=\"a.B\" />",
                        LintRule.ELEMENT_ALLOWED,
                        "decision"),
                new Spoiled(
                        "a timer that repeats",
                        "<bpmn:timeDuration xsi:type=\"bpmn:tFormalExpression\">PT5M" + "</bpmn:timeDuration>",
                        "<bpmn:timeCycle xsi:type=\"bpmn:tFormalExpression\">R/PT5M" + "</bpmn:timeCycle>",
                        LintRule.ELEMENT_ALLOWED,
                        "stuck_certificates_timer"),
                new Spoiled(
                        "a class as delegate",
                        task,
                        "camunda:class=\"java.lang.Runtime\"",
                        LintRule.ATTRIBUTE_ALLOWED,
                        "task_ensureCertificates"),
                new Spoiled(
                        "an expression as delegate",
                        task,
                        "camunda:expression=\"${a.b()}\"",
                        LintRule.ATTRIBUTE_ALLOWED,
                        "task_ensureCertificates"),
                new Spoiled(
                        "a class in the namespace of the engine's ancestor",
                        task,
                        task + " xmlns:old=\"http://activiti.org/bpmn\" old:class=\"a.B\"",
                        LintRule.ATTRIBUTE_ALLOWED,
                        "task_ensureCertificates"),
                new Spoiled(
                        "a condition in a script language",
                        "<bpmn:conditionExpression",
                        "<bpmn:conditionExpression language=\"javascript\"",
                        LintRule.ATTRIBUTE_ALLOWED,
                        "flow_toPlanned"),
                new Spoiled(
                        "a method call in a delegate",
                        task,
                        "camunda:delegateExpression=\"${a.getB()}\"",
                        LintRule.EXPRESSION_ALLOWED,
                        "task_ensureCertificates"),
                new Spoiled(
                        "an unknown delegate",
                        "${recordFailure}",
                        "${runtimeService}",
                        LintRule.EXPRESSION_ALLOWED,
                        "task_recordFailure"),
                new Spoiled(
                        "a method call in a condition",
                        "${dryRun == 'true'}",
                        "${''.getClass() != null}",
                        LintRule.EXPRESSION_ALLOWED,
                        "flow_toPlanned"),
                new Spoiled(
                        "a condition that does not leave a gateway",
                        "targetRef=\"gateway_dryRun\" />",
                        "targetRef=\"gateway_dryRun\"><bpmn:conditionExpression>${a == 'b'}"
                                + "</bpmn:conditionExpression></bpmn:sequenceFlow>",
                        LintRule.EXPRESSION_ALLOWED,
                        "flow_toDryRun"),
                new Spoiled(
                        "an expression as name",
                        "name=\"Operator decides\"",
                        "name=\"#{a.b()}\"",
                        LintRule.EXPRESSION_ALLOWED,
                        "task_operatorDecides"),
                new Spoiled(
                        "an expression as default value",
                        "defaultValue=\"RETRY\"",
                        "defaultValue=\"${a.b()}\"",
                        LintRule.EXPRESSION_ALLOWED,
                        "decision"),
                new Spoiled(
                        "an expression in a property",
                        endpoint,
                        "<camunda:property name=\"a\" value=\"${b}\" />",
                        LintRule.EXPRESSION_ALLOWED,
                        "phase_endpoint"),
                new Spoiled(
                        "an expression that is split by CDATA",
                        ">PT15M<",
                        ">$<![CDATA[{a.b()}]]><",
                        LintRule.EXPRESSION_ALLOWED,
                        "stuck_endpoint_timer"));
    }

    private static List<Spoiled> settings() {
        return List.of(
                new Spoiled(
                        "no history time to live",
                        " camunda:historyTimeToLive=\"P30D\"",
                        "",
                        LintRule.PROCESS_SETTINGS,
                        "good"),
                new Spoiled("no version tag", " camunda:versionTag=\"1\"", "", LintRule.PROCESS_SETTINGS, "good"),
                new Spoiled(
                        "a process that cannot run",
                        "isExecutable=\"true\"",
                        "isExecutable=\"false\"",
                        LintRule.PROCESS_SETTINGS,
                        "good"),
                new Spoiled(
                        "an id that Modeler made up",
                        "end_planned",
                        "Event_0abc12",
                        LintRule.ELEMENT_ID,
                        "Event_0abc12"),
                new Spoiled(
                        "an event without a label",
                        "id=\"end_planned\" name=\"Planned\"",
                        "id=\"end_planned\"",
                        LintRule.ELEMENT_LABEL,
                        "end_planned"),
                new Spoiled(
                        "a gateway that does not ask",
                        "name=\"Dry run?\"",
                        "name=\"Dry run\"",
                        LintRule.ELEMENT_LABEL,
                        "gateway_dryRun"),
                new Spoiled(
                        "an element that is not drawn",
                        "bpmnElement=\"end_planned\"",
                        "bpmnElement=\"end_ready\"",
                        LintRule.ELEMENT_DRAWN,
                        "end_planned"),
                new Spoiled(
                        "a flow that is not drawn",
                        "bpmnElement=\"flow_toPlanned\"",
                        "bpmnElement=\"flow_toReady\"",
                        LintRule.ELEMENT_DRAWN,
                        "flow_toPlanned"),
                new Spoiled(
                        "a gateway without a default",
                        " default=\"flow_toImport\"",
                        "",
                        LintRule.ELEMENT_CONNECTED,
                        "gateway_dryRun"),
                new Spoiled(
                        "an element that nothing leads to",
                        "<bpmn:incoming>flow_toPlanned</bpmn:incoming>",
                        "",
                        LintRule.ELEMENT_CONNECTED,
                        "end_planned"));
    }

    private static List<Spoiled> phases() {
        String requeue = "id=\"requeue_certificates\" name=\"requeue after 2 s\"";
        String stuck = "name=\"stuck after 5 min\" cancelActivity=\"false\"";
        return List.of(
                new Spoiled(
                        "a delegate that is no phase",
                        "${ensureCertificates}",
                        "${recordDecision}",
                        LintRule.PHASE_TASK,
                        "task_ensureCertificates"),
                new Spoiled(
                        "a phase's task outside of a phase",
                        "${recordFailure}",
                        "${ensureEndpoint}",
                        LintRule.PHASE_TASK,
                        "task_recordFailure"),
                new Spoiled(
                        "two tasks in a phase",
                        "<bpmn:endEvent id=\"end_certificates\"",
                        "<bpmn:serviceTask"
                                + " id=\"task_ensureEndpoint2\" name=\"x\""
                                + " camunda:delegateExpression=\"${ensureEndpoint}\" />"
                                + "<bpmn:endEvent id=\"end_certificates\"",
                        LintRule.PHASE_TASK,
                        "phase_certificates"),
                new Spoiled(
                        "a phase that is named otherwise",
                        "stuck_certificates",
                        "stuck_certs",
                        LintRule.PHASE_NAME,
                        "stuck_certs"),
                new Spoiled(
                        "a phase without documentation",
                        "It answers.\n\nWait.",
                        "",
                        LintRule.PHASE_DOCUMENTATION,
                        "phase_endpoint"),
                new Spoiled(
                        "a requeue timer that does not interrupt",
                        requeue,
                        requeue + " cancelActivity=\"false\"",
                        LintRule.REQUEUE_TIMER,
                        "requeue_certificates"),
                new Spoiled(
                        "a requeue timer without a literal duration",
                        ">PT2S<",
                        ">soon<",
                        LintRule.REQUEUE_TIMER,
                        "requeue_certificates"),
                new Spoiled(
                        "a requeue timer of no length",
                        ">PT2S<",
                        ">PT0S<",
                        LintRule.REQUEUE_TIMER,
                        "requeue_certificates"),
                new Spoiled(
                        "a requeue timer that leaves the phase",
                        "sourceRef=\"requeue_certificates\"" + " targetRef=\"task_ensureCertificates\"",
                        "sourceRef=\"requeue_certificates\"" + " targetRef=\"end_certificates\"",
                        LintRule.REQUEUE_TIMER,
                        "requeue_certificates"),
                new Spoiled(
                        "a choice that is none",
                        "name=\"slipway:choices\" value=\"SKIP\"",
                        "name=\"slipway:choices\" value=\"SKIP, SKIPP\"",
                        LintRule.PHASE_CHOICES,
                        "phase_endpoint"),
                new Spoiled(
                        "a stuck timer that interrupts",
                        stuck,
                        "name=\"stuck after 5 min\"",
                        LintRule.STUCK_TIMER,
                        "stuck_certificates"),
                new Spoiled("a stuck timer in months", ">PT5M<", ">P5M<", LintRule.STUCK_TIMER, "stuck_certificates"),
                new Spoiled(
                        "a stuck timer that escalates to nobody",
                        "<bpmn:escalationEventDefinition"
                                + " id=\"end_certificatesStuck_escalation\" escalationRef=\"escalation_phaseStuck\" />",
                        "",
                        LintRule.STUCK_TIMER,
                        "stuck_certificates"),
                new Spoiled(
                        "no stuck timer",
                        "name=\"slipway:escalate\" value=\"never\"",
                        "name=\"slipway:escalate\" value=\"later\"",
                        LintRule.STUCK_TIMER,
                        "phase_notPaused"));
    }

    private static List<Spoiled> paths() {
        return List.of(
                new Spoiled(
                        "a call of something else",
                        "calledElement=\"cluster-import\"",
                        "calledElement=\"invoice\"",
                        LintRule.CALLED_FLOW,
                        "call_import"),
                new Spoiled(
                        "a boundary event at a call",
                        "attachedToRef=\"phase_endpoint\"",
                        "attachedToRef=\"call_import\"",
                        LintRule.CALLED_FLOW,
                        "call_import"),
                new Spoiled(
                        "no operator path",
                        "<bpmn:escalationEventDefinition id=\"start_phaseStuck_escalation\""
                                + " escalationRef=\"escalation_phaseStuck\" />",
                        "<bpmn:escalationEventDefinition" + " id=\"start_phaseStuck_escalation\" />",
                        LintRule.OPERATOR_PATH,
                        "good"),
                new Spoiled(
                        "an operator path that ends the phase",
                        " isInterrupting=\"false\"",
                        "",
                        LintRule.OPERATOR_PATH,
                        "start_phaseStuck"),
                new Spoiled(
                        "an operator's task that does not close by itself",
                        "name=\"phase-recovered\"",
                        "name=\"phase-healed\"",
                        LintRule.OPERATOR_PATH,
                        "on_phaseStuck"),
                new Spoiled(
                        "no way to delete",
                        "name=\"delete-requested\"",
                        "name=\"removal-requested\"",
                        LintRule.DELETE_PATH,
                        "good"),
                new Spoiled(
                        "a deletion that does not interrupt",
                        "id=\"start_deleteRequested\"",
                        "id=\"start_deleteRequested\" isInterrupting=\"false\"",
                        LintRule.DELETE_PATH,
                        "start_deleteRequested"),
                new Spoiled(
                        "no way to abort",
                        "errorCode=\"aborted\"",
                        "errorCode=\"ended\"",
                        LintRule.ABORT_PATH,
                        "good"));
    }

    private static List<Finding> lint(String fileName, String diagram) {
        return DiagramLint.check(
                fileName,
                Bpmn.readModelFromStream(new ByteArrayInputStream(diagram.getBytes(StandardCharsets.UTF_8))),
                PHASES,
                SUPPORT);
    }
}
