package dev.slipway.security;

import dev.slipway.kubernetes.AccessReviews.Owner;
import dev.slipway.phase.Failure;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Finds out whose token of the management cluster came with the request.
 *
 * <p>A token that the cluster does not know is answered 401; no answer from the cluster is 503, and lets nobody in.
 */
final class BearerFilter extends OncePerRequestFilter {

    private static final String SCHEME = "bearer ";
    /** What records of decisions can hold. */
    private static final int LONGEST_NAME = 255;

    private final KubernetesRights rights;
    private final SignInGuard guard;
    private final Refusals refusals;

    BearerFilter(KubernetesRights rights, SignInGuard guard, Refusals refusals) {
        this.rights = rights;
        this.guard = guard;
        this.refusals = refusals;
    }

    static boolean isBearer(HttpServletRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (header == null || !isBearer(request)) {
            chain.doFilter(request, response);
            return;
        }
        if (!rights.enabled()) {
            refusals.notSignedIn(request, response, "Tokens are not accepted here");
            return;
        }
        String token = header.substring(SCHEME.length()).strip();
        String digest = KubernetesRights.digest(token);
        Optional<Owner> owner;
        try {
            guard.check(digest, request.getRemoteAddr());
            owner = rights.owner(token);
        } catch (TooManyAttempts e) {
            refusals.commence(request, response, e);
            return;
        } catch (Failure e) {
            refusals.handle(request, response, Refusal.unanswered(e));
            return;
        }
        if (owner.isEmpty() || owner.get().username().length() > LONGEST_NAME) {
            guard.failed(digest, request.getRemoteAddr());
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"Slipway\", error=\"invalid_token\"");
            refusals.notSignedIn(request, response, "The management cluster does not know this token, or it expired");
            return;
        }
        guard.succeeded(digest, request.getRemoteAddr());
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(new KubernetesCaller(owner.get(), token));
        SecurityContextHolder.setContext(context);
        chain.doFilter(request, response);
    }
}
