package dev.slipway.status;

import dev.slipway.phase.ClusterRef;
import java.util.ArrayList;
import java.util.List;

/**
 * What stands in the way of a deleted cluster object.
 *
 * @param cluster whose deletion
 * @param activeFlows the kinds of the flows that still run
 * @param clusterApiCluster whether the Cluster API Cluster of that name still exists
 * @param machines how many Machines of the cluster still exist
 * @param secrets how many secrets carry the cluster's label
 * @param finalizerIndex where Slipway's finalizer stands in the object's list; -1 if it is not there
 */
public record Deletion(
        ClusterRef cluster,
        List<String> activeFlows,
        boolean clusterApiCluster,
        int machines,
        int secrets,
        int finalizerIndex) {

    /** The finalizer that keeps the object until Slipway has nothing left to do for it. */
    public static final String FINALIZER = "slipway.dev/workload-cluster";

    /** Says what remains, and the commands that end it. */
    Condition condition() {
        if (!activeFlows.isEmpty()) {
            return says("WaitingForFlows", "Waiting for the running flows to end: " + String.join(", ", activeFlows));
        }
        if (finalizerIndex < 0) {
            return says("WaitingForOthers", "Slipway has released the object; another finalizer keeps it");
        }
        List<String> remaining = remaining();
        return remaining.isEmpty()
                ? says(
                        "WaitingForRelease",
                        "Nothing of the cluster remains. This version does not release it. " + steps())
                : says(
                        "ObjectsRemain",
                        "Still there: " + String.join(", ", remaining) + ". This version deletes no cluster. "
                                + steps());
    }

    private static Condition says(String reason, String message) {
        return Condition.yes(ConditionType.DELETING, reason, message);
    }

    private List<String> remaining() {
        List<String> remaining = new ArrayList<>();
        if (clusterApiCluster) {
            remaining.add("the Cluster API Cluster " + cluster.display());
        }
        if (machines > 0) {
            remaining.add(machines + (machines == 1 ? " Machine" : " Machines"));
        }
        if (secrets > 0) {
            remaining.add(secrets + (secrets == 1 ? " Secret" : " Secrets") + " with its label");
        }
        return remaining;
    }

    private String steps() {
        String name = cluster.name() + " -n " + cluster.namespace();
        List<String> steps = new ArrayList<>();
        if (clusterApiCluster) {
            steps.add(
                    "Delete the cluster with its machines and wait: kubectl delete clusters.cluster.x-k8s.io " + name);
        } else if (machines > 0) {
            steps.add("Wait until the Machines are gone, or find out what keeps them");
        }
        if (secrets > 0) {
            steps.add("Delete the Secrets that then remain, if nobody needs them: kubectl delete secrets -n "
                    + cluster.namespace() + " -l cluster.x-k8s.io/cluster-name=" + cluster.name());
        }
        steps.add("Release the object: kubectl patch workloadclusters.slipway.dev " + name + " --type=json -p '"
                + releasePatch() + "'");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < steps.size(); i++) {
            text.append(i == 0 ? "" : "; ").append(i + 1).append(". ").append(steps.get(i));
        }
        return text.toString();
    }

    private String releasePatch() {
        // The test makes the patch harmless when the list has changed since.
        String path = "/metadata/finalizers/" + finalizerIndex;
        return "[{\"op\":\"test\",\"path\":\"" + path + "\",\"value\":\"" + FINALIZER
                + "\"},{\"op\":\"remove\",\"path\":\"" + path + "\"}]";
    }
}
