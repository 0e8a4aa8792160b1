package dev.slipway.engine.lint;

import java.util.Locale;

/** What a diagram must fulfil to be deployed; the id is the name in kebab case. */
public enum LintRule {
    ELEMENT_ALLOWED(
            "Only elements that flows need: no script, send, receive or business rule tasks, no listeners, connectors,"
                    + " input or output mappings, conditional events, loops or data objects.",
            "Use a service task with a delegate instead, or remove the element."),
    ATTRIBUTE_ALLOWED(
            "Only attributes that cannot run code: no camunda:class, camunda:expression, camunda:type, no languages"
                    + " and no foreign namespaces.",
            "Remove the attribute; a service task has camunda:delegateExpression only."),
    EXPRESSION_ALLOWED(
            "Expressions are ${bean} on service tasks, with a bean of the allow-list, and ${name == 'text'} or"
                    + " ${name != 'text'} on flows that leave an exclusive gateway; there are none anywhere else.",
            "Write literal text, or let a phase record a fact and compare it with a text at a gateway."),
    PROCESS_SETTINGS(
            "One executable process in a file; its id is kebab case and the file's name; it has a version tag and a"
                    + " history time to live.",
            "Select the process in Modeler (click on the empty canvas) and set what is missing."),
    ELEMENT_ID(
            "Ids are prefix and object: phase_ (sub-process), on_ (event sub-process), call_ (call activity), task_, requeue_, stuck_,"
                    + " recovered_ (boundary events), gateway_, end_.",
            "Change the id in Modeler's properties panel, before the first deployment."),
    ELEMENT_LABEL(
            "Everything that an operator sees has a name; the name of a gateway that splits is a question.",
            "Double-click on the element in Modeler and name it as an operator reads it."),
    ELEMENT_DRAWN(
            "Every element and every flow is in the picture, as Cockpit shows the picture.",
            "Open the diagram in Modeler and draw the element again."),
    ELEMENT_CONNECTED(
            "Every element can be reached and left, and a gateway that splits has a default flow: no token is lost.",
            "Connect the element, or remove it."),
    PHASE_TASK(
            "A sub-process is a phase: one start event, exactly one service task, whose bean is a known phase, and an"
                    + " end event; phases are nowhere else.",
            "Copy a phase of this diagram and change its names."),
    PHASE_NAME(
            "Phase, task and bean are the same word: phase_certificates, task_ensureCertificates,"
                    + " ${ensureCertificates}.",
            "Make the ids follow from the name of the delegate's class."),
    PHASE_DOCUMENTATION(
            "Each phase says what must be true and what an operator can do; the console shows it.",
            "Fill in the element documentation of the sub-process."),
    REQUEUE_TIMER(
            "The task of a phase has exactly one requeue timer: an interrupting boundary timer with a literal duration"
                    + " such as PT10S, whose flow leads back to the task.",
            "Attach an interrupting timer with a duration to the task and connect it to the task."),
    STUCK_TIMER(
            "A phase has exactly one stuck timer: a non-interrupting boundary timer on the sub-process with a literal"
                    + " duration such as PT5M, leading to an end event that throws the escalation phase-stuck; none, if"
                    + " the property slipway:escalate is never.",
            "Attach a non-interrupting timer with a duration to the sub-process, followed by an escalation end event."),
    PHASE_CHOICES(
            "The property slipway:choices of a phase lists, separated by commas, what an operator may decide there beyond"
                    + " what every phase allows: MARK_DONE, SKIP, SUPPLY_CREDENTIALS, ACCEPT_CA, REPLACE_IDENTITY,"
                    + " TAKE_OVER_MARK, RESET_IMPORT, COLLECT_ORPHANS, KEEP, SKIP_REMOTE, FORCE, UNPAUSE.",
            "Correct the word in the phase's extension properties, or remove the property."),
    CALLED_FLOW(
            "A call activity calls another flow by its literal id, such as cluster-import, about the same cluster; it has no"
                    + " boundary events, since the called flow has its own timers and operator path.",
            "Set the called element to the id of the other diagram, and remove what is attached."),
    OPERATOR_PATH(
            "One event sub-process is started by the escalation phase-stuck, without interrupting; it has a user task"
                    + " that the message phase-recovered interrupts.",
            "Copy \"When a phase is stuck or blocked\" from another diagram."),
    DELETE_PATH(
            "One event sub-process is started by the message delete-requested, interrupting; flows that delete need none.",
            "Copy \"When deletion is requested\" from another diagram."),
    ABORT_PATH(
            "One event sub-process is started by the error aborted.",
            "Copy \"When an operator aborts\" from another diagram.");

    private final String meaning;
    private final String remedy;

    LintRule(String meaning, String remedy) {
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** The rule's id, for example {@code requeue-timer}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What the rule demands. */
    public String meaning() {
        return meaning;
    }

    /** What to do when it is broken. */
    public String remedy() {
        return remedy;
    }
}
