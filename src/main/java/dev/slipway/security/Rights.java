package dev.slipway.security;

import dev.slipway.phase.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/** Checks what people and tokens may do, by their roles or by the management cluster's word. */
@Component
class Rights implements Permissions {

    private final KubernetesRights kubernetes;

    Rights(KubernetesRights kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Override
    public void require(Action action, String namespace, String name) {
        require(
                SecurityContextHolder.getContext().getAuthentication(),
                List.of(action),
                Target.cluster(namespace, name));
    }

    /** Requires one of the actions. */
    void require(@Nullable Authentication who, List<Action> oneOf, Target target) {
        if (may(who, oneOf, target)) {
            return;
        }
        if (who instanceof KubernetesCaller token) {
            throw refusal(token, oneOf, target);
        }
        if (who instanceof SignedIn signedIn) {
            throw refusal(signedIn, oneOf);
        }
        throw new InsufficientAuthenticationException("Not signed in");
    }

    boolean may(@Nullable Authentication who, List<Action> oneOf, Target target) {
        if (who instanceof SignedIn signedIn) {
            return Role.actionsOf(signedIn.roles()).stream().anyMatch(oneOf::contains);
        }
        if (who instanceof KubernetesCaller token) {
            try {
                return oneOf.stream().anyMatch(action -> kubernetes.mayDo(token.owner(), action, target));
            } catch (Failure e) {
                throw Refusal.unanswered(e);
            }
        }
        return false;
    }

    static Refusal refusal(SignedIn who, List<Action> oneOf) {
        if (who.roles().isEmpty()) {
            return Refusal.noRole(who.getName());
        }
        Action action = oneOf.iterator().next();
        String needed =
                switch (action) {
                    case READ -> "viewers";
                    case CREATE, OPERATE, DELETE -> "operators";
                    case DEPLOY -> "designers";
                    case ADMIN -> "camunda-admin";
                };
        return Refusal.notAllowed(
                "The user " + who.getName() + " may not do that",
                "Ask an administrator for the group '" + needed + "'"
                        + ("camunda-admin".equals(needed) ? "" : " or 'camunda-admin'"));
    }

    private static Refusal refusal(KubernetesCaller token, List<Action> oneOf, Target target) {
        Action action = oneOf.iterator().next();
        if (action == Action.DEPLOY || action == Action.ADMIN) {
            return Refusal.notAllowed(
                    token.getName() + " has a token of the management cluster: those may not do that",
                    "Sign in as a user of the group 'camunda-admin'");
        }
        String verb = KubernetesRights.verb(action, target);
        String remedy = "Give it the verb " + verb + " on " + target.type().display() + " there";
        return Refusal.notAllowed(
                token.getName() + " may not " + verb + " " + target.display(),
                target.namespace().isEmpty() && action == Action.READ
                        ? "Ask for one namespace, with ?namespace=NAME where the path takes it; or " + remedy
                        : remedy);
    }
}
