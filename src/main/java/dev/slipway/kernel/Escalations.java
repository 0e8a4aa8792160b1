package dev.slipway.kernel;

import java.time.Clock;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.camunda.bpm.engine.delegate.DelegateExecution;
import org.camunda.bpm.engine.delegate.DelegateTask;
import org.camunda.bpm.engine.impl.incident.IncidentContext;
import org.camunda.bpm.engine.impl.persistence.entity.IncidentEntity;
import org.camunda.bpm.engine.runtime.Execution;
import org.camunda.bpm.engine.runtime.Incident;
import org.camunda.bpm.engine.runtime.Job;
import org.camunda.bpm.engine.task.Task;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a phase that is stuck or blocked to the operator's task and incident, and back.
 *
 * <p>Both vanish when the phase leaves or starts anew, whoever brought that about.
 */
final class Escalations {

    static final String INCIDENT_TYPE = "phaseStuck";
    static final String RECOVERED_MESSAGE = "phase-recovered";
    static final String DIAGNOSIS_TASK = "task_collectDiagnosis";
    /** How an escalation ends when the phase reaches its goal after all. */
    static final String RECOVERED = "Recovered";
    /** How an escalation ends when its flow does. */
    static final String LEFT = "Left";

    private static final Logger log = LoggerFactory.getLogger(Escalations.class);

    private final PhaseRunStore store;
    private final EscalationStore escalations;
    private final PhaseCatalog catalog;
    private final EngineServices engine;
    private final Clock clock;
    private final KernelEvents events;
    private final Supplier<List<EscalationListener>> listeners;

    Escalations(
            PhaseRunStore store,
            EscalationStore escalations,
            PhaseCatalog catalog,
            EngineServices engine,
            Clock clock,
            KernelEvents events,
            Supplier<List<EscalationListener>> listeners) {
        this.store = store;
        this.escalations = escalations;
        this.catalog = catalog;
        this.engine = engine;
        this.clock = clock;
        this.events = events;
        this.listeners = listeners;
    }

    /** Escalates at once: makes the stuck timer due now, or opens the operator's path where none is drawn or left. */
    void escalate(PhaseRun run, PhaseDefinition phase) {
        Optional<Job> timer = stuckTimer(run, phase);
        if (timer.isPresent()) {
            engine.management().setJobDuedate(timer.get().getId(), Date.from(clock.instant()), false);
            engine.hintAfterCommit();
        } else {
            store.markStuck(run.id());
            openOperatorsPath(run, null);
        }
    }

    /** The stuck timer of a run, as long as it has not fired. */
    Optional<Job> stuckTimer(PhaseRun run, PhaseDefinition phase) {
        return phase.stuckTimerId() == null
                ? Optional.empty()
                : Optional.ofNullable(engine.management()
                        .createJobQuery()
                        .executionId(run.scopeId())
                        .activityId(phase.stuckTimerId())
                        .singleResult());
    }

    /** Opens the operator's task once more, if it was completed with a decision that turned out not to be possible. */
    void showAgain(PhaseRun run, String note) {
        if (run.progress().stuck() && operatorsTasks(run).isEmpty()) {
            store.showAgain(run.id());
            openOperatorsPath(run, note);
        }
    }

    private void openOperatorsPath(PhaseRun run, @Nullable String note) {
        engine.runtime()
                .createProcessInstanceModification(run.flowId())
                .startBeforeActivity(DIAGNOSIS_TASK)
                .setVariableLocal(FlowVariables.STUCK_NOTE, note)
                .execute();
    }

    /** The stuck timer of a phase fired. */
    void stuckTimerFired(DelegateExecution execution, String elementId) {
        store.openOfFlow(execution.getProcessInstanceId()).stream()
                .filter(run -> run.elementId().equals(elementId))
                .forEach(run -> store.markStuck(run.id()));
    }

    /** First step of the operator's path: finds which phase it is about and raises the incident. */
    void collectDiagnosis(DelegateExecution execution) {
        PhaseRun run = store.takeStuck(execution.getProcessInstanceId(), clock.instant())
                .orElseThrow(() -> new IllegalStateException(
                        "No stuck phase in flow " + execution.getProcessInstanceId() + ": nothing to diagnose"));
        execution.setVariableLocal(FlowVariables.STUCK_RUN, run.id());
        execution.setVariableLocal(FlowVariables.STUCK_PHASE, run.phase());
        // What the form says is about this escalation only, and must not meet the next one.
        DecisionForm.FIELDS.forEach(field -> execution.setVariableLocal(field, null));
        if (escalations.openOfRun(run.id()).isPresent()) {
            // The operator's task is shown once more; that it is stuck was told before.
            return;
        }
        raiseIncident(run);
        Escalation escalation = escalation(run);
        escalations.open(run.id(), escalation);
        listeners.get().forEach(listener -> listener.opened(escalation));
        log.warn(
                "{} of {} needs an operator: {}",
                run.phase(),
                run.cluster().display(),
                run.progress().why());
        AfterCommit.run(() -> {
            events.escalated(run.id());
            events.changed(run.cluster());
        });
    }

    private Escalation escalation(PhaseRun run) {
        Progress.Note why = run.progress().why();
        PhaseDefinition phase = catalog.phase(run.definitionId(), run.elementId());
        return new Escalation(
                UUID.randomUUID().toString(),
                run.flowId(),
                run.kind(),
                run.cluster(),
                run.phase(),
                phase.title(),
                run.enteredAt(),
                run.progress().attempt(),
                why.code(),
                why.message(),
                phase.actions(run.progress()),
                catalog.choices(run).stream().map(Choice::name).toList(),
                clock.instant(),
                null,
                null);
    }

    /** Closes the record of an escalation, if one is open. */
    void close(String runId, String outcome) {
        escalations
                .close(runId, outcome, clock.instant())
                .ifPresent(closed -> listeners.get().forEach(listener -> listener.closed(closed)));
    }

    private static void raiseIncident(PhaseRun run) {
        IncidentContext context = new IncidentContext();
        context.setActivityId(run.elementId());
        context.setExecutionId(run.scopeId());
        context.setProcessDefinitionId(run.definitionId());
        context.setConfiguration(run.id());
        IncidentEntity.createAndInsertIncident(
                        INCIDENT_TYPE, context, run.progress().why().toString())
                .createRecursiveIncidents();
    }

    /** Words the operator's task. */
    void describe(DelegateTask task) {
        Object runId = task.getExecution().getVariable(FlowVariables.STUCK_RUN);
        Object note = task.getExecution().getVariable(FlowVariables.STUCK_NOTE);
        if (runId == null) {
            return;
        }
        store.find((String) runId).ifPresent(run -> {
            task.setName(run.phase() + " of " + run.cluster().display());
            task.setDescription(text(run, note, null));
        });
    }

    private String text(PhaseRun run, @Nullable Object note, @Nullable String diagnosis) {
        List<String> actions =
                catalog.phase(run.definitionId(), run.elementId()).actions(run.progress());
        return TaskText.of(run, actions, catalog.choices(run), (String) note, diagnosis);
    }

    /** What an operator may decide about a run; nothing once it was left. */
    List<Choice> choices(String runId) {
        return store.find(runId).map(catalog::choices).orElse(List.of());
    }

    /** Adds a diagnosis to the operator's task of a run, if it is still open. */
    void addDiagnosis(String runId, String diagnosis) {
        store.find(runId).filter(run -> run.leftAt() == null).ifPresent(run -> openTasks(run)
                .forEach(task -> reword(task, run, diagnosis)));
    }

    /**
     * Words the operator's task anew, and has the cluster looked at again, once the phase knows another cause.
     *
     * <p>A call that merely failed does not replace what was awaited: it passes, the cause stays.
     */
    void describeAnew(PhaseRun run) {
        String cause = TaskText.CAUSE + run.progress().why().code() + ": ";
        if (run.progress().state() == PhaseState.RETRYING) {
            return;
        }
        openTasks(run)
                .filter(task -> !Objects.toString(task.getDescription(), "").contains(cause))
                .forEach(task -> {
                    reword(task, run, null);
                    AfterCommit.run(() -> events.escalated(run.id()));
                });
    }

    private void reword(Task task, PhaseRun run, @Nullable String diagnosis) {
        Object note = engine.tasks().getVariable(task.getId(), FlowVariables.STUCK_NOTE);
        task.setDescription(text(run, note, diagnosis));
        engine.tasks().saveTask(task);
    }

    private Stream<Task> openTasks(PhaseRun run) {
        return operatorsTasks(run).stream()
                .flatMap(execution -> engine.tasks().createTaskQuery().executionId(execution.getId()).list().stream());
    }

    /** Closes the operator's task and the incident of a phase that is about to leave, to start anew, or to be held. */
    void recover(PhaseRun run, String outcome) {
        close(run.id(), outcome);
        if (!run.progress().stuck()) {
            return;
        }
        operatorsTasks(run)
                .forEach(waiting -> engine.runtime().messageEventReceived(RECOVERED_MESSAGE, waiting.getId()));
        for (Incident incident : engine.runtime()
                .createIncidentQuery()
                .processInstanceId(run.flowId())
                .incidentType(INCIDENT_TYPE)
                .configuration(run.id())
                .list()) {
            engine.runtime().resolveIncident(incident.getId());
        }
    }

    /** The executions in which an operator is asked about a run. */
    private List<Execution> operatorsTasks(PhaseRun run) {
        return engine
                .runtime()
                .createExecutionQuery()
                .processInstanceId(run.flowId())
                .messageEventSubscriptionName(RECOVERED_MESSAGE)
                .list()
                .stream()
                .filter(waiting ->
                        run.id().equals(engine.runtime().getVariable(waiting.getId(), FlowVariables.STUCK_RUN)))
                .toList();
    }
}
