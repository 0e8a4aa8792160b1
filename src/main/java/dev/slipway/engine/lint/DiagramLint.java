package dev.slipway.engine.lint;

import java.util.List;
import java.util.Set;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.bpmn.instance.Process;

/**
 * Says what keeps a diagram from being deployed.
 *
 * <ul>
 *   <li>nothing in it can run code: elements, attributes and expressions are those of an allow-list
 *   <li>each phase has its requeue and its stuck timer and its documentation
 *   <li>an operator's path, a deletion's and an abort's exist
 *   <li>ids, names and the picture are complete
 * </ul>
 */
public final class DiagramLint {

    private static final String SUFFIX = ".bpmn";

    private DiagramLint() {}

    /**
     * Checks a diagram whose file is not known.
     *
     * @param model the diagram
     * @param phaseBeans the beans that a phase's service task may name, for example {@code ensureCertificates}
     * @param supportBeans the beans that other service tasks may name, for example {@code collectDiagnosis}
     * @return what is wrong, in the order of the rules; empty if the diagram may be deployed
     */
    public static List<Finding> check(BpmnModelInstance model, Set<String> phaseBeans, Set<String> supportBeans) {
        Findings findings = new Findings();
        run(model, phaseBeans, supportBeans, findings);
        return findings.all();
    }

    /**
     * Checks a diagram, and that its file has the name of its process.
     *
     * @param fileName the resource's name; folders before the last slash do not matter
     */
    public static List<Finding> check(
            String fileName, BpmnModelInstance model, Set<String> phaseBeans, Set<String> supportBeans) {
        Findings findings = new Findings();
        String plainName = fileName.substring(fileName.lastIndexOf('/') + 1);
        for (Process process : model.getModelElementsByType(Process.class)) {
            if (!plainName.equals(Findings.idOf(process) + SUFFIX)) {
                findings.add(
                        LintRule.PROCESS_SETTINGS,
                        process,
                        "the process in the file " + plainName + " has the id " + Findings.idOf(process) + ".");
            }
        }
        run(model, phaseBeans, supportBeans, findings);
        return findings.all();
    }

    private static void run(
            BpmnModelInstance model, Set<String> phaseBeans, Set<String> supportBeans, Findings findings) {
        new ContentRules(phaseBeans, supportBeans, findings).check(model);
        new ProcessRules(findings).check(model);
        new PhaseRules(phaseBeans, findings).check(model);
        new PathRules(findings).check(model);
    }
}
