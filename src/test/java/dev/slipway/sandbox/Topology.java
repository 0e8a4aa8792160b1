package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;

/** Expands a cluster's topology by its ClusterClass, as Cluster API's topology controller does. */
final class Topology {

    private static final String OWNED = "topology.cluster.x-k8s.io/owned";
    private static final String DEPLOYMENT = "topology.cluster.x-k8s.io/deployment-name";

    private final Capi capi;
    private final Templates templates;

    Topology(Capi capi, Templates templates) {
        this.capi = capi;
        this.templates = templates;
    }

    /**
     * Makes or updates the infrastructure, control plane and workers of a cluster.
     *
     * @throws Templates.Missing if the class, one of its templates, or a worker class is not there
     */
    void expand(ObjectNode cluster) {
        JsonNode topology = cluster.path("spec").path("topology");
        ObjectNode clusterClass = clusterClass(cluster, topology.path("classRef"));
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.set("infrastructureRef", infrastructure(cluster, clusterClass));
        spec.set("controlPlaneRef", controlPlane(cluster, clusterClass, topology));
        workers(cluster, clusterClass, topology);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.set("spec", spec);
        capi.merge(Capi.clusterPath(cluster), cluster, patch);
    }

    private ObjectNode clusterClass(ObjectNode cluster, JsonNode reference) {
        String namespace = reference.path("namespace").asText(Capi.namespace(cluster));
        String name = reference.path("name").asText();
        return capi.api()
                .get(Capi.core(namespace, "clusterclasses") + "/" + name)
                .orElseThrow(() -> new Templates.Missing(
                        "ClusterClass.cluster.x-k8s.io \"" + namespace + "/" + name + "\" not found"));
    }

    private ObjectNode infrastructure(ObjectNode cluster, ObjectNode clusterClass) {
        JsonNode existing = cluster.path("spec").path("infrastructureRef");
        if (existing.isObject()) {
            return (ObjectNode) existing;
        }
        ObjectNode template = template(clusterClass, clusterClass.path("spec").path("infrastructure"));
        ObjectNode object = owned(Templates.instance(cluster, template, name(cluster, "infrastructure")));
        Capi.own(object, cluster, true);
        return Capi.reference(capi.apply(object));
    }

    private ObjectNode controlPlane(ObjectNode cluster, ObjectNode clusterClass, JsonNode topology) {
        JsonNode definition = clusterClass.path("spec").path("controlPlane");
        JsonNode existing = cluster.path("spec").path("controlPlaneRef");
        String name = existing.isObject() ? existing.path("name").asText() : name(cluster, "control-plane");
        ObjectNode object = owned(Templates.instance(cluster, template(clusterClass, definition), name));
        ObjectNode spec = (ObjectNode) object.path("spec");
        spec.put("version", topology.path("version").asText());
        spec.put("replicas", topology.path("controlPlane").path("replicas").asInt(1));
        if (definition.has("machineInfrastructure")) {
            ObjectNode machines = owned(
                    Templates.copy(cluster, template(clusterClass, definition.path("machineInfrastructure")), name));
            spec.withObject("/machineTemplate/spec")
                    .set("infrastructureRef", Capi.reference(capi.apply(Capi.own(machines, cluster, false))));
        }
        Capi.own(object, cluster, true);
        return Capi.reference(capi.apply(object));
    }

    private void workers(ObjectNode cluster, ObjectNode clusterClass, JsonNode topology) {
        Set<String> wanted = new HashSet<>();
        for (JsonNode worker : topology.path("workers").path("machineDeployments")) {
            String name = Capi.name(cluster) + "-" + worker.path("name").asText() + "-"
                    + Capi.suffixOf(Capi.uid(cluster) + worker.path("name").asText());
            wanted.add(name);
            capi.apply(machineDeployment(cluster, clusterClass, worker, name));
        }
        for (ObjectNode deployment : capi.labelled(cluster, "machinedeployments")) {
            boolean ours = deployment.path("metadata").path("labels").has(OWNED);
            if (ours && !wanted.contains(Capi.name(deployment))) {
                capi.api()
                        .delete(Capi.core(Capi.namespace(cluster), "machinedeployments") + "/" + Capi.name(deployment));
            }
        }
    }

    private ObjectNode machineDeployment(ObjectNode cluster, ObjectNode clusterClass, JsonNode worker, String name) {
        JsonNode definition = workerClass(clusterClass, worker.path("class").asText());
        ObjectNode bootstrap =
                owned(Templates.copy(cluster, template(clusterClass, definition.path("bootstrap")), name));
        ObjectNode machines =
                owned(Templates.copy(cluster, template(clusterClass, definition.path("infrastructure")), name));
        ObjectNode object = Capi.child(cluster, Capi.VERSION, "MachineDeployment", name);
        Capi.label(object, OWNED, "");
        Capi.label(object, DEPLOYMENT, worker.path("name").asText());
        Capi.own(object, cluster, false);
        ObjectNode spec = object.putObject("spec");
        spec.put("clusterName", Capi.name(cluster));
        spec.put("replicas", worker.path("replicas").asInt(1));
        for (String labels : new String[] {"/selector/matchLabels", "/template/metadata/labels"}) {
            spec.withObject(labels)
                    .put(Capi.CLUSTER_NAME, Capi.name(cluster))
                    .put(OWNED, "")
                    .put(DEPLOYMENT, worker.path("name").asText());
        }
        ObjectNode machine = spec.withObject("/template/spec");
        machine.put("clusterName", Capi.name(cluster));
        machine.put(
                "version", cluster.path("spec").path("topology").path("version").asText());
        machine.withObject("/bootstrap")
                .set("configRef", Capi.reference(capi.apply(Capi.own(bootstrap, cluster, false))));
        machine.set("infrastructureRef", Capi.reference(capi.apply(Capi.own(machines, cluster, false))));
        return object;
    }

    private static JsonNode workerClass(ObjectNode clusterClass, String name) {
        for (JsonNode candidate : clusterClass.path("spec").path("workers").path("machineDeployments")) {
            if (name.equals(candidate.path("class").asText())) {
                return candidate;
            }
        }
        throw new Templates.Missing(
                "ClusterClass \"" + Capi.name(clusterClass) + "\" has no MachineDeployment class \"" + name + "\"");
    }

    private ObjectNode template(ObjectNode clusterClass, JsonNode definition) {
        return templates.get(Capi.namespace(clusterClass), definition.path("templateRef"));
    }

    private static ObjectNode owned(ObjectNode object) {
        Capi.label(object, OWNED, "");
        return object;
    }

    private static String name(ObjectNode cluster, String role) {
        return Capi.name(cluster) + "-" + Capi.suffixOf(Capi.uid(cluster) + role);
    }
}
