package dev.slipway.phase;

/**
 * Names one cluster for its whole life.
 *
 * @param namespace the namespace of the WorkloadCluster
 * @param name the name of the WorkloadCluster
 * @param uid the UID of the WorkloadCluster; a re-created object of the same name is another cluster
 */
public record ClusterRef(String namespace, String name, String uid) {

    /** The engine's business key: {@code <namespace>/<name>@<uid>}. */
    public String businessKey() {
        return namespace + "/" + name + "@" + uid;
    }

    /** What people call it: {@code <namespace>/<name>}. */
    public String display() {
        return namespace + "/" + name;
    }
}
