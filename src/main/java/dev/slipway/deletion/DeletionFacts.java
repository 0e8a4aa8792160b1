package dev.slipway.deletion;

/** The facts of a deletion: those that it starts with, and those that phases record for later ones. */
public final class DeletionFacts {

    /** Which mode was asked for; absent: the object's policy decides. */
    public static final String MODE = "deletion.mode";

    /** Who asked: a user, or {@code kubernetes}. */
    public static final String BY = "deletion.by";

    /** {@code true}: only a plan is made. */
    public static final String DRY_RUN = "deletion.dryRun";

    /** What is deleted: {@code WorkloadCluster}, or {@code Cluster} if nobody declared one. */
    public static final String SUBJECT = "deletion.subject";

    /** The mode that the first phase decided on. */
    public static final String EFFECTIVE_MODE = "deletion.effectiveMode";

    /** Tells the diagram whether only a plan was made: {@code true} or {@code false}. */
    public static final String PLANNED = "dryRun";

    /** What a dry run found, for people. */
    public static final String PLAN = "plan";

    /** When the deletion was asked for, ISO 8601. */
    public static final String REQUESTED_AT = "deletion.requestedAt";

    /** What paused the cluster before the deletion ended it. */
    public static final String WAS_PAUSED = "deletion.wasPaused";

    /** The UID of the Cluster; empty if there was none. */
    public static final String CLUSTER_UID = "deletion.clusterUid";

    /** Where the cluster comes from: a name of {@link dev.slipway.imports.ImportTarget.Origin}. */
    public static final String ORIGIN = "deletion.origin";

    /** Its control plane and infrastructure: {@code <group>|<kind>|<name>}, separated by blanks. */
    public static final String REFS = "deletion.refs";

    /** The API groups that its machines' infrastructure is of, separated by blanks. */
    public static final String GROUPS = "deletion.groups";

    /** The recorded identity of the workload cluster; may be empty. */
    public static final String IDENTITY = "deletion.identity";

    /** The UID of the platform's record of the cluster; empty if there was none. */
    public static final String RECORD_UID = "deletion.recordUid";

    /** The secret with the kubeconfig. */
    public static final String KUBECONFIG = "deletion.kubeconfig";

    /** Whether the workload cluster is worked in: a name of {@link Remote}. */
    public static final String REMOTE = "deletion.remote";

    /** The phases that went on by force, separated by blanks. */
    public static final String FORCED = "deletion.forced";

    private DeletionFacts() {}
}
