package dev.slipway.kernel;

import dev.slipway.kernel.FlowStore.FlowRow;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Consumer;
import org.camunda.bpm.engine.impl.context.Context;
import org.camunda.bpm.engine.impl.incident.IncidentContext;
import org.camunda.bpm.engine.impl.persistence.entity.ExecutionEntity;
import org.camunda.bpm.engine.impl.persistence.entity.IncidentEntity;
import org.camunda.bpm.engine.runtime.Incident;
import org.camunda.bpm.engine.runtime.Job;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Sees to it that nothing is without a driver: every running flow has a wait, a job with retries, an open task or an
 * incident; every wait has a token and a timer; no job has run out of retries unseen.
 *
 * <p>None of this can come about by Slipway's own transactions. It takes a deleted job, an edited instance, or a defect:
 * and then silence is the worst answer. What can be repaired is; anything else becomes an incident at once.
 */
final class Watchdog {

    /** The type of the incident of a flow that nothing drives. */
    static final String NO_DRIVER = "noDriver";

    private static final Logger log = LoggerFactory.getLogger(Watchdog.class);
    private static final int RETRIES = 3;
    private static final String RUNNING = "f.instance_id is not null and f.ended_at is null";
    private static final String DRIVEN =
            "(exists (select 1 from slipway_phase_run r where r.flow_id = f.instance_id and"
                    + " r.left_at is null) or exists (select 1 from act_ru_job j where j.process_instance_id_ = f.instance_id and"
                    + " j.retries_ > 0) or exists (select 1 from act_ru_task t where t.proc_inst_id_ = f.instance_id) or exists (select 1"
                    + " from slipway_flow c where c.parent_id = f.instance_id and c.ended_at is null))";
    private static final String EXISTS = "exists (select 1 from act_ru_execution e where e.id_ = f.instance_id)";

    private final JdbcClient jdbc;
    private final PhaseRunStore runs;
    private final FlowStore flows;
    private final PhaseTokens tokens;
    private final EngineServices engine;
    private final FlowEnds ends;
    private final MeterRegistry meters;

    Watchdog(Tables tables, PhaseTokens tokens, EngineServices engine, FlowEnds ends, MeterRegistry meters) {
        this.jdbc = tables.jdbc();
        this.runs = tables.runs();
        this.flows = tables.flows();
        this.tokens = tokens;
        this.engine = engine;
        this.ends = ends;
        this.meters = meters;
    }

    /** Where it looks. */
    record Tables(JdbcClient jdbc, PhaseRunStore runs, FlowStore flows) {}

    /** Looks once; what it cannot treat now it finds again the next time. */
    void look() {
        each("lost-instance", ids(RUNNING + " and not " + EXISTS), this::closeLostFlow);
        each(
                "wait-without-token",
                runIds("not exists (select 1 from act_ru_execution e where e.id_ = r.execution_id)"),
                this::endGhost);
        each(
                "wait-without-timer",
                runIds("r.state <> 'PAUSED' and not exists (select 1 from act_ru_job j where j.id_ = r.timer_id)"),
                this::startAnew);
        each("job-without-retries", failedJobs(), this::reviveJob);
        each(
                "flow-without-driver",
                ids(RUNNING + " and " + EXISTS + " and not " + DRIVEN
                        + " and not exists (select 1 from act_ru_incident i where i.proc_inst_id_ = f.instance_id)"),
                this::raiseIncident);
        resolveOld();
    }

    private List<String> ids(String condition) {
        return jdbc.sql("select f.instance_id from slipway_flow f where " + condition)
                .query(String.class)
                .list();
    }

    private List<String> runIds(String condition) {
        return jdbc.sql("select r.id from slipway_phase_run r where r.left_at is null and " + condition)
                .query(String.class)
                .list();
    }

    private List<String> failedJobs() {
        return jdbc.sql("select j.id_ from act_ru_job j join slipway_flow f on f.instance_id = j.process_instance_id_"
                        + " where j.retries_ <= 0")
                .query(String.class)
                .list();
    }

    private void each(String finding, List<String> found, Consumer<String> treatment) {
        for (String id : found) {
            meters.counter("slipway.watchdog.findings", "finding", finding).increment();
            try {
                tokens.retrying(() -> {
                    treatment.accept(id);
                    return true;
                });
            } catch (RuntimeException e) {
                log.warn("Treating {} {} again later", finding, id, e);
            }
        }
    }

    private void closeLostFlow(String flowId) {
        log.error("The process instance of flow {} is gone, though nobody ended it: closing the flow", flowId);
        runs.openOfFlow(flowId).forEach(run -> endGhost(run.id()));
        flows.result(flowId, FlowState.ABORTED, "InstanceLost");
        ends.ended(flowId);
    }

    private void endGhost(String runId) {
        runs.lock(runId).filter(this::hasNoToken).ifPresent(run -> {
            log.error(
                    "{} of {} waits without a token: ending the wait",
                    run.phase(),
                    run.cluster().display());
            tokens.drop(run);
        });
    }

    private boolean hasNoToken(PhaseRun run) {
        return jdbc.sql("select count(*) from act_ru_execution where id_ = :id")
                        .param("id", run.executionId())
                        .query(Long.class)
                        .single()
                == 0;
    }

    private void startAnew(String runId) {
        runs.lock(runId).filter(run -> timerIsGone(run) && !hasNoToken(run)).ifPresent(run -> {
            log.error(
                    "{} of {} has lost its requeue timer: starting it anew",
                    run.phase(),
                    run.cluster().display());
            tokens.restart(run, run.elementId(), Escalations.RECOVERED);
        });
    }

    private boolean timerIsGone(PhaseRun run) {
        return run.timerId() == null
                || engine.management().createJobQuery().jobId(run.timerId()).count() == 0;
    }

    /** A job of a phase is harmless to repeat: it gets its retries back, and a person is asked if its phase is known. */
    private void reviveJob(String jobId) {
        Job job = engine.management()
                .createJobQuery()
                .jobId(jobId)
                .noRetriesLeft()
                .singleResult();
        if (job == null) {
            return;
        }
        String why = "A timer of the flow failed: " + job.getExceptionMessage();
        log.error("Trying a failed job of flow {} again: {}", job.getProcessInstanceId(), job.getExceptionMessage());
        engine.management().setJobRetries(jobId, RETRIES);
        runs.openOfFlow(job.getProcessInstanceId()).stream()
                .filter(run -> jobId.equals(run.timerId()))
                .forEach(run -> tokens.fail(run, new Progress.Note("JobFailed", why)));
    }

    private void raiseIncident(String flowId) {
        FlowRow flow = flows.lock(flowId).orElseThrow();
        if (isDriven(flowId) || !incidents(flowId).isEmpty()) {
            return;
        }
        String message = "Nothing drives the flow " + flow.kind() + " of "
                + flow.cluster().display() + ": no phase waits, no timer is set, nobody is asked";
        log.error("{}. Decide RETRY_FROM or ABORT for flow {}", message, flowId);
        engine.configuration().getCommandExecutorTxRequired().execute(context -> createIncident(flowId, message));
        ends.changed(flow.cluster());
    }

    /** The engine's own service asks for an activity, and there is none here. */
    private static @Nullable Object createIncident(String flowId, String message) {
        ExecutionEntity instance =
                Context.getCommandContext().getExecutionManager().findExecutionById(flowId);
        IncidentContext incident = new IncidentContext();
        incident.setExecutionId(flowId);
        incident.setProcessDefinitionId(instance.getProcessDefinitionId());
        incident.setConfiguration(flowId);
        IncidentEntity.createAndInsertIncident(NO_DRIVER, incident, message);
        return null;
    }

    private boolean isDriven(String flowId) {
        return jdbc.sql("select count(*) from slipway_flow f where f.instance_id = :id and " + DRIVEN)
                        .param("id", flowId)
                        .query(Long.class)
                        .single()
                > 0;
    }

    private List<Incident> incidents(String flowId) {
        return engine.runtime()
                .createIncidentQuery()
                .processInstanceId(flowId)
                .incidentType(NO_DRIVER)
                .list();
    }

    private void resolveOld() {
        List<String> driven = jdbc.sql("select i.id_ from act_ru_incident i join slipway_flow f on f.instance_id ="
                        + " i.proc_inst_id_ where i.incident_type_ = :type and " + DRIVEN)
                .param("type", NO_DRIVER)
                .query(String.class)
                .list();
        for (String id : driven) {
            try {
                engine.runtime().resolveIncident(id);
            } catch (RuntimeException e) {
                log.debug("Somebody else resolved the incident {}", id, e);
            }
        }
    }
}
