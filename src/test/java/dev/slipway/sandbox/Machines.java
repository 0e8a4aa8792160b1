package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes machines, counts them to what is wanted, and lets them advance as the machine controller reports it. */
final class Machines {

    /** What keeps a machine until its infrastructure is gone. */
    static final String FINALIZER = "machine.cluster.x-k8s.io";

    private static final String READY_NODE = "NodeReady";
    private static final String BOOTSTRAP_VERSION = "bootstrap.cluster.x-k8s.io/v1beta2";

    private final Capi capi;
    private final Templates templates;

    Machines(Capi capi, Templates templates) {
        this.capi = capi;
        this.templates = templates;
    }

    /**
     * Machines that are alike.
     *
     * @param owner the KubeadmControlPlane or MachineSet
     * @param labels what each has besides the cluster's name
     * @param replicas how many there shall be
     * @param template the {@code spec} that each gets: version, bootstrap.configRef, infrastructureRef
     */
    record Group(ObjectNode owner, Map<String, String> labels, int replicas, ObjectNode template) {}

    /** How far a machine has come. */
    enum Progress {
        WAITING,
        PROVISIONED,
        RUNNING
    }

    /** Creates what is missing, deletes what is too much (the newest first), and gives those that stay. */
    List<ObjectNode> scale(Pass pass, Group group, Consumer<ObjectNode> onRemoval) {
        List<ObjectNode> machines = new ArrayList<>();
        for (ObjectNode machine : capi.machines(pass.cluster())) {
            if (group.labels().entrySet().stream()
                    .allMatch(label -> Capi.labelled(machine, label.getKey(), label.getValue()))) {
                machines.add(machine);
            }
        }
        machines.sort(Comparator.comparing(
                m -> m.path("metadata").path("creationTimestamp").asText()));
        while (machines.size() > group.replicas()) {
            ObjectNode surplus = machines.remove(machines.size() - 1);
            onRemoval.accept(surplus);
            remove(surplus);
            pass.changed(true);
        }
        while (machines.size() < group.replicas()) {
            machines.add(create(pass, group));
            pass.changed(true);
        }
        return machines;
    }

    private ObjectNode create(Pass pass, Group group) {
        String name = Capi.name(group.owner()) + "-" + Capi.randomSuffix();
        ObjectNode infrastructure = Templates.instance(
                pass.cluster(), templates.get(pass.namespace(), group.template().path("infrastructureRef")), name);
        ObjectNode bootstrap = bootstrap(pass, group, name);
        ObjectNode machine = Capi.child(pass.cluster(), Capi.VERSION, "Machine", name);
        group.labels().forEach((label, value) -> Capi.label(machine, label, value));
        Capi.own(machine, group.owner(), true);
        ObjectNode spec = group.template().deepCopy();
        spec.put("clusterName", pass.name());
        spec.putObject("bootstrap").put("dataSecretName", name).set("configRef", Capi.reference(bootstrap));
        spec.set("infrastructureRef", Capi.reference(infrastructure));
        machine.set("spec", spec);
        ObjectNode created = capi.apply(machine);
        capi.apply(Capi.own(infrastructure, created, true));
        ObjectNode config = capi.apply(Capi.own(bootstrap, created, true));
        ObjectNode data = Capi.child(pass.cluster(), "v1", "Secret", name);
        data.put("type", Capi.SECRET_TYPE)
                .putObject("stringData")
                .put("value", "## The sandbox needs no bootstrap data");
        capi.apply(Capi.own(data, config, true));
        return created;
    }

    private ObjectNode bootstrap(Pass pass, Group group, String name) {
        JsonNode reference = group.template().path("bootstrap").path("configRef");
        if (reference.isObject()) {
            return Templates.instance(pass.cluster(), templates.get(pass.namespace(), reference), name);
        }
        ObjectNode config = Capi.child(pass.cluster(), BOOTSTRAP_VERSION, "KubeadmConfig", name);
        JsonNode spec = group.owner().path("spec").path("kubeadmConfigSpec");
        config.set("spec", spec.isObject() ? spec.deepCopy() : JsonNodeFactory.instance.objectNode());
        return config;
    }

    /** Deletes a machine, and keeps it from vanishing, as a provider does whose infrastructure does not let go. */
    void hold(ObjectNode machine) {
        if (!Capi.deleting(machine)) {
            capi.api().merge(path(machine), "{\"metadata\": {\"finalizers\": [\"" + FINALIZER + "\"]}}");
            capi.api().delete(path(machine));
        }
    }

    /** Deletes a machine with its infrastructure and bootstrap objects. */
    void remove(ObjectNode machine) {
        if (machine.path("metadata").path("finalizers").toString().contains('"' + FINALIZER + '"')) {
            capi.api().merge(path(machine), "{\"metadata\": {\"finalizers\": null}}");
        }
        String namespace = Capi.namespace(machine);
        JsonNode spec = machine.path("spec");
        capi.path(namespace, spec.path("infrastructureRef")).ifPresent(capi.api()::delete);
        capi.path(namespace, spec.path("bootstrap").path("configRef")).ifPresent(capi.api()::delete);
        capi.api().delete(Capi.secrets(namespace) + "/" + Capi.name(machine));
        capi.api().delete(path(machine));
    }

    /** Writes how far a machine has come; it never goes back. */
    void advance(Pass pass, ObjectNode machine, Progress progress, String waitingFor, Optional<WorkloadApi> api) {
        Progress reached = machine.path("status").has("nodeRef") ? Progress.RUNNING : progress;
        String name = Capi.name(machine);
        String providerId = "sandbox:////" + name;
        String version = machine.path("spec").path("version").asText();
        boolean provisioned = reached != Progress.WAITING;
        if (reached == Progress.RUNNING) {
            boolean controlPlane = machine.path("metadata").path("labels").has(Capi.CONTROL_PLANE);
            WorkloadApi.Kubelet kubelet =
                    new WorkloadApi.Kubelet(name, version, controlPlane, providerId, pass.network());
            api.ifPresent(workload -> workload.ensureNode(kubelet, pass.now()));
        }
        if (provisioned) {
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            patch.putObject("spec").put("providerID", providerId);
            pass.changed(capi.merge(path(machine), machine, patch));
        }
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("phase", phase(reached));
        status.put(
                "observedGeneration",
                machine.path("metadata").path("generation").asInt());
        status.putObject("initialization")
                .put("bootstrapDataSecretCreated", provisioned)
                .put("infrastructureProvisioned", provisioned);
        if (reached == Progress.RUNNING) {
            status.putObject("nodeRef").put("name", name);
            status.set("nodeInfo", WorkloadApi.nodeInfo(version));
            status.putArray("addresses").addObject().put("type", "Hostname").put("address", name);
        }
        status.set("conditions", conditions(pass, machine, reached, waitingFor).toJson());
        pass.changed(capi.writeStatus(path(machine), machine, status));
        provisionedBelow(pass, machine, provisioned);
    }

    /** The infrastructure's and the bootstrap provider's own word. */
    private void provisionedBelow(Pass pass, ObjectNode machine, boolean provisioned) {
        if (!provisioned
                || "Running".equals(machine.path("status").path("phase").asText())) {
            return;
        }
        JsonNode spec = machine.path("spec");
        report(pass, spec.path("infrastructureRef"), "provisioned");
        report(pass, spec.path("bootstrap").path("configRef"), "dataSecretCreated");
    }

    private void report(Pass pass, JsonNode reference, String flag) {
        Optional<String> path = capi.path(pass.namespace(), reference);
        path.flatMap(capi.api()::get).ifPresent(object -> {
            ObjectNode status = JsonNodeFactory.instance.objectNode();
            status.putObject("initialization").put(flag, true);
            status.set(
                    "conditions",
                    pass.conditionsOf(object).yes("Ready", "Ready").toJson());
            pass.changed(capi.writeStatus(path.orElseThrow(), object, status));
        });
    }

    private static String phase(Progress progress) {
        return switch (progress) {
            case WAITING -> "Pending";
            case PROVISIONED -> "Provisioned";
            case RUNNING -> "Running";
        };
    }

    private static Conditions conditions(Pass pass, ObjectNode machine, Progress progress, String waitingFor) {
        boolean provisioned = progress != Progress.WAITING;
        boolean running = progress == Progress.RUNNING;
        boolean ready = running && pass.network();
        String node = provisioned
                ? "Waiting for a Node with spec.providerID sandbox:////" + Capi.name(machine) + " to exist"
                : "Waiting for Machine to report spec.providerID";
        String unhealthy = "* Node.Ready: " + WorkloadApi.NO_NETWORK;
        String missing = provisioned
                ? "* NodeHealthy: " + (running ? unhealthy : node)
                : "* BootstrapConfigReady: " + waitingFor;
        Conditions conditions = pass.conditionsOf(machine)
                .when(provisioned, "BootstrapConfigReady", "Ready", waitingFor, "")
                .when(provisioned, "InfrastructureReady", "Ready", "WaitingForBootstrapData", "")
                .when(ready, "Ready", "Ready", "NotReady", missing)
                .when(ready, "Available", "Available", "NotReady", "")
                .yes("UpToDate", "UpToDate")
                .no("Deleting", "NotDeleting", "")
                .no("Paused", "NotPaused", "")
                .no("Updating", "NotUpdating", "");
        return running
                ? conditions
                        .when(ready, READY_NODE, READY_NODE, "NodeNotReady", unhealthy)
                        .when(ready, "NodeHealthy", "NodeHealthy", "NodeConditionsFailed", unhealthy)
                : conditions
                        .unknown(READY_NODE, "InspectionFailed", node)
                        .unknown("NodeHealthy", "InspectionFailed", node);
    }

    /** How many of them have a Ready node. */
    static int ready(List<ObjectNode> machines) {
        return (int) machines.stream()
                .filter(machine -> Conditions.isTrue(machine, READY_NODE))
                .count();
    }

    static String path(ObjectNode machine) {
        return Capi.core(Capi.namespace(machine), "machines") + "/" + Capi.name(machine);
    }
}
