package dev.slipway.cluster;

import dev.slipway.kubernetes.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How many workers a cluster shall have and how many joined.
 *
 * @param desired the sum over machine deployments and machine pools
 * @param nodes the names of the nodes that workers became
 * @param missingGroups groups of the topology that have no machine deployment yet
 * @param waiting worker machines without a node
 */
public record WorkerCount(int desired, Set<String> nodes, List<String> missingGroups, List<MachineView> waiting) {

    private static final String GROUP_LABEL = "topology.cluster.x-k8s.io/deployment-name";

    /** Counts live. */
    public static WorkerCount of(ClusterApi api, CapiCluster cluster, List<MachineView> machines) {
        List<KubeObject> deployments = api.list("MachineDeployment", cluster);
        List<KubeObject> pools = api.list("MachinePool", cluster);
        List<String> missing = new ArrayList<>(cluster.workerGroups());
        deployments.forEach(deployment -> missing.remove(deployment.labels().getOrDefault(GROUP_LABEL, "")));
        List<MachineView> workers =
                machines.stream().filter(machine -> !machine.controlPlane()).toList();
        Set<String> nodes = workers.stream()
                .filter(machine -> !machine.object().deleting())
                .flatMap(machine -> machine.node().stream())
                .collect(Collectors.toSet());
        pools.forEach(pool -> pool.at("status", "nodeRefs")
                .forEach(node -> nodes.add(node.path("name").asText())));
        List<MachineView> waiting =
                workers.stream().filter(machine -> machine.node().isEmpty()).toList();
        return new WorkerCount(replicas(deployments) + replicas(pools), nodes, missing, waiting);
    }

    /** How many of the desired ones must be there for that share, rounded up. */
    public int required(int percent) {
        return (int) (((long) desired * percent + 99) / 100);
    }

    /** Which workers have not joined and why; empty if nothing is known. */
    public String cause() {
        return MachineView.some(waiting);
    }

    private static int replicas(List<KubeObject> objects) {
        // Cluster API's own default is one.
        return objects.stream()
                .mapToInt(object -> object.at("spec", "replicas").asInt(1))
                .sum();
    }
}
