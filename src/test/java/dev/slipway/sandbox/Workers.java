package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.sandbox.Machines.Progress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Plays the controllers of MachineDeployments and MachineSets. */
final class Workers {

    private final Capi capi;
    private final WorkloadApis apis;
    private final Machines machines;

    Workers(Capi capi, WorkloadApis apis, Machines machines) {
        this.capi = capi;
        this.apis = apis;
        this.machines = machines;
    }

    /**
     * What the Cluster mirrors of them.
     *
     * @param desired how many workers there shall be
     * @param machines those that there are
     * @param problems one line per MachineDeployment that is not available
     */
    record View(int desired, List<ObjectNode> machines, List<String> problems) {}

    /** Brings all workers on. */
    View advance(Pass pass, boolean infrastructureReady, boolean initialized) {
        int desired = 0;
        List<ObjectNode> all = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        Set<String> deployments = new HashSet<>();
        for (ObjectNode deployment : capi.labelled(pass.cluster(), "machinedeployments")) {
            int wanted = deployment.path("spec").path("replicas").asInt(1);
            deployments.add(Capi.name(deployment));
            desired += wanted;
            List<ObjectNode> members = members(pass, deployment, wanted);
            for (ObjectNode member : members) {
                advance(pass, member, infrastructureReady, initialized);
            }
            all.addAll(members);
            if (Machines.ready(members) < wanted) {
                problems.add("* MachineDeployment " + Capi.name(deployment) + ": " + Machines.ready(members)
                        + " available replicas, at least " + wanted + " required");
            }
        }
        removeOrphans(pass, deployments);
        return new View(desired, all, problems);
    }

    private List<ObjectNode> members(Pass pass, ObjectNode deployment, int wanted) {
        String path = path(deployment, "machinedeployments");
        pass.changed(Ownership.control(capi, path, deployment, pass.cluster()));
        ObjectNode set = machineSet(pass, deployment, wanted);
        Map<String, String> labels = new HashMap<>();
        JsonNode template = deployment.path("spec").path("template");
        template.path("metadata")
                .path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        labels.put(Capi.DEPLOYMENT_NAME, Capi.name(deployment));
        labels.put("cluster.x-k8s.io/set-name", Capi.name(set));
        labels.remove(Capi.CLUSTER_NAME);
        ObjectNode spec = (ObjectNode) template.path("spec");
        List<ObjectNode> members =
                machines.scale(pass, new Machines.Group(set, labels, wanted, spec), machine -> forget(pass, machine));
        writeStatus(pass, path, deployment, members, wanted);
        writeStatus(pass, path(set, "machinesets"), set, members, wanted);
        return members;
    }

    private ObjectNode machineSet(Pass pass, ObjectNode deployment, int wanted) {
        String name = Capi.name(deployment) + "-" + Capi.suffixOf(Capi.uid(deployment));
        ObjectNode set = Capi.child(pass.cluster(), Capi.VERSION, "MachineSet", name);
        Capi.label(set, Capi.DEPLOYMENT_NAME, Capi.name(deployment));
        Capi.own(set, deployment, true);
        ObjectNode spec = set.putObject("spec");
        spec.put("clusterName", pass.name()).put("replicas", wanted);
        spec.set("selector", deployment.path("spec").path("selector"));
        spec.set("template", deployment.path("spec").path("template"));
        Optional<ObjectNode> existing = capi.api().get(path(set, "machinesets"));
        if (existing.isPresent() && existing.get().path("spec").path("replicas").asInt() == wanted) {
            return existing.get();
        }
        pass.changed(true);
        return capi.apply(set);
    }

    private void advance(Pass pass, ObjectNode machine, boolean infrastructureReady, boolean initialized) {
        boolean due = initialized && pass.delayPassedSince(pass.conditions().since("ControlPlaneInitialized"));
        Progress progress = !due
                ? Progress.WAITING
                : pass.behaviour().failsAt(Behaviour.Fault.WORKERS) ? Progress.PROVISIONED : Progress.RUNNING;
        String waitingFor =
                infrastructureReady ? "WaitingForControlPlaneInitialized" : "WaitingForClusterInfrastructureReady";
        machines.advance(pass, machine, progress, waitingFor, apis.find(Capi.uid(pass.cluster())));
    }

    private void writeStatus(Pass pass, String path, ObjectNode object, List<ObjectNode> members, int wanted) {
        int ready = Machines.ready(members);
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put(
                        "observedGeneration",
                        object.path("metadata").path("generation").asInt())
                .put("replicas", members.size())
                .put("readyReplicas", ready)
                .put("availableReplicas", ready)
                .put("upToDateReplicas", members.size())
                .put("selector", Capi.CLUSTER_NAME + "=" + pass.name());
        Conditions conditions = pass.conditionsOf(object)
                .no("Deleting", "NotDeleting", "")
                .no("Paused", "NotPaused", "")
                .no("ScalingDown", "NotScalingDown", "")
                .when(ready < wanted, "ScalingUp", "ScalingUp", "NotScalingUp", "")
                .when(
                        ready == members.size(),
                        "MachinesReady",
                        members.isEmpty() ? "NoReplicas" : "Ready",
                        "NotReady",
                        (members.size() - ready) + " Machines are not ready")
                .yes("MachinesUpToDate", members.isEmpty() ? "NoReplicas" : "UpToDate");
        if ("MachineDeployment".equals(object.path("kind").asText())) {
            status.put("phase", ready < wanted ? "ScalingUp" : "Running");
            conditions.when(
                    ready >= wanted,
                    "Available",
                    "Available",
                    "NotAvailable",
                    ready + " available replicas, at least " + wanted + " required");
        }
        status.set("conditions", conditions.toJson());
        pass.changed(capi.writeStatus(path, object, status));
    }

    /** What a deleted MachineDeployment leaves behind, also where no garbage collector runs. */
    private void removeOrphans(Pass pass, Set<String> deployments) {
        for (ObjectNode set : capi.labelled(pass.cluster(), "machinesets")) {
            if (orphan(set, deployments)) {
                capi.api().delete(path(set, "machinesets"));
            }
        }
        for (ObjectNode machine : capi.machines(pass.cluster())) {
            if (orphan(machine, deployments)) {
                forget(pass, machine);
                machines.remove(machine);
            }
        }
    }

    private static boolean orphan(ObjectNode object, Set<String> deployments) {
        JsonNode deployment = object.path("metadata").path("labels").path(Capi.DEPLOYMENT_NAME);
        return deployment.isTextual() && !deployments.contains(deployment.asText());
    }

    private void forget(Pass pass, ObjectNode machine) {
        apis.find(Capi.uid(pass.cluster())).ifPresent(api -> api.deleteNode(Capi.name(machine)));
    }

    /** Deletes all deployments and sets, and their machines; true once none is left. */
    boolean removed(Pass pass, List<String> remaining) {
        ObjectNode cluster = pass.cluster();
        boolean held = pass.behaviour().failsAt(Behaviour.Fault.DELETION);
        // Machines first: with their owner a garbage collector would take those that nothing holds.
        for (ObjectNode machine : capi.machines(cluster)) {
            if (!machine.path("metadata").path("labels").has(Capi.CONTROL_PLANE)) {
                remaining.add("* Machine: " + Capi.name(machine));
                if (held) {
                    machines.hold(machine);
                } else {
                    machines.remove(machine);
                }
            }
        }
        for (String plural : List.of("machinedeployments", "machinesets")) {
            for (ObjectNode object : capi.labelled(cluster, plural)) {
                remaining.add("* " + object.path("kind").asText() + ": " + Capi.name(object));
                capi.api().delete(path(object, plural));
            }
        }
        return remaining.isEmpty();
    }

    private static String path(ObjectNode object, String plural) {
        return Capi.core(Capi.namespace(object), plural) + "/" + Capi.name(object);
    }
}
