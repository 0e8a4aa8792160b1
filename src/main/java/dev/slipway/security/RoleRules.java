package dev.slipway.security;

import java.util.List;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/** What is not about clusters: needs a role, whatever the path. */
final class RoleRules {

    private RoleRules() {}

    /** Lets those in whose role may do that; tokens of the management cluster have no role. */
    static AuthorizationManager<RequestAuthorizationContext> any(Action action) {
        return (who, context) -> {
            Authentication authentication = who.get();
            if (authentication instanceof KubernetesCaller token) {
                throw Refusal.notAllowed(
                        token.getName() + " has a token of the management cluster: it is good for /api only",
                        "Sign in as a user of the engine");
            }
            if (!(authentication instanceof SignedIn signedIn)) {
                return new AuthorizationDecision(false);
            }
            if (!Role.actionsOf(signedIn.roles()).contains(action)) {
                throw Rights.refusal(signedIn, List.of(action));
            }
            return new AuthorizationDecision(true);
        };
    }
}
