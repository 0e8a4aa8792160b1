package dev.slipway.helm;

import java.util.List;

/**
 * How a chart repository is reached: credentials and CAs, all as data. No text of it shows them.
 *
 * @param user the user name, or empty
 * @param password the password or token, or empty
 * @param authorities PEM of the only CAs that are trusted; empty for the system's
 */
public record ChartAccess(String user, String password, String authorities) {

    /** No credentials, the system's CAs. */
    public static final ChartAccess PUBLIC = new ChartAccess("", "", "");

    List<String> secrets() {
        return password.isEmpty() ? List.of() : List.of(password);
    }

    @Override
    public String toString() {
        return "ChartAccess (hidden)";
    }
}
