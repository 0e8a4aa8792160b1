package dev.slipway.deletion;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a deletion would do, as things stand.
 *
 * @param mode in which mode
 * @param items what it meets, by kind
 * @param warnings what a person should know before
 */
public record DeletionPreview(DeletionMode mode, List<Item> items, List<String> warnings) {

    public DeletionPreview {
        items = List.copyOf(items);
        warnings = List.copyOf(warnings);
    }

    /**
     * Objects of one kind.
     *
     * @param kind the kind
     * @param where {@code management}, {@code workload} or {@code platform}
     * @param action what becomes of them: {@code delete}, {@code keep} or {@code release}
     * @param owner who takes them away, for example {@code Cluster API}
     * @param names which
     */
    public record Item(String kind, String where, String action, String owner, List<String> names) {

        public Item {
            names = List.copyOf(names);
        }

        /** How many. */
        public int count() {
            return names.size();
        }

        private String sentence() {
            String shown = names.stream().limit(3).collect(Collectors.joining(", "));
            return action + " " + names.size() + " " + kind + " (" + shown + (names.size() > 3 ? ", …" : "") + ") by "
                    + owner;
        }
    }

    /** For people: one line each. */
    public String text() {
        List<String> lines = new ArrayList<>();
        items.forEach(item -> lines.add(item.sentence()));
        warnings.forEach(warning -> lines.add("note: " + warning));
        return String.join("\n", lines);
    }

    /** For people, in one sentence. */
    public String summary() {
        return mode.text() + ": "
                + items.stream()
                        .map(item -> item.action() + " " + item.count() + " " + item.kind())
                        .collect(Collectors.joining(", "));
    }
}
