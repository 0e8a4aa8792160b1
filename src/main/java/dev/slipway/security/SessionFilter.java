package dev.slipway.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Lets a session go on only as long as its user may, with what they may do now. */
final class SessionFilter extends OncePerRequestFilter {

    private final Sessions sessions;

    SessionFilter(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getSession(false) != null
                && SecurityContextHolder.getContext().getAuthentication() instanceof SignedIn who) {
            Optional<SignedIn> now = sessions.refreshed(who);
            if (now.isEmpty()) {
                sessions.end(request);
            } else if (!now.get().equals(who)) {
                SecurityContext context = SecurityContextHolder.createEmptyContext();
                context.setAuthentication(now.get());
                SecurityContextHolder.setContext(context);
            }
        }
        chain.doFilter(request, response);
    }
}
