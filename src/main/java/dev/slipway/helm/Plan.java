package dev.slipway.helm;

import java.util.List;

/**
 * What an installation would change, without any value: those may be secret.
 *
 * @param changes objects in the order of the manifest, removed ones last
 * @param problems what the API server would refuse, in its words; it was asked with a dry run
 */
public record Plan(List<Change> changes, List<String> problems) {

    public Plan {
        changes = List.copyOf(changes);
        problems = List.copyOf(problems);
    }

    /** What happens to an object. */
    public enum Kind {
        ADD,
        CHANGE,
        REMOVE
    }

    /**
     * One object.
     *
     * @param kind what happens to it
     * @param object which one
     * @param fields the fields that change, for example {@code spec.replicas}; at most 20
     */
    public record Change(Kind kind, ObjectId object, List<String> fields) {

        public Change {
            fields = List.copyOf(fields);
        }
    }
}
