package dev.slipway.kernel;

import java.util.EnumSet;
import java.util.Set;
import org.camunda.bpm.engine.impl.history.HistoryLevel;
import org.camunda.bpm.engine.impl.history.event.HistoryEventType;
import org.camunda.bpm.engine.impl.history.event.HistoryEventTypes;
import org.camunda.bpm.engine.impl.persistence.entity.ExecutionEntity;
import org.camunda.bpm.engine.impl.pvm.process.ActivityImpl;
import org.jspecify.annotations.Nullable;

/**
 * History for phases: one row per phase, incidents, tasks, facts and the operator log; nothing per requeue, no job log.
 *
 * <p>The engine's own levels keep either every turn of the requeue loop or no incidents.
 */
final class PhaseHistoryLevel implements HistoryLevel {

    /** The level's name in the settings. */
    static final String NAME = "phases";

    private static final int ID = 20;

    private static final Set<HistoryEventTypes> ACTIVITIES = EnumSet.of(
            HistoryEventTypes.ACTIVITY_INSTANCE_START,
            HistoryEventTypes.ACTIVITY_INSTANCE_UPDATE,
            HistoryEventTypes.ACTIVITY_INSTANCE_MIGRATE,
            HistoryEventTypes.ACTIVITY_INSTANCE_END);

    private static final Set<HistoryEventTypes> KEPT = EnumSet.of(
            HistoryEventTypes.PROCESS_INSTANCE_START,
            HistoryEventTypes.PROCESS_INSTANCE_UPDATE,
            HistoryEventTypes.PROCESS_INSTANCE_MIGRATE,
            HistoryEventTypes.PROCESS_INSTANCE_END,
            HistoryEventTypes.TASK_INSTANCE_CREATE,
            HistoryEventTypes.TASK_INSTANCE_UPDATE,
            HistoryEventTypes.TASK_INSTANCE_MIGRATE,
            HistoryEventTypes.TASK_INSTANCE_COMPLETE,
            HistoryEventTypes.TASK_INSTANCE_DELETE,
            HistoryEventTypes.VARIABLE_INSTANCE_CREATE,
            HistoryEventTypes.VARIABLE_INSTANCE_UPDATE,
            HistoryEventTypes.VARIABLE_INSTANCE_MIGRATE,
            HistoryEventTypes.VARIABLE_INSTANCE_DELETE,
            HistoryEventTypes.INCIDENT_CREATE,
            HistoryEventTypes.INCIDENT_MIGRATE,
            HistoryEventTypes.INCIDENT_UPDATE,
            HistoryEventTypes.INCIDENT_DELETE,
            HistoryEventTypes.INCIDENT_RESOLVE,
            HistoryEventTypes.USER_OPERATION_LOG);

    @Override
    public int getId() {
        return ID;
    }

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    public boolean isHistoryEventProduced(HistoryEventType type, @Nullable Object entity) {
        if (!(type instanceof HistoryEventTypes known)) {
            return false;
        }
        if (ACTIVITIES.contains(known)) {
            return !(entity instanceof ExecutionEntity execution) || !insidePhase(execution);
        }
        return KEPT.contains(known);
    }

    private static boolean insidePhase(ExecutionEntity execution) {
        ActivityImpl activity = execution.getActivity();
        return activity != null
                && activity.getFlowScope() != null
                && activity.getFlowScope().getId().startsWith(PhaseCatalog.PHASE_PREFIX);
    }
}
