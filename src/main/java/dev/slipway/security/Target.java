package dev.slipway.security;

import dev.slipway.kubernetes.ResourceType;

/**
 * With what something is done.
 *
 * @param type clusters or work items
 * @param namespace where; empty for everywhere
 * @param name which; empty for any
 */
record Target(ResourceType type, String namespace, String name) {

    static Target cluster(String namespace, String name) {
        return new Target(ResourceType.WORKLOAD_CLUSTERS, namespace, name);
    }

    static Target workItem(String namespace, String name) {
        return new Target(ResourceType.WORK_ITEMS, namespace, name);
    }

    String display() {
        String kind = type.plural();
        if (namespace.isEmpty()) {
            return kind + " of all namespaces";
        }
        return name.isEmpty() ? kind + " in " + namespace : kind + " " + namespace + "/" + name;
    }
}
