package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.WorkloadClusterSpec.ClusterNetwork;
import dev.slipway.cluster.WorkloadClusterSpec.Endpoint;
import dev.slipway.cluster.WorkloadClusterSpec.Ranges;
import org.jspecify.annotations.Nullable;

/** Writes the fields that a WorkloadCluster and a Cluster have in common. */
final class ClusterFields {

    private ClusterFields() {}

    static void endpoint(WorkloadClusterSpec from, ObjectNode clusterSpec) {
        Endpoint endpoint = from.controlPlaneEndpoint();
        if (endpoint != null) {
            clusterSpec
                    .putObject("controlPlaneEndpoint")
                    .put("host", endpoint.host())
                    .put("port", endpoint.port());
        }
    }

    static void network(WorkloadClusterSpec from, ObjectNode clusterSpec) {
        ClusterNetwork network = from.clusterNetwork();
        if (network == null) {
            return;
        }
        ObjectNode json = clusterSpec.putObject("clusterNetwork");
        ranges(json, "pods", network.pods());
        ranges(json, "services", network.services());
        if (network.serviceDomain() != null) {
            json.put("serviceDomain", network.serviceDomain());
        }
        if (json.isEmpty()) {
            clusterSpec.remove("clusterNetwork");
        }
    }

    /**
     * Fills the fields into a Cluster of a template.
     *
     * <p>A template that says something else than the WorkloadCluster is refused: nobody could tell which holds.
     */
    static void merge(WorkloadClusterSpec from, ObjectNode clusterSpec, String where, Findings findings) {
        ObjectNode wanted = JsonNodeFactory.instance.objectNode();
        endpoint(from, wanted);
        network(from, wanted);
        for (String part : new String[] {"controlPlaneEndpoint", "clusterNetwork"}) {
            wanted.path(part).properties().forEach(field -> {
                ObjectNode target = clusterSpec.withObjectProperty(part);
                JsonNode there = target.get(field.getKey());
                if (there != null && !there.equals(field.getValue())) {
                    findings.problem(
                            "TemplateConflict",
                            "spec." + part + "." + field.getKey(),
                            "it is " + field.getValue() + " here and " + there + " in " + where,
                            "Write it in one place, or use a variable in the template");
                }
                target.set(field.getKey(), field.getValue());
            });
        }
    }

    private static void ranges(ObjectNode network, String name, @Nullable Ranges ranges) {
        if (ranges != null) {
            ArrayNode blocks = network.putObject(name).putArray("cidrBlocks");
            ranges.cidrBlocks().forEach(blocks::add);
        }
    }
}
