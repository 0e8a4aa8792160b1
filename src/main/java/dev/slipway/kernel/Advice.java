package dev.slipway.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a person can do about a stuck phase, as its documentation in the diagram says. */
final class Advice {

    private static final Pattern BEGIN = Pattern.compile("If it is stuck:\\s*([^\\n]*)");
    private static final Pattern SENTENCE = Pattern.compile("([^.\\s].*?)\\.(?=\\s|$)");
    private static final String NUMBER = "(^|(?<=[.?!])\\s+)[1-9]\\.\\s+";

    private Advice() {}

    /**
     * Reads what follows on "If it is stuck:": its numbered sentences, or else the first one.
     *
     * @return in order; empty if the documentation gives no advice
     */
    static List<String> in(String documentation) {
        Matcher begin = BEGIN.matcher(documentation);
        if (!begin.find()) {
            return List.of();
        }
        String text = begin.group(1).strip();
        if (text.startsWith("1. ")) {
            return Arrays.stream(text.split(NUMBER))
                    .filter(part -> !part.isBlank())
                    .map(Advice::sentence)
                    .toList();
        }
        Matcher first = SENTENCE.matcher(text);
        return first.lookingAt() ? List.of(sentence(first.group(1))) : List.of();
    }

    private static String sentence(String text) {
        String stripped = text.strip().replaceAll("\\.$", "");
        return Character.toUpperCase(stripped.charAt(0)) + stripped.substring(1);
    }
}
