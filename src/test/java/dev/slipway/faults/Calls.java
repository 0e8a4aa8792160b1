package dev.slipway.faults;

import java.util.Set;
import java.util.function.Predicate;

/** Which calls a fault is meant for; patterns are joined by "and". */
public final class Calls {

    private Calls() {}

    /** Every call. */
    public static Predicate<ApiCall> all() {
        return call -> true;
    }

    /** Calls with one of these verbs: get, list, watch, create, update, patch, delete. */
    public static Predicate<ApiCall> verb(String... verbs) {
        Set<String> wanted = Set.of(verbs);
        return call -> wanted.contains(call.verb());
    }

    /** Calls that could change something. */
    public static Predicate<ApiCall> writes() {
        return verb("create", "update", "patch", "delete", "deletecollection");
    }

    /** Calls of one of these plurals, in whatever group. */
    public static Predicate<ApiCall> resource(String... plurals) {
        Set<String> wanted = Set.of(plurals);
        return call -> wanted.contains(call.resource());
    }

    /** Calls in that API group. */
    public static Predicate<ApiCall> group(String group) {
        return call -> call.group().equals(group);
    }

    /** Calls in that namespace. */
    public static Predicate<ApiCall> namespace(String namespace) {
        return call -> call.namespace().equals(namespace);
    }

    /** Calls of an object of that name; creates name theirs in the body and do not match. */
    public static Predicate<ApiCall> name(String name) {
        return call -> call.name().equals(name);
    }

    /** Calls of that subresource, for example {@code status}. */
    public static Predicate<ApiCall> subresource(String subresource) {
        return call -> call.subresource().equals(subresource);
    }
}
