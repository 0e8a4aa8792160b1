package dev.slipway.cluster;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import org.springframework.stereotype.Component;

/** Finds the two objects that a flow is about, live, and makes sure that they are still the same ones. */
@Component
public class LiveClusters {

    /** The fact that holds the UID of the Cluster API Cluster. */
    public static final String CAPI_CLUSTER_UID = "capiClusterUid";

    private final LiveReader reader;
    private final ClusterApi api;

    public LiveClusters(LiveReader reader, ClusterApi api) {
        this.reader = reader;
        this.api = api;
    }

    /**
     * Reads the WorkloadCluster of the flow.
     *
     * @throws Failure IDENTITY {@code WorkloadClusterGone} or {@code WorkloadClusterReplaced}; INVALID if it cannot be
     *     read
     */
    public WorkloadCluster declared(PhaseContext context) {
        ClusterRef ref = context.cluster();
        KubeObject object = reader.get(ResourceType.WORKLOAD_CLUSTERS, ref.namespace(), ref.name())
                .orElseThrow(() -> identity(
                        "WorkloadClusterGone",
                        "WorkloadCluster " + ref.display() + " does not exist any more",
                        "Abort the flow: nothing is left to work on"));
        if (!object.uid().equals(ref.uid())) {
            throw identity(
                    "WorkloadClusterReplaced",
                    "WorkloadCluster " + ref.display() + " was deleted and made anew: its UID is " + object.uid()
                            + ", the flow is about " + ref.uid(),
                    "Abort this flow; the new WorkloadCluster has its own");
        }
        return WorkloadCluster.of(object);
    }

    /** What a phase that makes things answers while its WorkloadCluster is being deleted. */
    public static Outcome waitForDeletion(WorkloadCluster cluster) {
        return Outcome.waiting(
                "WaitingForDeletion", cluster.display() + " is being deleted: nothing more is made for it");
    }

    /**
     * Reads the Cluster API Cluster that an earlier phase made.
     *
     * @throws Failure IDENTITY {@code ClusterGone} or {@code ClusterReplaced}
     */
    public CapiCluster built(PhaseContext context) {
        ClusterRef ref = context.cluster();
        CapiCluster cluster = api.cluster(ref.namespace(), ref.name())
                .orElseThrow(() -> identity(
                        "ClusterGone",
                        "Cluster " + ref.display() + " of Cluster API was there and is gone: somebody deleted it",
                        "Delete the WorkloadCluster, or retry from EnsureClusterApiObjects to build it again"));
        requireSame(context, cluster);
        return cluster;
    }

    /**
     * Refuses a Cluster API Cluster that is not the one that this flow recorded.
     *
     * @throws Failure IDENTITY {@code ClusterReplaced}
     */
    public void requireSame(PhaseContext context, CapiCluster cluster) {
        String recorded = context.fact(CAPI_CLUSTER_UID).orElse(cluster.uid());
        if (!recorded.equals(cluster.uid())) {
            throw identity(
                    "ClusterReplaced",
                    cluster.display() + " was deleted and made anew: its UID is " + cluster.uid() + ", recorded was "
                            + recorded,
                    "Find out who replaced it; then delete the WorkloadCluster and make a new one");
        }
    }

    private static Failure identity(String code, String message, String action) {
        return new Failure(ErrorClass.IDENTITY, code, message, List.of(action), null, null);
    }
}
