package dev.slipway.engine.identity;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.camunda.bpm.engine.ProcessEngine;
import org.camunda.bpm.engine.rest.security.auth.AuthenticationProvider;
import org.camunda.bpm.engine.rest.security.auth.AuthenticationResult;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Tells the engine who signed in to Slipway, with the groups that Slipway knows.
 *
 * <p>So the password is checked once, and people of a provider need not be users of the engine. The engine makes this
 * class by its name.
 */
public final class SignedInIdentity implements AuthenticationProvider {

    @Override
    public AuthenticationResult extractAuthenticatedUser(HttpServletRequest request, ProcessEngine engine) {
        Authentication who = SecurityContextHolder.getContext().getAuthentication();
        if (who == null || !who.isAuthenticated() || new AuthenticationTrustResolverImpl().isAnonymous(who)) {
            return AuthenticationResult.unsuccessful();
        }
        AuthenticationResult result = AuthenticationResult.successful(who.getName());
        result.setGroups(groups(who));
        result.setTenants(List.of());
        return result;
    }

    @Override
    public void augmentResponseByAuthenticationChallenge(HttpServletResponse response, ProcessEngine engine) {
        // The security filters ask for credentials before anybody gets so far.
    }

    static List<String> groups(Authentication who) {
        return who.getAuthorities().stream().map(GrantedAuthority::getAuthority).toList();
    }
}
