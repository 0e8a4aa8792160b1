package dev.slipway.security;

/** What somebody may do. */
public enum Action {
    /** See clusters, work items, flows and all that belongs to them. */
    READ,
    /** Make clusters. */
    CREATE,
    /** Start flows, decide, retry, replace credentials. */
    OPERATE,
    /** Delete clusters and work items. */
    DELETE,
    /** Deploy diagrams. */
    DEPLOY,
    /** Users, permissions, and how the node does. */
    ADMIN
}
