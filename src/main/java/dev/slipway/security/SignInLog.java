package dev.slipway.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.slipway.audit.AuditAction;
import dev.slipway.audit.AuditBook;
import dev.slipway.audit.AuditEntry;
import dev.slipway.audit.AuditOrigins;
import dev.slipway.engine.identity.EngineAccounts;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.security.authentication.event.AuthenticationFailureBadCredentialsEvent;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Puts sign-ins, sign-outs and refusals into the audit book.
 *
 * <p>Never what somebody typed: people type passwords into the field for the name. Names of users that do not exist are
 * not kept.
 */
@Component
class SignInLog {

    private static final int LONGEST_WHAT = 128;
    private static final String NOBODY_KNOWN = "unknown";

    private final AuditBook book;
    private final EngineAccounts accounts;
    /** A program that is refused again and again is noted once a minute. */
    private final Cache<String, Boolean> noted = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(Duration.ofMinutes(1))
            .build();

    SignInLog(AuditBook book, EngineAccounts accounts) {
        this.book = book;
        this.accounts = accounts;
    }

    void signedIn(HttpServletRequest request, SignedIn who) {
        request.setAttribute(AuditOrigins.VIA, who.via().text());
        book.note(AuditEntry.of(AuditAction.SIGN_IN, who.getName(), who.person().provider()));
    }

    /** A wrong password; requests with the right one are noted by what they do. */
    void failed(HttpServletRequest request, String name, Via via) {
        request.setAttribute(AuditOrigins.VIA, via.text());
        String known = accounts.find(name).isPresent() ? name : NOBODY_KNOWN;
        book.note(AuditEntry.of(AuditAction.SIGN_IN, known, null)
                .ended(AuditEntry.REFUSED, "Unknown user or wrong password"));
    }

    /** The same for HTTP Basic. */
    @EventListener
    void failed(AuthenticationFailureBadCredentialsEvent event) {
        if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes web) {
            failed(web.getRequest(), event.getAuthentication().getName(), Via.BASIC);
        }
    }

    void signedOut(SignedIn who) {
        book.note(
                AuditEntry.of(AuditAction.SIGN_OUT, who.getName(), who.person().provider()));
    }

    void refused(HttpServletRequest request, String code) {
        Caller caller = Caller.current().orElse(null);
        if (caller == null) {
            return;
        }
        String what = request.getMethod() + " " + request.getRequestURI();
        if (noted.asMap().putIfAbsent(caller.name() + " " + what, true) == null) {
            book.note(AuditEntry.of(AuditAction.REFUSAL, caller.name(), shortened(what))
                    .ended(AuditEntry.REFUSED, code));
        }
    }

    private static @Nullable String shortened(String what) {
        return what.length() <= LONGEST_WHAT ? what : what.substring(0, LONGEST_WHAT - 1) + "…";
    }
}
