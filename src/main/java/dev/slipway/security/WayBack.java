package dev.slipway.security;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where somebody comes back to after signing in: a path of Slipway, never another site. */
final class WayBack {

    static final String HOME = "/";

    /** One slash at first; no backslash, which browsers take for a slash; nothing that ends a header. */
    private static final Pattern OWN = Pattern.compile("/(?![/\\\\])[^\\\\\\p{Cntrl}]{0,2000}");

    private WayBack() {}

    /** The path if it is one of Slipway, else the console. */
    static String of(@Nullable String wanted) {
        return wanted != null && OWN.matcher(wanted).matches() ? wanted : HOME;
    }
}
