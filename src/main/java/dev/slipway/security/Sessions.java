package dev.slipway.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.slipway.engine.identity.EngineAccounts;
import dev.slipway.engine.identity.EngineAccounts.Account;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.stereotype.Component;

/**
 * Sessions of people in browsers: begun, checked with each request, ended.
 *
 * <p>A session says who it is and since when. What that user may do is asked of the engine again and again, so that a
 * user who lost a group, changed the password or is gone does not keep what they had.
 */
@Component
class Sessions {

    static final String CSRF_HEADER = "X-CSRF-Token";

    private static final int REMEMBERED = 1_000;
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final EngineAccounts accounts;
    private final SessionSettings settings;
    private final Clock clock;
    private final SecurityContextRepository contexts = new HttpSessionSecurityContextRepository();
    private final HttpSessionCsrfTokenRepository csrf = new HttpSessionCsrfTokenRepository();
    private final Cache<String, Optional<Account>> fresh = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(FRESH)
            .build();

    Sessions(EngineAccounts accounts, SessionSettings settings, Clock clock) {
        this.accounts = accounts;
        this.settings = settings;
        this.clock = clock;
        csrf.setHeaderName(CSRF_HEADER);
    }

    SecurityContextRepository contexts() {
        return contexts;
    }

    HttpSessionCsrfTokenRepository csrf() {
        return csrf;
    }

    /** Begins a session, and leaves nothing of one that was there before. */
    CsrfToken begin(SignedIn who, HttpServletRequest request, HttpServletResponse response) {
        HttpSession before = request.getSession(false);
        if (before != null) {
            before.invalidate();
        }
        request.getSession(true).setMaxInactiveInterval((int) settings.idle().toSeconds());
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(who);
        SecurityContextHolder.setContext(context);
        contexts.saveContext(context, request, response);
        CsrfToken token = csrf.generateToken(request);
        csrf.saveToken(token, request, response);
        return token;
    }

    /** Ends the session, if there is one. */
    void end(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
        SecurityContextHolder.clearContext();
    }

    /** Who it is now; empty if the session must end. */
    Optional<SignedIn> refreshed(SignedIn who) {
        if (!clock.instant().isBefore(longest(who))) {
            return Optional.empty();
        }
        if (who.via() == Via.OIDC) {
            return Optional.of(who);
        }
        return fresh.get(who.getName(), accounts::find)
                .filter(account -> account.stamp().equals(who.person().stamp()))
                .map(account -> account.groups().equals(who.groups()) ? who : who.with(account.groups()));
    }

    /** When the session ends if nothing more is asked. */
    Instant expires(SignedIn who) {
        return Collections.min(List.of(longest(who), clock.instant().plus(settings.idle())));
    }

    private Instant longest(SignedIn who) {
        return who.since().plus(settings.longest());
    }

    /** The token that changes of this session need; null outside of a session. */
    static @Nullable CsrfToken csrfOf(HttpServletRequest request) {
        return request.getSession(false) != null
                        && request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
                ? token
                : null;
    }
}
