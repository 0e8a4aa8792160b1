package dev.slipway.engine.identity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.camunda.bpm.engine.AuthorizationService;
import org.camunda.bpm.engine.ProcessEngine;
import org.camunda.bpm.engine.authorization.Permissions;
import org.camunda.bpm.engine.authorization.Resources;
import org.camunda.bpm.webapp.impl.security.auth.Authentications;
import org.camunda.bpm.webapp.impl.security.auth.ContainerBasedAuthenticationFilter;
import org.camunda.bpm.webapp.impl.security.auth.UserAuthentication;

/**
 * Tells the webapps who signed in to Slipway.
 *
 * <p>The webapps' own filter asks the engine's users, where people of a provider are not; and it keeps the groups of the
 * first request, where somebody may have lost one since.
 */
final class WebappIdentity extends ContainerBasedAuthenticationFilter {

    private static final List<String> APPS = List.of("cockpit", "tasklist", "admin");
    private static final String ALWAYS = "welcome";

    @Override
    protected boolean existisAuthentication(Authentications authentications, String engineName, String username) {
        // Made anew with each request: it costs less than to find out whether the old one still holds.
        return false;
    }

    @Override
    protected UserAuthentication createAuthentication(
            ProcessEngine engine, String username, List<String> groups, List<String> tenants) {
        AuthorizationService authorizations = engine.getAuthorizationService();
        Set<String> apps = new HashSet<>(Set.of(ALWAYS));
        APPS.stream()
                .filter(app -> authorizations.isUserAuthorized(
                        username, groups, Permissions.ACCESS, Resources.APPLICATION, app))
                .forEach(apps::add);
        UserAuthentication authentication = new UserAuthentication(username, engine.getName());
        authentication.setGroupIds(new ArrayList<>(groups));
        authentication.setTenantIds(new ArrayList<>(tenants));
        authentication.setAuthorizedApps(apps);
        return authentication;
    }
}
