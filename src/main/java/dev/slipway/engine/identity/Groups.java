package dev.slipway.engine.identity;

import java.util.List;
import org.camunda.bpm.engine.authorization.Authorization;
import org.camunda.bpm.engine.authorization.Permission;
import org.camunda.bpm.engine.authorization.Permissions;
import org.camunda.bpm.engine.authorization.ProcessDefinitionPermissions;
import org.camunda.bpm.engine.authorization.ProcessInstancePermissions;
import org.camunda.bpm.engine.authorization.Resource;
import org.camunda.bpm.engine.authorization.Resources;

/** The groups, and what they may do in the engine. */
public final class Groups {

    /** The first user. */
    public static final String ADMIN_USER = "admin";

    /** May do everything; the engine knows this group by its name. */
    public static final String ADMINS = "camunda-admin";

    /** May see everything about flows, and change nothing. */
    public static final String VIEWERS = "viewers";

    /** May deploy diagrams, and see everything about flows. */
    public static final String DESIGNERS = "designers";

    /** May start, retry and decide, and see everything about flows; may not deploy, nor manage users. */
    public static final String OPERATORS = "operators";

    /**
     * What a group may do with a resource.
     *
     * @param resource the kind
     * @param id one object, or all
     * @param permissions what
     */
    record Grant(Resource resource, String id, List<? extends Permission> permissions) {}

    /** Reading, deciding tasks and retrying jobs; no deployment, no variables, no instance modification. */
    static final List<Grant> OPERATOR_GRANTS = List.of(
            new Grant(Resources.APPLICATION, "cockpit", List.of(Permissions.ACCESS)),
            new Grant(Resources.APPLICATION, "tasklist", List.of(Permissions.ACCESS)),
            new Grant(Resources.APPLICATION, "welcome", List.of(Permissions.ACCESS)),
            new Grant(
                    Resources.PROCESS_DEFINITION,
                    Authorization.ANY,
                    List.of(
                            ProcessDefinitionPermissions.READ,
                            ProcessDefinitionPermissions.READ_INSTANCE,
                            ProcessDefinitionPermissions.READ_TASK,
                            ProcessDefinitionPermissions.TASK_WORK,
                            ProcessDefinitionPermissions.READ_HISTORY,
                            ProcessDefinitionPermissions.RETRY_JOB)),
            new Grant(
                    Resources.PROCESS_INSTANCE,
                    Authorization.ANY,
                    List.of(ProcessInstancePermissions.READ, ProcessInstancePermissions.RETRY_JOB)),
            new Grant(
                    Resources.TASK,
                    Authorization.ANY,
                    List.of(Permissions.READ, Permissions.UPDATE, Permissions.TASK_WORK, Permissions.TASK_ASSIGN)),
            new Grant(Resources.FILTER, Authorization.ANY, List.of(Permissions.READ)),
            new Grant(Resources.DEPLOYMENT, Authorization.ANY, List.of(Permissions.READ)));

    /** Reading. */
    static final List<Grant> VIEWER_GRANTS = List.of(
            new Grant(Resources.APPLICATION, "cockpit", List.of(Permissions.ACCESS)),
            new Grant(Resources.APPLICATION, "welcome", List.of(Permissions.ACCESS)),
            new Grant(
                    Resources.PROCESS_DEFINITION,
                    Authorization.ANY,
                    List.of(
                            ProcessDefinitionPermissions.READ,
                            ProcessDefinitionPermissions.READ_INSTANCE,
                            ProcessDefinitionPermissions.READ_TASK,
                            ProcessDefinitionPermissions.READ_HISTORY)),
            new Grant(Resources.PROCESS_INSTANCE, Authorization.ANY, List.of(ProcessInstancePermissions.READ)),
            new Grant(Resources.TASK, Authorization.ANY, List.of(Permissions.READ)),
            new Grant(Resources.DEPLOYMENT, Authorization.ANY, List.of(Permissions.READ)));

    /** Reading, and new deployments; none is deleted, since that ends its flows. */
    static final List<Grant> DESIGNER_GRANTS = VIEWER_GRANTS.stream()
            .map(grant -> grant.resource() == Resources.DEPLOYMENT
                    ? new Grant(grant.resource(), grant.id(), List.of(Permissions.READ, Permissions.CREATE))
                    : grant)
            .toList();

    private Groups() {}
}
