package dev.slipway.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.WorkloadClusterSpec.Topology;
import dev.slipway.cluster.WorkloadClusterSpec.Variable;
import dev.slipway.cluster.WorkloadClusterSpec.WorkerGroup;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;

/** Writes the one Cluster that a ClusterClass turns into all other objects. */
final class TopologyBlueprint {

    private TopologyBlueprint() {}

    static KubeObject cluster(WorkloadCluster cluster, Topology topology, ResourceType type) {
        KubeObject object = KubeObject.named(type, cluster.namespace(), cluster.name());
        ObjectNode spec = object.json().putObject("spec");
        ClusterFields.endpoint(cluster.spec(), spec);
        ClusterFields.network(cluster.spec(), spec);
        ObjectNode json = spec.putObject("topology");
        classOf(topology, type, json);
        json.put("version", cluster.spec().version());
        if (topology.controlPlane() != null && topology.controlPlane().replicas() != null) {
            json.putObject("controlPlane")
                    .put("replicas", topology.controlPlane().replicas());
        }
        if (!topology.workers().isEmpty()) {
            workers(topology, json.putObject("workers").putArray("machineDeployments"));
        }
        if (!topology.variables().isEmpty()) {
            ArrayNode variables = json.putArray("variables");
            for (Variable variable : topology.variables()) {
                variables.addObject().put("name", variable.name()).set("value", variable.value());
            }
        }
        return object;
    }

    private static void classOf(Topology topology, ResourceType type, ObjectNode json) {
        // v1beta1 names the class in fields of the topology, later versions in a reference.
        if (type.version().equals("v1beta1")) {
            json.put("class", topology.className());
            if (topology.classNamespace() != null) {
                json.put("classNamespace", topology.classNamespace());
            }
            return;
        }
        ObjectNode reference = json.putObject("classRef").put("name", topology.className());
        if (topology.classNamespace() != null) {
            reference.put("namespace", topology.classNamespace());
        }
    }

    private static void workers(Topology topology, ArrayNode deployments) {
        for (WorkerGroup group : topology.workers()) {
            ObjectNode json =
                    deployments.addObject().put("class", group.className()).put("name", group.name());
            if (group.replicas() != null) {
                json.put("replicas", group.replicas());
            }
        }
    }
}
