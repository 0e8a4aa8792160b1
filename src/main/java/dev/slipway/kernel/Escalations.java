package dev.slipway.kernel;

import java.time.Clock;
import java.util.Date;
import org.camunda.bpm.engine.delegate.DelegateExecution;
import org.camunda.bpm.engine.delegate.DelegateTask;
import org.camunda.bpm.engine.impl.incident.IncidentContext;
import org.camunda.bpm.engine.impl.persistence.entity.IncidentEntity;
import org.camunda.bpm.engine.runtime.Execution;
import org.camunda.bpm.engine.runtime.Incident;
import org.camunda.bpm.engine.runtime.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a phase that is stuck or blocked to the operator's task and incident, and back.
 *
 * <p>Both vanish when the phase leaves or starts anew, whoever brought that about.
 */
final class Escalations {

    static final String INCIDENT_TYPE = "phaseStuck";
    static final String RECOVERED = "phase-recovered";
    static final String DIAGNOSIS_TASK = "task_collectDiagnosis";

    private static final Logger log = LoggerFactory.getLogger(Escalations.class);

    private final PhaseRunStore store;
    private final EngineServices engine;
    private final Clock clock;
    private final KernelEvents events;

    Escalations(PhaseRunStore store, EngineServices engine, Clock clock, KernelEvents events) {
        this.store = store;
        this.engine = engine;
        this.clock = clock;
        this.events = events;
    }

    /** Escalates at once: makes the stuck timer due now, or opens the operator's path where none is drawn or left. */
    void escalate(PhaseRun run, PhaseDefinition phase) {
        Job timer = phase.stuckTimerId() == null
                ? null
                : engine.management()
                        .createJobQuery()
                        .executionId(run.scopeId())
                        .activityId(phase.stuckTimerId())
                        .singleResult();
        if (timer != null) {
            engine.management().setJobDuedate(timer.getId(), Date.from(clock.instant()), false);
            engine.hintAfterCommit();
            return;
        }
        store.markStuck(run.id());
        engine.runtime()
                .createProcessInstanceModification(run.flowId())
                .startBeforeActivity(DIAGNOSIS_TASK)
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
        raiseIncident(run);
        log.warn("{} of {} needs an operator: {}", run.phase(), run.cluster().display(), summary(run));
        AfterCommit.run(() -> {
            events.escalated(run.id());
            events.changed(run.cluster());
        });
    }

    private static void raiseIncident(PhaseRun run) {
        IncidentContext context = new IncidentContext();
        context.setActivityId(run.elementId());
        context.setExecutionId(run.scopeId());
        context.setProcessDefinitionId(run.definitionId());
        context.setConfiguration(run.id());
        IncidentEntity.createAndInsertIncident(INCIDENT_TYPE, context, summary(run))
                .createRecursiveIncidents();
    }

    /** Words the operator's task. */
    void describe(DelegateTask task) {
        Object runId = task.getExecution().getVariable(FlowVariables.STUCK_RUN);
        if (runId == null) {
            return;
        }
        store.find((String) runId).ifPresent(run -> {
            task.setName(run.phase() + " of " + run.cluster().display());
            task.setDescription(description(run));
        });
    }

    private static String description(PhaseRun run) {
        PhaseRun.Progress p = run.progress();
        StringBuilder text = new StringBuilder("Entered " + run.enteredAt() + ", " + p.attempt() + " attempts.\n");
        text.append(summary(run));
        if (p.errorMessage() != null) {
            text.append("\nLast error: ").append(p.errorCode()).append(": ").append(p.errorMessage());
        }
        int number = 1;
        for (String action : p.actions()) {
            text.append('\n').append(number++).append(". ").append(action);
        }
        return text.length() > 4000 ? text.substring(0, 4000) : text.toString();
    }

    private static String summary(PhaseRun run) {
        PhaseRun.Progress p = run.progress();
        return p.reason() == null ? "It has not had an outcome yet" : p.reason() + ": " + p.message();
    }

    /** Closes the operator's task and the incident of a phase that is about to leave or to start anew. */
    void recover(PhaseRun run) {
        if (!run.progress().stuck()) {
            return;
        }
        for (Execution waiting : engine.runtime()
                .createExecutionQuery()
                .processInstanceId(run.flowId())
                .messageEventSubscriptionName(RECOVERED)
                .list()) {
            if (run.id().equals(engine.runtime().getVariable(waiting.getId(), FlowVariables.STUCK_RUN))) {
                engine.runtime().messageEventReceived(RECOVERED, waiting.getId());
            }
        }
        for (Incident incident : engine.runtime()
                .createIncidentQuery()
                .processInstanceId(run.flowId())
                .incidentType(INCIDENT_TYPE)
                .configuration(run.id())
                .list()) {
            engine.runtime().resolveIncident(incident.getId());
        }
    }
}
