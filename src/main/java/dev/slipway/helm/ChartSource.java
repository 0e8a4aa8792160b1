package dev.slipway.helm;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A chart in a repository.
 *
 * @param url {@code https://} of a repository with an {@code index.yaml}, or {@code oci://} of what stands before the
 *     chart's name in a registry
 * @param chart the chart's name
 * @param version an exact version, a constraint such as {@code ^1.2}, or empty for the newest release
 * @param access credentials and CAs
 */
public record ChartSource(String url, String chart, String version, ChartAccess access) {

    private static final Pattern CHART = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._]*");
    private static final Pattern EXACT = Pattern.compile("v?\\d+\\.\\d+\\.\\d+(-[-0-9A-Za-z.]+)?(\\+[-0-9A-Za-z.]+)?");

    /** @throws Failure INVALID {@code ChartSourceInvalid} naming the field */
    public ChartSource {
        url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        check(url);
        if (!CHART.matcher(chart).matches()) {
            throw invalid("the chart's name '" + chart + "' is none", "Give the name as the repository lists it.");
        }
    }

    /** Whether the version is one, not a constraint. */
    public boolean exact() {
        return EXACT.matcher(version).matches();
    }

    /** The same chart in exactly that version. */
    public ChartSource at(String exactVersion) {
        return new ChartSource(url, chart, exactVersion, access);
    }

    /** Host and port. */
    String authority() {
        return URI.create(url).getRawAuthority();
    }

    /** For messages: without credentials. */
    public String display() {
        return "the chart " + chart + (version.isEmpty() ? "" : " " + version) + " of " + url;
    }

    private static void check(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw invalid("its URL is none", "Give a URL that starts with https:// or oci://.");
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (uri.getHost() == null || !(scheme.equals("https") || scheme.equals("oci"))) {
            throw invalid("its URL is neither https:// nor oci:// with a host", "Correct the URL.");
        }
        if (uri.getRawUserInfo() != null || uri.getRawQuery() != null) {
            // They would end up in messages and in the release's record.
            throw invalid("its URL holds credentials or a query", "Put credentials into the Secret.");
        }
    }

    private static Failure invalid(String what, String remedy) {
        return new Failure(
                ErrorClass.INVALID,
                "ChartSourceInvalid",
                "The chart's source cannot be used: " + what + ".",
                List.of(remedy),
                null,
                null);
    }
}
