package dev.slipway.cluster;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Fills in the variables of a template, as {@code clusterctl generate cluster} does.
 *
 * <ul>
 *   <li><code>${NAME}</code>: the value; missing unless one is given
 *   <li><code>${NAME:=default}</code>, <code>${NAME:-default}</code>, <code>${NAME=default}</code>: the value, or the
 *       default if it is absent or empty; a default may hold variables itself
 *   <li>{@code $$}: one dollar sign, so <code>$${NAME}</code> stays <code>${NAME}</code>
 *   <li>{@code $NAME} and {@code $(NAME)}: left alone
 * </ul>
 *
 * <p>Other functions of a shell are refused with their line, never guessed.
 */
final class TemplateText {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final int DEPTH = 8;

    private final String text;
    private final Map<String, String> values;
    private final Set<String> missing = new LinkedHashSet<>();
    private final Set<String> used = new LinkedHashSet<>();
    private final Set<String> errors = new LinkedHashSet<>();
    private int position;

    private TemplateText(String text, Map<String, String> values) {
        this.text = text;
        this.values = values;
    }

    /**
     * What came out.
     *
     * @param text the text with all values; not to be used if anything is missing or wrong
     * @param missing variables without value and default
     * @param used all variables that the template knows
     * @param errors what cannot be read, with the line
     */
    record Rendered(String text, Set<String> missing, Set<String> used, Set<String> errors) {}

    static Rendered render(String text, Map<String, String> values) {
        TemplateText template = new TemplateText(text, values);
        String result = template.plain();
        return new Rendered(result, template.missing, template.used, template.errors);
    }

    private String plain() {
        StringBuilder out = new StringBuilder(text.length());
        while (position < text.length()) {
            if (text.startsWith("$$", position)) {
                out.append('$');
                position += 2;
            } else if (text.startsWith("${", position)) {
                out.append(variable(0));
            } else {
                out.append(text.charAt(position++));
            }
        }
        return out.toString();
    }

    /** Reads from <code>${</code> to its closing brace, and gives the value. */
    private String variable(int depth) {
        int start = position;
        position += 2;
        String name = word();
        if (!NAME.matcher(name).matches() || depth > DEPTH) {
            return fail(start, "has no variable's name after ${");
        }
        used.add(name);
        String operator = operator();
        if (operator.isEmpty()) {
            if (position < text.length() && text.charAt(position) == '}') {
                position++;
                return valueOf(name);
            }
            return fail(start, "is not ${NAME}, ${NAME:=default} or ${NAME:-default}");
        }
        position += operator.length();
        return withDefault(name, start, depth);
    }

    private String withDefault(String name, int start, int depth) {
        boolean given = !values.getOrDefault(name, "").isEmpty();
        StringBuilder otherwise = new StringBuilder();
        // What is missing inside a default that is not taken, is not missing.
        Set<String> before = new LinkedHashSet<>(missing);
        while (position < text.length()) {
            if (text.charAt(position) == '}') {
                position++;
                if (given) {
                    missing.retainAll(before);
                }
                return given ? values.getOrDefault(name, "") : otherwise.toString();
            }
            if (text.startsWith("${", position)) {
                otherwise.append(variable(depth + 1));
            } else {
                otherwise.append(text.charAt(position++));
            }
        }
        return fail(start, "has no closing brace");
    }

    private String valueOf(String name) {
        if (!values.containsKey(name)) {
            missing.add(name);
        }
        return values.getOrDefault(name, "");
    }

    private String operator() {
        for (String operator : new String[] {":=", ":-", "="}) {
            if (text.startsWith(operator, position)) {
                return operator;
            }
        }
        return "";
    }

    /** A name, with the blanks around it that old templates have. */
    private String word() {
        blanks();
        int start = position;
        while (position < text.length()
                && (Character.isLetterOrDigit(text.charAt(position)) || text.charAt(position) == '_')) {
            position++;
        }
        String word = text.substring(start, position);
        blanks();
        return word;
    }

    private void blanks() {
        while (position < text.length() && text.charAt(position) == ' ') {
            position++;
        }
    }

    private String fail(int start, String problem) {
        long line = text.substring(0, start).chars().filter(c -> c == '\n').count() + 1;
        String shown = text.substring(start, Math.min(text.length(), start + 30))
                .lines()
                .findFirst()
                .orElse("");
        errors.add("line " + line + ": '" + shown + "' " + problem);
        position = Math.max(position, start + 2);
        return "";
    }
}
