package dev.slipway.helm;

import dev.slipway.kubernetes.KubeObject;

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
