package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Computes a Cluster's status from its parts, with Cluster API's condition types and reasons. */
final class ClusterStatus {

    private static final List<String> AVAILABILITY =
            List.of("RemoteConnectionProbe", "InfrastructureReady", "ControlPlaneAvailable", "WorkersAvailable");

    private final Pass pass;

    ClusterStatus(Pass pass) {
        this.pass = pass;
    }

    /** The status that the parts make. */
    ObjectNode of(
            boolean infrastructureReady, KubeadmControlPlane.View controlPlane, Workers.View workers, boolean answers) {
        Conditions conditions = pass.conditions();
        boolean initialized = controlPlane.initialized() || conditions.isTrue("ControlPlaneInitialized");
        if (controlPlane.object() == null) {
            conditions
                    .unknown("ControlPlaneInitialized", "ObjectDoesNotExist", controlPlane.problem())
                    .no("ControlPlaneAvailable", "ObjectDoesNotExist", controlPlane.problem());
        } else {
            boolean available =
                    controlPlane.initialized() && controlPlane.problem().isEmpty();
            conditions
                    .when(
                            initialized,
                            "ControlPlaneInitialized",
                            "Initialized",
                            "NotInitialized",
                            "Control plane not yet initialized")
                    .when(available, "ControlPlaneAvailable", "Available", "NotAvailable", controlPlane.problem());
        }
        machines(conditions, "ControlPlaneMachines", controlPlane.machines());
        machines(conditions, "WorkerMachines", workers.machines());
        conditions
                .when(
                        workers.problems().isEmpty(),
                        "WorkersAvailable",
                        workers.desired() == 0 ? "NoWorkers" : "Available",
                        "NotAvailable",
                        String.join("\n", workers.problems()))
                .when(
                        answers,
                        "RemoteConnectionProbe",
                        "ProbeSucceeded",
                        "ProbeFailed",
                        initialized ? "Remote connection probe failed" : "Remote connection not established yet")
                .no("RollingOut", "NotRollingOut", "")
                .no("Remediating", "NotRemediating", "")
                .no("Deleting", "NotDeleting", "")
                .no("Paused", "NotPaused", "");
        scaling(conditions, controlPlane, workers);
        available(conditions);
        return status(infrastructureReady, initialized, controlPlane, workers);
    }

    private static void machines(Conditions conditions, String prefix, List<ObjectNode> machines) {
        int missing = machines.size() - Machines.ready(machines);
        conditions
                .when(
                        missing == 0,
                        prefix + "Ready",
                        machines.isEmpty() ? "NoReplicas" : "Ready",
                        "NotReady",
                        missing + " of " + machines.size() + " Machines are not ready")
                .yes(prefix + "UpToDate", machines.isEmpty() ? "NoReplicas" : "UpToDate");
    }

    private static void scaling(Conditions conditions, KubeadmControlPlane.View controlPlane, Workers.View workers) {
        int desired = desired(controlPlane) + workers.desired();
        int actual = controlPlane.machines().size() + workers.machines().size();
        conditions
                .when(actual < desired, "ScalingUp", "ScalingUp", "NotScalingUp", "")
                .when(actual > desired, "ScalingDown", "ScalingDown", "NotScalingDown", "");
    }

    private void available(Conditions conditions) {
        List<String> needed = new ArrayList<>(AVAILABILITY);
        if (pass.cluster().path("spec").has("topology")) {
            needed.add("TopologyReconciled");
        }
        List<String> problems = new ArrayList<>();
        for (String type : needed) {
            if (!conditions.isTrue(type)) {
                problems.add("* " + type + ": " + conditions.message(type));
            }
        }
        conditions.when(problems.isEmpty(), "Available", "Available", "NotAvailable", String.join("\n", problems));
    }

    private ObjectNode status(
            boolean infrastructureReady,
            boolean initialized,
            KubeadmControlPlane.View controlPlane,
            Workers.View workers) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        ObjectNode cluster = pass.cluster();
        boolean provisioned = infrastructureReady
                || cluster.path("status")
                        .path("initialization")
                        .path("infrastructureProvisioned")
                        .asBoolean();
        boolean started = cluster.path("spec").has("infrastructureRef")
                || cluster.path("spec").has("controlPlaneRef");
        status.put("phase", provisioned ? "Provisioned" : started ? "Provisioning" : "Pending");
        status.put(
                "observedGeneration",
                cluster.path("metadata").path("generation").asInt());
        status.putObject("initialization")
                .put("infrastructureProvisioned", provisioned)
                .put("controlPlaneInitialized", initialized);
        counts(status.putObject("controlPlane"), desired(controlPlane), controlPlane.machines());
        counts(status.putObject("workers"), workers.desired(), workers.machines());
        status.set("conditions", pass.conditions().toJson());
        return status;
    }

    private static void counts(ObjectNode target, int desired, List<ObjectNode> machines) {
        int ready = Machines.ready(machines);
        target.put("desiredReplicas", desired)
                .put("replicas", machines.size())
                .put("readyReplicas", ready)
                .put("availableReplicas", ready)
                .put("upToDateReplicas", machines.size());
    }

    private static int desired(KubeadmControlPlane.View controlPlane) {
        return controlPlane.object() == null
                ? 0
                : controlPlane.object().path("spec").path("replicas").asInt(1);
    }
}
