package dev.slipway.security;

import java.time.Duration;
import org.springframework.security.core.AuthenticationException;

/** Too many wrong passwords: nothing is checked until some time has passed. */
final class TooManyAttempts extends AuthenticationException {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    TooManyAttempts(Duration retryAfter) {
        super("Too many failed attempts to sign in");
        this.retryAfter = retryAfter;
    }

    /** Whole seconds, at least one. */
    long seconds() {
        return Math.max(1, retryAfter.plusMillis(999).toSeconds());
    }
}
