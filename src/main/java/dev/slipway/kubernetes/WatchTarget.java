package dev.slipway.kubernetes;

import java.util.List;

/**
 * A kind to watch, and how its objects tell their cluster.
 *
 * @param group the API group
 * @param kind the kind
 * @param naming whether an object's name, its label or its reference is the cluster's name
 * @param whole whether whole objects are wanted; otherwise the server sends their metadata only
 */
record WatchTarget(String group, String kind, Naming naming, boolean whole) {

    static final String CLUSTER_LABEL = "cluster.x-k8s.io/cluster-name";
    private static final String CLUSTER_API = "cluster.x-k8s.io";

    static final WatchTarget WORKLOAD_CLUSTERS = new WatchTarget(
            ResourceType.WORKLOAD_CLUSTERS.group(), ResourceType.WORKLOAD_CLUSTERS.kind(), Naming.OWN_NAME, true);

    static final WatchTarget WORK_ITEMS =
            new WatchTarget(ResourceType.WORK_ITEMS.group(), ResourceType.WORK_ITEMS.kind(), Naming.CLUSTER_REF, true);

    static final WatchTarget CLUSTER_API_CLUSTERS = new WatchTarget(CLUSTER_API, "Cluster", Naming.OWN_NAME, false);

    /** Everything that a cluster's phases look at. */
    static final List<WatchTarget> ALL = List.of(
            WORKLOAD_CLUSTERS,
            WORK_ITEMS,
            CLUSTER_API_CLUSTERS,
            new WatchTarget(CLUSTER_API, "MachineDeployment", Naming.LABEL, false),
            new WatchTarget(CLUSTER_API, "Machine", Naming.LABEL, false),
            new WatchTarget("controlplane.cluster.x-k8s.io", "KubeadmControlPlane", Naming.LABEL, false),
            new WatchTarget("", "Secret", Naming.LABEL, false));

    /** How an object tells its cluster. */
    enum Naming {
        OWN_NAME,
        LABEL,
        CLUSTER_REF
    }

    String display() {
        return group.isEmpty() ? kind : kind + "." + group;
    }

    /** The name of the object's cluster; empty if it has none. */
    String clusterOf(KubeObject object) {
        return switch (naming) {
            case OWN_NAME -> object.name();
            case LABEL -> object.labels().getOrDefault(CLUSTER_LABEL, "");
            case CLUSTER_REF -> object.text("spec", "clusterRef", "name").orElse("");
        };
    }

    /** The request for the kind's objects: of what matters only, as small as the server makes it. */
    RestRequest request(ResourceType type, String namespace, boolean watch) {
        RestRequest request = RestRequest.get(Paths.collection(type, namespace));
        if (naming == Naming.LABEL) {
            request = request.with("labelSelector", CLUSTER_LABEL);
        }
        if (whole) {
            return request;
        }
        // No secret's content ever gets here.
        String as = watch ? "PartialObjectMetadata" : "PartialObjectMetadataList";
        return request.accepting("application/json;as=" + as + ";g=meta.k8s.io;v=v1");
    }
}
