package dev.slipway.engine.identity;

import java.security.SecureRandom;
import java.util.List;
import org.camunda.bpm.engine.AuthorizationService;
import org.camunda.bpm.engine.IdentityService;
import org.camunda.bpm.engine.ProcessEngineException;
import org.camunda.bpm.engine.authorization.Authorization;
import org.camunda.bpm.engine.authorization.Permission;
import org.camunda.bpm.engine.authorization.Permissions;
import org.camunda.bpm.engine.authorization.Resource;
import org.camunda.bpm.engine.authorization.Resources;
import org.camunda.bpm.engine.identity.Group;
import org.camunda.bpm.engine.identity.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/**
 * Makes the first user, the groups and what they may do, before the first request is served.
 *
 * <ul>
 *   <li>The password comes from the configuration, or is generated at first start and shown once.
 *   <li>The engine stores it hashed; a changed configuration changes it.
 *   <li>Starting again, or starting several nodes at once, changes nothing that is there.
 * </ul>
 */
@Component
class AdminAccount implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(AdminAccount.class);
    private static final int GENERATED_LENGTH = 24;
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

    private final IdentityService identity;
    private final AuthorizationService authorizations;
    private final IdentitySettings settings;

    AdminAccount(IdentityService identity, AuthorizationService authorizations, IdentitySettings settings) {
        this.identity = identity;
        this.authorizations = authorizations;
        this.settings = settings;
    }

    @Override
    public void afterSingletonsInstantiated() {
        ensureGroup(Groups.ADMINS, "Administrators", "SYSTEM");
        ensureGroup(Groups.OPERATORS, "Operators", "WORKFLOW");
        ensureGroup(Groups.DESIGNERS, "Designers", "WORKFLOW");
        ensureGroup(Groups.VIEWERS, "Viewers", "WORKFLOW");
        for (Resources resource : Resources.values()) {
            ensureGrant(Groups.ADMINS, resource, Authorization.ANY, List.of(Permissions.ALL));
        }
        ensureGrants(Groups.OPERATORS, Groups.OPERATOR_GRANTS);
        ensureGrants(Groups.DESIGNERS, Groups.DESIGNER_GRANTS);
        ensureGrants(Groups.VIEWERS, Groups.VIEWER_GRANTS);
        ensureAdmin();
    }

    private void ensureAdmin() {
        User admin = identity.createUserQuery().userId(Groups.ADMIN_USER).singleResult();
        if (admin == null) {
            createAdmin();
        } else if (settings.hasAdminPassword()) {
            ensurePassword();
        }
        for (String group : List.of(Groups.ADMINS, Groups.OPERATORS)) {
            boolean member = identity.createGroupQuery()
                            .groupMember(Groups.ADMIN_USER)
                            .groupId(group)
                            .count()
                    > 0;
            if (!member) {
                unlessAnotherNodeDid(() -> identity.createMembership(Groups.ADMIN_USER, group));
            }
        }
    }

    private void createAdmin() {
        String password = settings.hasAdminPassword() ? String.valueOf(settings.adminPassword()) : generate();
        User admin = identity.newUser(Groups.ADMIN_USER);
        admin.setFirstName("Slipway");
        admin.setLastName("Admin");
        admin.setPassword(password);
        boolean created = unlessAnotherNodeDid(() -> identity.saveUser(admin));
        if (created && !settings.hasAdminPassword()) {
            LOG.warn(
                    "\n\n  First start: user {}, password {}\n  It is shown only this once. SLIPWAY_ADMIN_PASSWORD sets another.\n",
                    Groups.ADMIN_USER,
                    password);
        }
    }

    private void ensurePassword() {
        String wanted = String.valueOf(settings.adminPassword());
        if (identity.checkPassword(Groups.ADMIN_USER, wanted)) {
            return;
        }
        // The check counted as a failed sign-in: that changed the user, and locked it for some seconds.
        identity.unlockUser(Groups.ADMIN_USER);
        User admin = identity.createUserQuery().userId(Groups.ADMIN_USER).singleResult();
        admin.setPassword(wanted);
        identity.saveUser(admin);
        LOG.info("The password of user {} is now the configured one", Groups.ADMIN_USER);
    }

    private void ensureGroup(String id, String name, String type) {
        if (identity.createGroupQuery().groupId(id).count() > 0) {
            return;
        }
        Group group = identity.newGroup(id);
        group.setName(name);
        group.setType(type);
        unlessAnotherNodeDid(() -> identity.saveGroup(group));
    }

    private void ensureGrants(String group, List<Groups.Grant> grants) {
        grants.forEach(grant -> ensureGrant(group, grant.resource(), grant.id(), grant.permissions()));
    }

    private void ensureGrant(String group, Resource resource, String id, List<? extends Permission> permissions) {
        boolean there = authorizations
                        .createAuthorizationQuery()
                        .groupIdIn(group)
                        .resourceType(resource)
                        .resourceId(id)
                        .count()
                > 0;
        if (there) {
            return;
        }
        Authorization grant = authorizations.createNewAuthorization(Authorization.AUTH_TYPE_GRANT);
        grant.setGroupId(group);
        grant.setResource(resource);
        grant.setResourceId(id);
        permissions.forEach(grant::addPermission);
        unlessAnotherNodeDid(() -> authorizations.saveAuthorization(grant));
    }

    /** Two nodes may start on an empty database at once: the second one's insert breaks a unique constraint. */
    private static boolean unlessAnotherNodeDid(Runnable insert) {
        try {
            insert.run();
            return true;
        } catch (ProcessEngineException e) {
            LOG.debug("Not inserted: another node did", e);
            return false;
        }
    }

    private static String generate() {
        SecureRandom random = new SecureRandom();
        StringBuilder password = new StringBuilder();
        while (password.length() < GENERATED_LENGTH) {
            password.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return password.toString();
    }
}
