package dev.slipway.security;

import dev.slipway.security.ProblemWriter.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.stereotype.Component;

/**
 * Answers those who are not let in.
 *
 * <ul>
 *   <li>A browser that opens a page is sent to the sign-in, and comes back from there.
 *   <li>A browser's script gets a 401 that does not make the browser ask for a password.
 *   <li>A program gets a 401 that says how to sign in.
 * </ul>
 */
@Component
class Refusals implements AuthenticationEntryPoint, AccessDeniedHandler {

    private static final String RETRY_SECONDS = "5";

    private final ProblemWriter problems = new ProblemWriter();
    private final SignInLog log;
    private final KubernetesSettings kubernetes;

    Refusals(SignInLog log, KubernetesSettings kubernetes) {
        this.log = log;
        this.kubernetes = kubernetes;
    }

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        if (failure instanceof TooManyAttempts many) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(many.seconds()));
            problems.write(
                    request,
                    response,
                    new Problem(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "TooManyAttempts",
                            "Too many failed attempts to sign in",
                            "Wait " + many.seconds() + " s, then try again"));
            return;
        }
        if (opensAPage(request)) {
            response.sendRedirect(request.getContextPath() + "/#/sign-in?to="
                    + URLEncoder.encode(pathAndQuery(request), StandardCharsets.UTF_8));
            return;
        }
        if (!isBrowser(request)) {
            response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"Slipway\", charset=\"UTF-8\"");
            if (kubernetes.enabled()) {
                response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"Slipway\"");
            }
        }
        notSignedIn(
                request,
                response,
                BearerFilter.isBearer(request)
                        ? "A token of the management cluster is good for /api only"
                        : "No credentials, unknown user, or wrong password");
    }

    /** 401 without asking for anything. */
    void notSignedIn(HttpServletRequest request, HttpServletResponse response, String detail) throws IOException {
        problems.write(
                request,
                response,
                new Problem(
                        HttpStatus.UNAUTHORIZED,
                        "NotSignedIn",
                        detail,
                        "Sign in at the console; or send HTTP Basic credentials of an engine user, or a token of the"
                                + " management cluster"));
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
            throws IOException {
        if (denied instanceof CsrfException) {
            problems.write(
                    request,
                    response,
                    new Problem(
                            HttpStatus.FORBIDDEN,
                            "CsrfInvalid",
                            "The header " + Sessions.CSRF_HEADER + " is missing, or not of this session",
                            "Send the token that GET /api/v1/session gives"));
            return;
        }
        Refusal refusal = denied instanceof Refusal known
                ? known
                : Refusal.notAllowed("This user may not do that", "Ask an administrator for another group");
        if (refusal.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        } else {
            log.refused(request, refusal.code());
        }
        problems.write(
                request, response, new Problem(refusal.status(), refusal.code(), refusal.detail(), refusal.remedy()));
    }

    /** For a change that another site's page asked for. */
    void crossSite(HttpServletRequest request, HttpServletResponse response) throws IOException {
        problems.write(
                request,
                response,
                new Problem(
                        HttpStatus.FORBIDDEN,
                        "CrossSite",
                        "Another site's page asked for this change",
                        "Send the request from Slipway's own pages, or from a program"));
    }

    private static boolean opensAPage(HttpServletRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        return "GET".equals(request.getMethod())
                && request.getHeader(HttpHeaders.AUTHORIZATION) == null
                && accept != null
                && accept.contains("text/html");
    }

    private static boolean isBrowser(HttpServletRequest request) {
        return request.getHeader("Sec-Fetch-Mode") != null || request.getHeader("X-Requested-With") != null;
    }

    private static String pathAndQuery(HttpServletRequest request) {
        String query = request.getQueryString();
        return request.getRequestURI() + (query == null ? "" : "?" + query);
    }
}
