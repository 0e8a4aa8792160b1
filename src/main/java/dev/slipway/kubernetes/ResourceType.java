package dev.slipway.kubernetes;

/**
 * A kind as the API server serves it.
 *
 * @param group the API group, empty for the core group
 * @param version the served version, for example {@code v1beta2}
 * @param plural the resource's plural in URLs
 * @param kind the kind in manifests
 * @param namespaced whether objects live in namespaces
 */
public record ResourceType(String group, String version, String plural, String kind, boolean namespaced) {

    public static final ResourceType SECRETS = core("secrets", "Secret", true);
    public static final ResourceType CONFIG_MAPS = core("configmaps", "ConfigMap", true);
    public static final ResourceType SERVICE_ACCOUNTS = core("serviceaccounts", "ServiceAccount", true);
    public static final ResourceType EVENTS = core("events", "Event", true);
    public static final ResourceType NAMESPACES = core("namespaces", "Namespace", false);
    public static final ResourceType PODS = core("pods", "Pod", true);
    public static final ResourceType NODES = core("nodes", "Node", false);
    public static final ResourceType CUSTOM_RESOURCE_DEFINITIONS = new ResourceType(
            "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false);
    public static final ResourceType CLUSTER_ROLES =
            new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false);
    public static final ResourceType CLUSTER_ROLE_BINDINGS =
            new ResourceType("rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", false);
    public static final ResourceType WORKLOAD_CLUSTERS =
            new ResourceType("slipway.dev", "v1alpha1", "workloadclusters", "WorkloadCluster", true);
    public static final ResourceType WORK_ITEMS =
            new ResourceType("slipway.dev", "v1alpha1", "workitems", "WorkItem", true);

    private static ResourceType core(String plural, String kind, boolean namespaced) {
        return new ResourceType("", "v1", plural, kind, namespaced);
    }

    /** The {@code apiVersion} of manifests: {@code v1} or {@code group/version}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** How people and messages name it: {@code plural} or {@code plural.group}. */
    public String display() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
