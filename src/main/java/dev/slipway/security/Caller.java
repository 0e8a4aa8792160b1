package dev.slipway.security;

import java.util.Optional;
import java.util.Set;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Who asks, as records name them.
 *
 * @param name for records
 * @param displayName for people
 * @param via how they proved it
 * @param roles what they are; empty for tokens of the management cluster
 */
public record Caller(String name, String displayName, Via via, Set<Role> roles) {

    public Caller {
        roles = Set.copyOf(roles);
    }

    /** Whoever makes the request that this thread works on. */
    public static Optional<Caller> current() {
        return of(SecurityContextHolder.getContext().getAuthentication());
    }

    static Optional<Caller> of(@org.jspecify.annotations.Nullable Authentication authentication) {
        if (authentication instanceof SignedIn signedIn) {
            return Optional.of(
                    new Caller(signedIn.getName(), signedIn.person().displayName(), signedIn.via(), signedIn.roles()));
        }
        if (authentication instanceof KubernetesCaller token) {
            return Optional.of(new Caller(token.getName(), token.getName(), Via.KUBERNETES, Set.of()));
        }
        return Optional.empty();
    }
}
