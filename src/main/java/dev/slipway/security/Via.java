package dev.slipway.security;

import java.util.Locale;

/** How somebody proved who they are. */
public enum Via {
    /** Name and password, kept in a session. */
    SESSION,
    /** A provider of single sign-on, kept in a session. */
    OIDC,
    /** Name and password with each request. */
    BASIC,
    /** A token of the management cluster with each request. */
    KUBERNETES;

    /** For answers and records, for example "basic". */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
