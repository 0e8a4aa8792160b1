package dev.slipway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.cluster.WorkloadClusterSpec.Topology;
import dev.slipway.cluster.WorkloadClusterSpec.Variable;
import dev.slipway.cluster.WorkloadClusterSpec.WorkerGroup;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares a topology with its ClusterClass.
 *
 * <ul>
 *   <li>the class exists; else the existing ones are listed
 *   <li>it has the classes of workers that the topology names
 *   <li>variables that it requires have a value; the given ones exist in it
 *   <li>the kinds that it refers to are served
 * </ul>
 */
final class ClassRules {

    private final LiveReader reader;
    private final Findings findings;

    ClassRules(LiveReader reader, Findings findings) {
        this.reader = reader;
        this.findings = findings;
    }

    void check(WorkloadCluster cluster, Topology topology, ResourceType classType) {
        String namespace = topology.classNamespace() == null ? cluster.namespace() : topology.classNamespace();
        if (topology.className().isEmpty()) {
            return;
        }
        Optional<KubeObject> found = reader.get(classType, namespace, topology.className());
        if (found.isEmpty()) {
            unknown(topology, classType, namespace);
            return;
        }
        KubeObject clusterClass = found.get();
        String field = "ClusterClass " + namespace + "/" + topology.className();
        KindRules kinds = new KindRules(reader, findings);
        // Patches hold fragments of other objects: what looks like a reference there may be a placeholder.
        for (String part : new String[] {"infrastructure", "controlPlane", "workers"}) {
            kinds.references(clusterClass.at("spec", part), field + ", spec." + part);
        }
        workers(topology, clusterClass);
        variables(topology, clusterClass);
        for (Variable variable : topology.variables()) {
            HostNames.check(variable.value(), "spec.topology.variables[" + variable.name() + "]", findings);
        }
    }

    private void unknown(Topology topology, ResourceType classType, String namespace) {
        List<String> names = reader.list(classType, namespace, Map.of()).stream()
                .map(KubeObject::name)
                .sorted()
                .toList();
        findings.problem(
                "ClassUnknown",
                "spec.topology.class",
                "there is no ClusterClass '" + topology.className() + "' in namespace '" + namespace + "'; there is "
                        + (names.isEmpty() ? "none" : String.join(", ", names)),
                names.isEmpty()
                        ? "Create the ClusterClass, or set classNamespace to the namespace that has it"
                        : "Use one of the existing classes, or set classNamespace to another namespace");
    }

    private void workers(Topology topology, KubeObject clusterClass) {
        Set<String> known = new TreeSet<>();
        clusterClass
                .at("spec", "workers", "machineDeployments")
                .forEach(deployment -> known.add(deployment.path("class").asText()));
        for (WorkerGroup group : topology.workers()) {
            if (!known.contains(group.className())) {
                findings.problem(
                        "WorkerClassUnknown",
                        "spec.topology.workers[" + group.name() + "].class",
                        "the ClusterClass has no class '" + group.className() + "' for workers; it has " + known,
                        "Use one of the classes of workers that the ClusterClass has");
            }
        }
    }

    private void variables(Topology topology, KubeObject clusterClass) {
        Set<String> given = new TreeSet<>();
        topology.variables().forEach(variable -> given.add(variable.name()));
        Set<String> known = new TreeSet<>();
        for (JsonNode variable : clusterClass.at("spec", "variables")) {
            String name = variable.path("name").asText();
            known.add(name);
            boolean defaulted = variable.path("schema").path("openAPIV3Schema").has("default");
            if (variable.path("required").asBoolean() && !defaulted && !given.contains(name)) {
                findings.problem(
                        "VariableMissing",
                        "spec.topology.variables[" + name + "]",
                        "the ClusterClass requires it and has no default",
                        "Give each variable that the class requires a value");
            }
        }
        // External patches bring variables of their own, which the class learns later.
        boolean all = clusterClass.at("spec", "patches").findValue("external") == null;
        given.removeAll(known);
        if (all && !given.isEmpty()) {
            findings.problem(
                    "VariableUnknown",
                    "spec.topology.variables",
                    "the ClusterClass has no variables " + given + "; it has " + known,
                    "Remove or correct the variables that the class does not have");
        }
    }
}
