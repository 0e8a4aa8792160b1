package dev.slipway.engine.identity;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Who may sign in at first.
 *
 * @param adminPassword the password of the user {@code admin}; null or empty: kept as it is, or generated at first start
 */
@ConfigurationProperties("slipway.security")
public record IdentitySettings(@Nullable String adminPassword) {

    private static final int SHORTEST = 8;

    public IdentitySettings {
        if (adminPassword != null && !adminPassword.isEmpty() && adminPassword.length() < SHORTEST) {
            throw new IllegalArgumentException(
                    "slipway.security.admin-password (SLIPWAY_ADMIN_PASSWORD) has fewer than " + SHORTEST
                            + " characters: choose a longer one, or leave it out to have one generated");
        }
    }

    /** Whether a password was given. */
    boolean hasAdminPassword() {
        return adminPassword != null && !adminPassword.isEmpty();
    }

    @Override
    public String toString() {
        return "IdentitySettings[adminPassword=" + (hasAdminPassword() ? "***" : "") + "]";
    }
}
