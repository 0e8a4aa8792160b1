package dev.slipway.cluster;

import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which nodes of a workload cluster are ready.
 *
 * @param nodes all nodes that its API lists, by name
 * @param controlPlane the nodes that control plane machines say they are
 * @param workers the worker machines
 */
public record NodeCount(Map<String, KubeObject> nodes, Set<String> controlPlane, WorkerCount workers) {

    /** Counts live, in both APIs. */
    public static NodeCount of(LiveReader workload, ClusterApi api, CapiCluster cluster) {
        List<MachineView> machines = api.machines(cluster);
        Map<String, KubeObject> nodes = new TreeMap<>();
        workload.list(ResourceType.NODES, "", Map.of()).forEach(node -> nodes.put(node.name(), node));
        Set<String> controlPlane = new TreeSet<>();
        machines.stream()
                .filter(machine -> machine.controlPlane() && !machine.object().deleting())
                .flatMap(machine -> machine.node().stream())
                .forEach(controlPlane::add);
        return new NodeCount(nodes, controlPlane, WorkerCount.of(api, cluster, machines));
    }

    /** Whether all control plane nodes and that share of the workers are ready; with no node at all it is not. */
    public boolean enough(int percent) {
        return !nodes.isEmpty()
                && unready(controlPlane).isEmpty()
                && workers.nodes().size() - unready(workers.nodes()).size() >= workers.required(percent);
    }

    /** {@code 3 of 4 nodes ready (1 of 1 control plane, 2 of 3 workers); node x: Ready is False, reason …}. */
    public String sentence(int percent) {
        int readyWorkers = workers.nodes().size() - unready(workers.nodes()).size();
        StringBuilder text = new StringBuilder();
        text.append(nodes.values().stream().filter(NodeCount::ready).count())
                .append(" of ")
                .append(nodes.size())
                .append(" nodes ready (")
                .append(controlPlane.size() - unready(controlPlane).size())
                .append(" of ")
                .append(controlPlane.size())
                .append(" control plane, ")
                .append(readyWorkers)
                .append(" of ")
                .append(workers.desired())
                .append(" workers)");
        if (!enough(percent)) {
            Set<String> awaited = new TreeSet<>(unready(controlPlane));
            awaited.addAll(unready(workers.nodes()));
            awaited.stream()
                    .limit(3)
                    .forEach(name ->
                            text.append("; node ").append(name).append(": ").append(why(name)));
        }
        return text.toString();
    }

    private Set<String> unready(Set<String> names) {
        Set<String> unready = new TreeSet<>(names);
        unready.removeIf(name -> nodes.containsKey(name) && ready(nodes.get(name)));
        return unready;
    }

    private String why(String name) {
        KubeObject node = nodes.get(name);
        if (node == null) {
            return "the API does not list it";
        }
        return Condition.of(node, "Ready").map(Condition::sentence).orElse("it reports nothing yet");
    }

    private static boolean ready(KubeObject node) {
        return Condition.isTrue(node, "Ready");
    }
}
