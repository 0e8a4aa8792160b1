package dev.slipway.diagnosis;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Takes out of foreign words what could be a secret: other programs quote keys and tokens in conditions and Events.
 *
 * <p>Rather too much than too little: a support case travels far.
 */
final class Redaction {

    private static final String BLANK = "[blanked]";
    private static final int LONGEST = 800;

    private record Rule(Pattern pattern, String replacement) {}

    private static final List<Rule> RULES = List.of(
            // Cut-off blocks too: to the end of the text.
            rule("-----BEGIN [A-Z0-9 ]+-----.*?(-----END [A-Z0-9 ]+-----|$)", "[PEM block blanked]"),
            // The same in base64, as kubeconfigs hold it.
            rule("LS0tLS1CRUdJT[A-Za-z0-9+/=_-]*", "[base64 of a PEM block blanked]"),
            rule("\\beyJ[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]{4,}(\\.[A-Za-z0-9_-]*)?", "[token blanked]"),
            // A plain word is prose: "bearer authentication", "basic constraints".
            rule("\\b((?i:bearer|basic))\\s+(?![a-z]+\\b(?![._~+/=-]))[A-Za-z0-9._~+/=-]{6,}", "$1 " + BLANK),
            rule("(?i)\\b(authorization[\"']?\\s*[:=]\\s*[\"']?)(?!(bearer|basic)\\b)[^\\s\"',;]+", "$1" + BLANK),
            // user:password@ of URLs.
            rule("(?i)\\b([a-z][a-z0-9+.-]*://)[^/\\s\"'<>]*@", "$1" + BLANK + "@"),
            // A kubeadm bootstrap token.
            rule("\\b[a-z0-9]{6}\\.[a-z0-9]{16}\\b", "[token blanked]"),
            rule(
                    "(?i)([\\w.-]*(?:passw(?:or)?d|pwd|passphrase|client-key-data|private[-_]?key|api[-_]?key"
                            + "|access[-_]?key)[\"']?\\s*[:=]\\s*[\"']?)[^\\s\"',;&]+",
                    "$1" + BLANK),
            // A plain word after a colon is prose: "token: expired".
            rule(
                    "(?i)([\\w.-]*(?:token|secret|credential|signature|\\bsig)s?[\"']?\\s*[:=]\\s*[\"']?)"
                            + "(?!(?-i:[a-z]+)[\\s.,;:)]|(?-i:[a-z]+)$)[^\\s\"',;&]+",
                    "$1" + BLANK));

    private Redaction() {}

    /** The text on one line, without secrets and control characters, cut to a sensible length. */
    static String clean(String text) {
        String clean = text;
        for (Rule rule : RULES) {
            clean = rule.pattern().matcher(clean).replaceAll(rule.replacement());
        }
        clean = clean.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}]+", " ").strip();
        return clean.length() <= LONGEST ? clean : clean.substring(0, LONGEST) + "…";
    }

    private static Rule rule(String regex, String replacement) {
        return new Rule(Pattern.compile(regex, Pattern.DOTALL), replacement);
    }
}
