package dev.slipway.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** The webapps' own sign-out ends the one session; their own sign-in is not used. */
final class WebappSignOut extends OncePerRequestFilter {

    private static final Pattern SIGN_OUT = Pattern.compile(".*/camunda/api/admin/auth/user/[^/]+/logout");
    private static final Pattern SIGN_IN = Pattern.compile(".*/camunda/api/admin/auth/user/[^/]+/login/[^/]+");

    private final Sessions sessions;
    private final SignInLog log;
    private final Refusals refusals;

    WebappSignOut(Sessions sessions, SignInLog log, Refusals refusals) {
        this.sessions = sessions;
        this.log = log;
        this.refusals = refusals;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean post = "POST".equals(request.getMethod());
        if (post && SIGN_IN.matcher(request.getRequestURI()).matches()) {
            refusals.notSignedIn(request, response, "The webapps use the console's sign-in");
            return;
        }
        if (post && SIGN_OUT.matcher(request.getRequestURI()).matches()) {
            if (SecurityContextHolder.getContext().getAuthentication() instanceof SignedIn who) {
                log.signedOut(who);
            }
            sessions.end(request);
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
            return;
        }
        chain.doFilter(request, response);
    }
}
