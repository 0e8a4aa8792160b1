package dev.slipway.engine.identity;

import java.util.List;
import java.util.Map;
import org.camunda.bpm.engine.FilterService;
import org.camunda.bpm.engine.TaskService;
import org.camunda.bpm.engine.filter.Filter;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/** Gives the task list the filter without which it shows nothing: the phases that need an operator. */
@Component
class StuckPhasesFilter implements SmartInitializingSingleton {

    private static final String NAME = "Stuck phases";

    private final FilterService filters;
    private final TaskService tasks;

    StuckPhasesFilter(FilterService filters, TaskService tasks) {
        this.filters = filters;
        this.tasks = tasks;
    }

    /** Makes it unless there is one of that name; what somebody changed about it stays. */
    @Override
    public void afterSingletonsInstantiated() {
        if (filters.createTaskFilterQuery().filterName(NAME).count() > 0) {
            return;
        }
        Filter filter = filters.newTaskFilter(NAME);
        filter.setQuery(
                tasks.createTaskQuery().taskCandidateGroup(Groups.OPERATORS).includeAssignedTasks());
        filter.setProperties(Map.of(
                "description",
                "Phases that are stuck or blocked and wait for a decision",
                "priority",
                0,
                "refresh",
                true,
                "showUndefinedVariable",
                false,
                "variables",
                List.of(Map.of("name", "stuckPhase", "label", "Phase"), Map.of("name", "name", "label", "Cluster"))));
        filters.saveFilter(filter);
    }
}
