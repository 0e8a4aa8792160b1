package dev.slipway.security;

import dev.slipway.phase.Failure;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.session.SessionRepository;
import org.springframework.stereotype.Component;

/** Remembers by what right a request was let in, for answers that outlast the check. */
@Component
public class Standings {

    private final SessionRepository<?> store;
    private final Sessions sessions;
    private final KubernetesRights kubernetes;
    private final Rights rights;

    Standings(SessionRepository<?> store, Sessions sessions, KubernetesRights kubernetes, Rights rights) {
        this.store = store;
        this.sessions = sessions;
        this.kubernetes = kubernetes;
        this.rights = rights;
    }

    /**
     * The standing of whoever makes this request, as far as it is about that cluster.
     *
     * @param namespace the cluster's; empty for all
     * @param name the cluster's; empty for any
     */
    public Standing of(HttpServletRequest request, Action action, String namespace, String name) {
        Authentication who = SecurityContextHolder.getContext().getAuthentication();
        Target target = Target.cluster(namespace, name);
        if (who instanceof KubernetesCaller token) {
            return () -> holds(token, action, target);
        }
        HttpSession session = request.getSession(false);
        String id = session == null ? null : session.getId();
        return () -> who instanceof SignedIn signedIn && holds(signedIn, id, action, target);
    }

    private boolean holds(SignedIn who, @Nullable String session, Action action, Target target) {
        if (who.via() != Via.BASIC && (session == null || store.findById(session) == null)) {
            return false;
        }
        return sessions.refreshed(who)
                .filter(now -> rights.may(now, List.of(action), target))
                .isPresent();
    }

    private boolean holds(KubernetesCaller token, Action action, Target target) {
        try {
            return kubernetes.owner(token.token()).filter(token.owner()::equals).isPresent()
                    && rights.may(token, List.of(action), target);
        } catch (Failure | Refusal e) {
            return false;
        }
    }
}
