package dev.slipway.diagnosis;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.Condition;
import dev.slipway.cluster.MachineView;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** Looks at the machines, and at the nodes that they became. */
@Component
final class MachinesStep implements Step {

    /** How kubelets and container runtimes say that there is no network plugin. */
    private static final Pattern NO_CNI = Pattern.compile(
            "\\bcni\\b|network plugin|NetworkPluginNotReady|NetworkReady=false", Pattern.CASE_INSENSITIVE);

    private final LiveReader reader;
    private final ClusterAccess workloads;
    private final Clock clock;

    MachinesStep(LiveReader reader, ClusterAccess workloads, Clock clock) {
        this.reader = reader;
        this.workloads = workloads;
        this.clock = clock;
    }

    @Override
    public int number() {
        return 2;
    }

    @Override
    public String title() {
        return "Machines and nodes";
    }

    @Override
    public void look(ClusterRef cluster, Findings findings) {
        Instant now = clock.instant();
        List<MachineView> machines = new ArrayList<>();
        findings.look("machines", () -> {
            machines.addAll(machines(cluster));
            tell(machines, cluster, now, findings);
        });
        findings.look("nodes", () -> nodes(cluster, machines, findings));
    }

    private List<MachineView> machines(ClusterRef cluster) {
        return reader
                .find(ClusterApi.GROUP, "Machine")
                .map(type ->
                        reader.list(type, cluster.namespace(), Map.of(ClusterApi.CLUSTER_NAME_LABEL, cluster.name())))
                .orElse(List.of())
                .stream()
                .map(MachineView::new)
                .toList();
    }

    private static void tell(List<MachineView> machines, ClusterRef cluster, Instant now, Findings findings) {
        if (machines.isEmpty()) {
            findings.add(Seen.warning(
                    "machines",
                    "NoMachines",
                    "there is none with the label " + ClusterApi.CLUSTER_NAME_LABEL + "=" + cluster.name()));
        }
        findings.addAll(
                "machines",
                machines.stream().map(machine -> machine(machine, now)).toList());
    }

    private static Seen machine(MachineView machine, Instant now) {
        ObjectHealth health = ObjectHealth.of(machine.object(), now);
        String role = machine.controlPlane() ? "control plane" : "worker";
        health.detail(role + ", " + machine.node().map(node -> "node " + node).orElse("no node yet"));
        if (machine.node().isEmpty()) {
            health.cause(Verdict.WARNING, "NoNode", "it has no node yet");
            if (!hasInfrastructure(machine.object())) {
                health.leading(
                        Verdict.WARNING,
                        "InfrastructureNotReady",
                        "its infrastructure is not there"
                                + Condition.of(machine.object(), "InfrastructureReady")
                                        .map(condition -> " (" + ObjectHealth.sentence(condition) + ")")
                                        .orElse(""));
            }
        }
        return health.seen();
    }

    /** By either shape of the API. */
    private static boolean hasInfrastructure(KubeObject machine) {
        return machine.at("status", "initialization", "infrastructureProvisioned")
                        .asBoolean()
                || machine.at("status", "infrastructureReady").asBoolean()
                || Condition.isTrue(machine, "InfrastructureReady");
    }

    private void nodes(ClusterRef cluster, List<MachineView> machines, Findings findings) {
        Optional<Workload> workload = workloads.open(cluster);
        if (workload.isEmpty()) {
            findings.add(Seen.unknown(
                    "nodes", "NoKubeconfig", "there is no kubeconfig secret, so the workload cluster cannot be asked"));
            return;
        }
        Map<String, KubeObject> nodes = new TreeMap<>();
        workload.get().reader().list(ResourceType.NODES, "", Map.of()).forEach(node -> nodes.put(node.name(), node));
        List<Seen> all =
                new ArrayList<>(nodes.values().stream().map(MachinesStep::node).toList());
        machines.forEach(machine -> machine.node()
                .filter(name -> !nodes.containsKey(name))
                .ifPresent(name -> all.add(Seen.problem(
                        "node/" + name,
                        "NodeMissing",
                        "the workload cluster has no such node, though machine " + machine.name()
                                + " says it became it"))));
        if (all.isEmpty()) {
            findings.add(Seen.warning("nodes", "NoNodes", "the workload cluster has none"));
        }
        findings.addAll("nodes", all);
    }

    private static Seen node(KubeObject node) {
        String object = "node/" + node.name();
        Optional<Condition> ready = Condition.of(node, "Ready");
        String version = "kubelet "
                + node.text("status", "nodeInfo", "kubeletVersion").orElse("?")
                + (node.at("spec", "unschedulable").asBoolean() ? ", cordoned" : "");
        if (ready.isEmpty()) {
            return Seen.warning(object, "NodeNotReady", "its kubelet has not reported yet", version);
        }
        String sentence = ObjectHealth.sentence(ready.get());
        if (ready.get().holds()) {
            return Seen.ok(object, "Ready", version);
        }
        boolean noCni = NO_CNI.matcher(ready.get().message()).find();
        return Seen.problem(object, noCni ? "NoCni" : "NodeNotReady", sentence, version);
    }
}
