package dev.slipway.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.client.web.HttpSessionOAuth2AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;

/**
 * Remembers who is away at a provider, and where they want to come back to.
 *
 * <p>In a session that ends soon, since anybody can begin one.
 */
final class SignInRequests implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {

    private static final String BACK = SignInRequests.class.getName() + ".back";
    private static final Duration AWAY = Duration.ofMinutes(10);

    private final HttpSessionOAuth2AuthorizationRequestRepository sessions =
            new HttpSessionOAuth2AuthorizationRequestRepository();

    @Override
    public @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
        return sessions.loadAuthorizationRequest(request);
    }

    @Override
    public void saveAuthorizationRequest(
            OAuth2AuthorizationRequest away, HttpServletRequest request, HttpServletResponse response) {
        boolean anonymous = request.getSession(false) == null;
        sessions.saveAuthorizationRequest(away, request, response);
        HttpSession session = request.getSession();
        if (anonymous) {
            session.setMaxInactiveInterval((int) AWAY.toSeconds());
        }
        session.setAttribute(BACK, WayBack.of(request.getParameter("to")));
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest removeAuthorizationRequest(
            HttpServletRequest request, HttpServletResponse response) {
        return sessions.removeAuthorizationRequest(request, response);
    }

    /** Where the person wants to come back to. */
    static String wayBack(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(BACK) instanceof String back ? back : WayBack.HOME;
    }
}
