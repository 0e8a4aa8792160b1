package dev.slipway.kernel;

import java.util.Map;
import java.util.function.Supplier;
import org.camunda.bpm.engine.IdentityService;
import org.camunda.bpm.engine.delegate.DelegateExecution;
import org.camunda.bpm.engine.delegate.JavaDelegate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of the diagrams' operator path and of their failure path. */
final class OperatorPath {

    private static final Logger log = LoggerFactory.getLogger(OperatorPath.class);

    private final Escalations escalations;
    private final DecisionDesk desk;
    private final IdentityService identity;
    private final KernelEvents events;

    OperatorPath(Escalations escalations, DecisionDesk desk, IdentityService identity, KernelEvents events) {
        this.escalations = escalations;
        this.desk = desk;
        this.identity = identity;
        this.events = events;
    }

    /** All beans that expressions of diagrams can reach; phases are not among them, they get a behavior instead. */
    static Map<Object, Object> beans(Supplier<OperatorPath> path) {
        JavaDelegate collectDiagnosis = execution -> path.get().escalations.collectDiagnosis(execution);
        JavaDelegate recordDecision = execution -> path.get().recordDecision(execution);
        JavaDelegate recordFailure =
                execution -> log.warn("Ending the flow of {} as aborted", execution.getProcessBusinessKey());
        return Map.of(
                DiagramBeans.COLLECT_DIAGNOSIS, collectDiagnosis,
                DiagramBeans.RECORD_DECISION, recordDecision,
                DiagramBeans.RECORD_FAILURE, recordFailure);
    }

    /**
     * Keeps what the operator chose in the task's form; it is applied after commit, from outside of the flow.
     *
     * <p>What the phase does not allow, or what comes second, fails the completion of the task, which stays open.
     */
    private void recordDecision(DelegateExecution execution) {
        String runId = (String) execution.getVariable(FlowVariables.STUCK_RUN);
        desk.record(runId, DecisionForm.wish(execution), currentUser());
        AfterCommit.run(events::decided);
    }

    private String currentUser() {
        return identity.getCurrentAuthentication() == null
                ? "unknown"
                : identity.getCurrentAuthentication().getUserId();
    }
}
