package dev.slipway.platform;

import java.time.Instant;

/**
 * What is known of one of a cluster's credentials when one of them must be chosen.
 *
 * @param name its name
 * @param uid its UID
 * @param created when it was made
 * @param use who refers to it
 * @param proof whether the workload cluster accepts it
 * @param createdByUs whether Slipway made it
 * @param deleting whether its deletion was requested
 */
public record CredentialCandidate(
        String name, String uid, Instant created, Use use, Proof proof, boolean createdByUs, boolean deleting) {

    /** Which platform Cluster refers to a credential. */
    public enum Use {
        /** None. */
        NONE,
        /** The one that the credentials are ranked for. */
        THIS_CLUSTER,
        /** Another one, or the credential itself names another cluster. */
        ANOTHER_CLUSTER
    }

    /** What a call with the credential showed. Ordered from worst to best. */
    public enum Proof {
        /** The workload cluster refuses it. */
        REFUSED,
        /** Nobody could tell: not tried, or the workload cluster did not answer. */
        UNKNOWN,
        /** The workload cluster accepts it. */
        ACCEPTED
    }
}
