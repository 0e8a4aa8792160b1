package dev.slipway.helm;

import dev.slipway.kubernetes.KubeObject;
import java.util.Optional;

/**
 * Names one object of one cluster, whatever version of its kind is served.
 *
 * @param group the API group, empty for the core group
 * @param kind the kind
 * @param namespace empty for cluster-scoped kinds
 * @param name the object's name
 */
public record ObjectId(String group, String kind, String namespace, String name) {

    static ObjectId of(KubeObject object) {
        return new ObjectId(group(object), object.kind(), object.namespace(), object.name());
    }

    static String group(KubeObject object) {
        int slash = object.apiVersion().indexOf('/');
        return slash < 0 ? "" : object.apiVersion().substring(0, slash);
    }

    /** Reads what {@link #display} wrote; empty if it is something else. */
    public static Optional<ObjectId> parse(String text) {
        int blank = text.indexOf(' ');
        if (blank < 1 || blank == text.length() - 1) {
            return Optional.empty();
        }
        String type = text.substring(0, blank);
        String path = text.substring(blank + 1);
        int dot = type.indexOf('.');
        int slash = path.indexOf('/');
        return Optional.of(new ObjectId(
                dot < 0 ? "" : type.substring(dot + 1),
                dot < 0 ? type : type.substring(0, dot),
                slash < 0 ? "" : path.substring(0, slash),
                path.substring(slash + 1)));
    }

    /** For messages, for example {@code Deployment.apps team/web}. */
    public String display() {
        String type = group.isEmpty() ? kind : kind + "." + group;
        return type + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }

    /** Whether its deletion would take with it what others made. */
    boolean holdsOthers() {
        return (group.isEmpty() && kind.equals("Namespace"))
                || (group.equals("apiextensions.k8s.io") && kind.equals("CustomResourceDefinition"));
    }
}
