package dev.slipway.cluster;

/** How far the name of a cluster has to be the only one of its kind. */
@FunctionalInterface
public interface NameScope {

    /** Whether no two clusters may have one name, though they are in different namespaces. */
    boolean acrossNamespaces();
}
