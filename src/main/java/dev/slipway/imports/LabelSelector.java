package dev.slipway.imports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Selects objects by their labels, written as kubectl takes it: {@code a=b,c!=d,e,!f,x in (y,z),v notin (w)}.
 *
 * <p>As in Kubernetes, {@code !=} and {@code notin} also match objects without the label.
 */
public final class LabelSelector {

    private static final String KEY =
            "(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?";
    private static final String VALUE = "(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?";
    private static final Pattern SET = Pattern.compile("(" + KEY + ")\\s+(in|notin)\\s*\\(([^()]*)\\)", Pattern.DOTALL);
    private static final Pattern EQUALITY = Pattern.compile("(" + KEY + ")\\s*(==|=|!=)\\s*(" + VALUE + ")");
    private static final Pattern EXISTENCE = Pattern.compile("(!?)\\s*(" + KEY + ")");
    private static final Pattern ONE_VALUE = Pattern.compile(VALUE);
    private static final int LONGEST_NAME = 63;

    private final List<Requirement> requirements;

    /**
     * One condition.
     *
     * @param key the label's key
     * @param values the values that match, or do not; empty: any value
     * @param positive whether a match is wanted
     */
    private record Requirement(String key, Set<String> values, boolean positive) {

        boolean holds(Map<String, String> labels) {
            boolean matches = values.isEmpty()
                    ? labels.containsKey(key)
                    : Optional.ofNullable(labels.get(key))
                            .filter(values::contains)
                            .isPresent();
            return matches == positive;
        }
    }

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    /**
     * Reads a selector; an empty one selects everything.
     *
     * @throws IllegalArgumentException that names the part which cannot be read
     */
    public static LabelSelector parse(String text) {
        List<Requirement> requirements = new ArrayList<>();
        if (!text.isBlank()) {
            for (String part : parts(text)) {
                requirements.add(requirement(part.strip()));
            }
        }
        return new LabelSelector(requirements);
    }

    /** Whether an object with those labels is selected. */
    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.holds(labels));
    }

    /** Splits at commas outside of parentheses. */
    private static List<String> parts(String text) {
        return Arrays.asList(text.split(",(?![^(]*\\))", -1));
    }

    private static Requirement requirement(String part) {
        Matcher set = SET.matcher(part);
        if (set.matches()) {
            Set<String> values = new TreeSet<>();
            for (String value : set.group(3).split(",", -1)) {
                values.add(value(value.strip(), part));
            }
            return new Requirement(key(set.group(1), part), values, set.group(2).equals("in"));
        }
        Matcher equality = EQUALITY.matcher(part);
        if (equality.matches()) {
            Set<String> values = Set.of(value(equality.group(3), part));
            return new Requirement(
                    key(equality.group(1), part), values, !equality.group(2).equals("!="));
        }
        Matcher existence = EXISTENCE.matcher(part);
        if (existence.matches()) {
            return new Requirement(
                    key(existence.group(2), part), Set.of(), existence.group(1).isEmpty());
        }
        throw unreadable(part, "write it as a=b, a!=b, a, !a, a in (b,c) or a notin (b,c)");
    }

    private static String key(String key, String part) {
        int slash = key.indexOf('/');
        if (key.length() - slash - 1 > LONGEST_NAME) {
            throw unreadable(part, "the name of a label has at most " + LONGEST_NAME + " characters");
        }
        return key;
    }

    private static String value(String value, String part) {
        if (value.length() > LONGEST_NAME || !ONE_VALUE.matcher(value).matches()) {
            throw unreadable(
                    part, "'" + value + "' is no value of a label: at most " + LONGEST_NAME + " of a-z A-Z 0-9 - _ .");
        }
        return value;
    }

    private static IllegalArgumentException unreadable(String part, String remedy) {
        return new IllegalArgumentException("'" + part + "' is no part of a label selector: " + remedy);
    }
}
