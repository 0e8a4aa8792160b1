package dev.slipway.cluster;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Kubernetes manifests write them: {@code 8760h}, {@code 1h30m}, {@code 45s}. */
final class GoDuration {

    // The same grammar as in the custom resource's rules: seven digits a part cannot overflow.
    private static final Pattern SYNTAX = Pattern.compile("(?:(\\d{1,7})h)?(?:(\\d{1,7})m)?(?:(\\d{1,7})s)?");

    private GoDuration() {}

    /**
     * Reads hours, minutes and seconds, in this order, each optional.
     *
     * @throws IllegalArgumentException with the text and an example, if it is none
     */
    static Duration parse(String text) {
        Matcher parts = SYNTAX.matcher(text);
        if (text.isEmpty() || !parts.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration in hours, minutes and seconds like 8760h or 1h30m");
        }
        return Duration.ofHours(part(parts, 1)).plusMinutes(part(parts, 2)).plusSeconds(part(parts, 3));
    }

    private static long part(Matcher parts, int group) {
        String digits = parts.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
