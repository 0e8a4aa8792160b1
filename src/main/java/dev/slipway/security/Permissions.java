package dev.slipway.security;

/**
 * Asks whether whoever makes a request may do something.
 *
 * <p>Paths and methods are checked before a controller is called. Controllers ask only where the body decides.
 */
@FunctionalInterface
public interface Permissions {

    /**
     * Requires that whoever makes this request may do that with that cluster.
     *
     * @param namespace the cluster's; empty for all
     * @param name the cluster's; empty for any
     * @throws org.springframework.security.access.AccessDeniedException answered as 403 with code and remedy
     */
    void require(Action action, String namespace, String name);
}
