package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.Pki;
import dev.slipway.sandbox.Behaviour.Fault;
import dev.slipway.sandbox.Machines.Progress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plays the kubeadm control plane provider: machines, a real API server, the kubeconfig. */
final class KubeadmControlPlane {

    private final Capi capi;
    private final WorkloadApis apis;
    private final Machines machines;
    private final Certificates certificates;

    KubeadmControlPlane(Capi capi, WorkloadApis apis, Machines machines) {
        this.capi = capi;
        this.apis = apis;
        this.machines = machines;
        this.certificates = new Certificates(capi);
    }

    /**
     * What the Cluster mirrors of it.
     *
     * @param object the control plane object; null if there is none
     * @param initialized whether it ever answered
     * @param machines its machines
     * @param problem why it is not available, if it is not
     */
    record View(ObjectNode object, boolean initialized, List<ObjectNode> machines, String problem) {}

    /** Brings the control plane on. */
    View advance(Pass pass, boolean infrastructureReady) {
        JsonNode reference = pass.cluster().path("spec").path("controlPlaneRef");
        Optional<ObjectNode> found =
                reference.isObject() ? capi.resolve(pass.namespace(), reference) : Optional.empty();
        if (found.isEmpty()) {
            String problem = reference.isObject()
                    ? reference.path("kind").asText() + " does not exist"
                    : "Waiting for cluster topology to be reconciled";
            return new View(null, false, List.of(), problem);
        }
        ObjectNode object = found.get();
        String path = capi.path(pass.namespace(), reference).orElseThrow();
        pass.changed(Ownership.control(capi, path, object, pass.cluster()));
        return new Step(pass, path, object).run(infrastructureReady);
    }

    /** Deletes its machines; the API server goes with the cluster. */
    void removeMachines(ObjectNode cluster) {
        capi.machines(cluster).forEach(machines::remove);
    }

    /** One look at one control plane. */
    private final class Step {

        private final Pass pass;
        private final String path;
        private final ObjectNode object;
        private final Conditions conditions;
        private boolean initialized;
        private String problem = "";

        Step(Pass pass, String path, ObjectNode object) {
            this.pass = pass;
            this.path = path;
            this.object = object;
            this.conditions = pass.conditionsOf(object);
            this.initialized = object.path("status")
                    .path("initialization")
                    .path("controlPlaneInitialized")
                    .asBoolean();
        }

        View run(boolean infrastructureReady) {
            List<ObjectNode> members = List.of();
            if (!infrastructureReady) {
                problem = "Waiting for Cluster status.infrastructureReady to be true";
            } else {
                Optional<Map<String, ObjectNode>> secrets = certificates.look(pass, object, conditions);
                if (secrets.isEmpty()) {
                    problem = "* Control plane certificates are not available";
                } else {
                    bringUp(secrets.get());
                    members = machines.scale(pass, group(), this::forget);
                    for (ObjectNode member : members) {
                        machines.advance(
                                pass,
                                member,
                                initialized ? Progress.RUNNING : Progress.PROVISIONED,
                                "WaitingForControlPlaneInitialized",
                                api());
                    }
                }
            }
            write(members);
            return new View(object, initialized, members, problem);
        }

        /** Starts the API server when its time has come, and again if it ended. */
        private void bringUp(Map<String, ObjectNode> secrets) {
            WorkloadApi api = api().orElseThrow();
            boolean hole = pass.behaviour().failsAt(Fault.BLACK_HOLE);
            api.blackHole(hole);
            boolean due = initialized || pass.delayPassedSince(pass.conditions().since("InfrastructureReady"));
            if (!due || (!initialized && pass.behaviour().failsAt(Fault.CONTROL_PLANE))) {
                problem = "* There are no Machines with healthy control plane components, at least 1 required";
                return;
            }
            if (!hole && !api.running()) {
                apis.start(pass.cluster(), api, secrets.get("ca"), secrets.get("sa"))
                        .ifPresent(reason -> problem = "* " + reason);
                pass.changed(problem.isEmpty());
            }
            if (hole || api.running()) {
                initialized = true;
                Pki.Pem authority = WorkloadApis.pem(secrets.get("ca"));
                certificates.ensureKubeconfig(pass, object, authority, api.url());
                api.fillTokenSecrets(authority.certificate());
            }
        }

        private Machines.Group group() {
            JsonNode spec = object.path("spec");
            int wanted = spec.path("replicas").asInt(1);
            ObjectNode template = JsonNodeFactory.instance.objectNode();
            template.put("version", spec.path("version").asText());
            JsonNode machineSpec = spec.path("machineTemplate").path("spec");
            template.set("infrastructureRef", machineSpec.path("infrastructureRef"));
            // The others join only after the first.
            return new Machines.Group(
                    object,
                    Map.of(Capi.CONTROL_PLANE, "", "cluster.x-k8s.io/control-plane-name", Capi.name(object)),
                    initialized ? wanted : Math.min(1, wanted),
                    template);
        }

        private void forget(ObjectNode machine) {
            api().ifPresent(api -> api.deleteNode(Capi.name(machine)));
        }

        private Optional<WorkloadApi> api() {
            return apis.find(Capi.uid(pass.cluster()));
        }

        private void write(List<ObjectNode> members) {
            int ready = Machines.ready(members);
            boolean available = initialized && problem.isEmpty();
            conditions
                    .when(initialized, "Initialized", "Initialized", "NotInitialized", "")
                    .when(available, "Available", "Available", "NotAvailable", problem)
                    .when(
                            ready == members.size(),
                            "MachinesReady",
                            members.isEmpty() ? "NoReplicas" : "Ready",
                            "NotReady",
                            (members.size() - ready) + " Machines are not ready")
                    .yes("MachinesUpToDate", members.isEmpty() ? "NoReplicas" : "UpToDate")
                    .no("RollingOut", "NotRollingOut", "")
                    .no("Deleting", "NotDeleting", "")
                    .no("Paused", "NotPaused", "");
            if (initialized) {
                // Not by the nodes: where they have no network, etcd is well all the same.
                conditions.when(available, "EtcdClusterHealthy", "Healthy", "InspectionFailed", problem);
            }
            ObjectNode status = JsonNodeFactory.instance.objectNode();
            status.put(
                            "observedGeneration",
                            object.path("metadata").path("generation").asInt())
                    .put("replicas", members.size())
                    .put("readyReplicas", ready)
                    .put("availableReplicas", available ? ready : 0)
                    .put("upToDateReplicas", members.size())
                    .put("selector", Capi.CLUSTER_NAME + "=" + pass.name() + "," + Capi.CONTROL_PLANE)
                    .set("conditions", conditions.toJson());
            if (initialized) {
                status.put("version", object.path("spec").path("version").asText());
                status.putObject("initialization").put("controlPlaneInitialized", true);
            }
            pass.changed(capi.writeStatus(path, object, status));
        }
    }
}
