package dev.slipway.diagnosis;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.cluster.Condition;
import dev.slipway.cluster.ObjectRef;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Looks at what was declared and what Cluster API made of it, without the machines. */
@Component
final class ClusterApiStep implements Step {

    private final LiveReader reader;
    private final ClusterApi api;
    private final Clock clock;

    ClusterApiStep(LiveReader reader, ClusterApi api, Clock clock) {
        this.reader = reader;
        this.api = api;
        this.clock = clock;
    }

    @Override
    public int number() {
        return 1;
    }

    @Override
    public String title() {
        return "Cluster API";
    }

    @Override
    public void look(ClusterRef cluster, Findings findings) {
        new Look(cluster, findings, clock.instant()).all();
    }

    /** One look, with what it has seen so far. */
    private final class Look {

        private final ClusterRef ref;
        private final Findings findings;
        private final Instant now;
        private Sight<KubeObject> declared = Sight.unknown();
        private Sight<CapiCluster> cluster = Sight.unknown();

        Look(ClusterRef ref, Findings findings, Instant now) {
            this.ref = ref;
            this.findings = findings;
            this.now = now;
        }

        void all() {
            String wlc = ObjectHealth.name(ResourceType.WORKLOAD_CLUSTERS.kind(), ref.name());
            String capi = ObjectHealth.name("Cluster", ref.name());
            findings.look(
                    wlc,
                    () -> declared = Sight.of(reader.get(ResourceType.WORKLOAD_CLUSTERS, ref.namespace(), ref.name())));
            findings.look(capi, () -> readCluster(capi));
            tellDeclared(wlc);
            tellCluster(capi);
            if (declared.absent() && cluster.absent()) {
                namespace();
            }
            findings.look("clusterclass", this::clusterClass);
            cluster.present().ifPresent(this::partsOf);
        }

        private void readCluster(String name) {
            if (reader.find(ClusterApi.GROUP, "Cluster").isEmpty()) {
                findings.add(Seen.problem(
                        name,
                        "ClusterApiAbsent",
                        "Cluster API is not installed: the management cluster does not serve Cluster."
                                + ClusterApi.GROUP));
                return;
            }
            cluster = Sight.of(api.cluster(ref.namespace(), ref.name()));
        }

        private void tellDeclared(String name) {
            declared.present().ifPresent(object -> {
                ObjectHealth health = ObjectHealth.of(object, now);
                replaced(object, health);
                if (dryRun(object)) {
                    health.detail("spec.dryRun: only a plan is made");
                }
                findings.add(health.seen());
            });
            if (declared.absent()) {
                findings.add(
                        cluster.present().isPresent()
                                ? Seen.ok(name, "there is none: the cluster was not declared to Slipway")
                                : Seen.problem(name, "WorkloadClusterAbsent", "there is none"));
            }
        }

        private void replaced(KubeObject object, ObjectHealth health) {
            if (!ref.uid().isEmpty() && !ref.uid().equals(object.uid())) {
                health.cause(
                        Verdict.PROBLEM,
                        "WorkloadClusterReplaced",
                        "it was deleted and made anew: its UID is " + object.uid() + ", the flow is about "
                                + ref.uid());
            }
        }

        private void tellCluster(String name) {
            cluster.present().ifPresent(capi -> {
                ObjectHealth health = ObjectHealth.of(capi.object(), now);
                health.detail(capi.endpoint()
                        .map(endpoint -> "control plane endpoint: " + endpoint.display())
                        .orElse("no control plane endpoint yet"));
                health.detail("control plane initialized: " + capi.controlPlaneInitialized());
                findings.add(health.seen());
            });
            if (cluster.absent()) {
                findings.add(noCluster(name));
            }
        }

        private Seen noCluster(String name) {
            if (declared.present().filter(ClusterApiStep::dryRun).isPresent()) {
                return Seen.ok(name, "there is none: the WorkloadCluster asks for a dry run");
            }
            return declared.present().isPresent()
                    ? Seen.warning(name, "ClusterAbsent", "there is none (yet)")
                    : Seen.problem(name, "ClusterAbsent", "there is none");
        }

        /** Best effort: the right to read namespaces is not needed for anything else. */
        private void namespace() {
            try {
                if (reader.get(ResourceType.NAMESPACES, "", ref.namespace()).isEmpty()) {
                    findings.add(Seen.problem(
                            "namespace/" + ref.namespace(), "NamespaceAbsent", "there is no such namespace"));
                }
            } catch (Failure e) {
                findings.add(Seen.unknown("namespace/" + ref.namespace(), e.code(), e.message()));
            }
        }

        private void clusterClass() {
            KubeObject object = cluster.present()
                    .map(CapiCluster::object)
                    .or(() -> declared.present())
                    .orElse(null);
            if (object == null) {
                return;
            }
            String name = object.text("spec", "topology", "classRef", "name")
                    .or(() -> object.text("spec", "topology", "class"))
                    .orElse("");
            String namespace = object.text("spec", "topology", "classRef", "namespace")
                    .or(() -> object.text("spec", "topology", "classNamespace"))
                    .orElse(ref.namespace());
            Optional<ResourceType> type = reader.find(ClusterApi.GROUP, "ClusterClass");
            if (name.isEmpty() || type.isEmpty()) {
                return;
            }
            Optional<KubeObject> found = reader.get(type.get(), namespace, name);
            findings.add(found.map(this::health)
                    .orElseGet(() -> Seen.problem(
                            ObjectHealth.name("ClusterClass", name),
                            "ClusterClassMissing",
                            "there is no ClusterClass " + name + " in namespace " + namespace
                                    + ", though the topology names it")));
        }

        private void partsOf(CapiCluster capi) {
            capi.infrastructureRef().ifPresent(this::infrastructure);
            capi.controlPlaneRef()
                    .ifPresentOrElse(
                            target -> controlPlane(capi, target),
                            () -> findings.add(Seen.warning(
                                    "cluster/" + capi.name(),
                                    "NoControlPlaneRef",
                                    "it names no control plane object (yet)")));
            findings.look("machinedeployments", this::machineDeployments);
        }

        private void infrastructure(ObjectRef target) {
            String name = ObjectHealth.name(target.kind(), target.name());
            findings.look(name, () -> api.resolve(ref.namespace(), target)
                    .ifPresentOrElse(object -> findings.add(health(object)), () -> missing(name)));
        }

        private void controlPlane(CapiCluster capi, ObjectRef target) {
            String name = ObjectHealth.name(target.kind(), target.name());
            findings.look(name, () -> api.resolve(ref.namespace(), target)
                    .ifPresentOrElse(object -> findings.add(controlPlane(capi, object)), () -> missing(name)));
        }

        private Seen controlPlane(CapiCluster capi, KubeObject object) {
            ObjectHealth health = ObjectHealth.of(object, now);
            Replicas machines = Replicas.of(object);
            if (capi.controlPlaneInitialized() && belowQuorum(object, machines)) {
                health.leading(
                        Verdict.PROBLEM,
                        "ControlPlaneBelowQuorum",
                        machines.ready() + " of " + machines.there() + " control plane machines are ready, etcd needs "
                                + machines.quorum());
            }
            return machines.tell(health).seen();
        }

        /**
         * A machine that is only just being added has no vote yet, so numbers alone tell nothing while it is.
         *
         * <p>Nor do they where nodes have no network: machines are not ready then, though etcd is well.
         */
        private boolean belowQuorum(KubeObject object, Replicas machines) {
            boolean growing = machines.there() < machines.wanted();
            return machines.counted()
                    && machines.ready() < machines.quorum()
                    && !Condition.isTrue(object, "EtcdClusterHealthy")
                    && (!growing || doubted(object, "EtcdClusterHealthy") || doubted(object, "Available"));
        }

        private boolean doubted(KubeObject object, String condition) {
            return Condition.of(object, condition).filter(c -> !c.holds()).isPresent();
        }

        private void machineDeployments() {
            Optional<ResourceType> type = reader.find(ClusterApi.GROUP, "MachineDeployment");
            if (type.isEmpty()) {
                return;
            }
            List<Seen> all =
                    reader.list(type.get(), ref.namespace(), Map.of(ClusterApi.CLUSTER_NAME_LABEL, ref.name())).stream()
                            .map(object -> Replicas.of(object)
                                    .tell(ObjectHealth.of(object, now))
                                    .seen())
                            .toList();
            findings.addAll("machinedeployments", all);
        }

        private void missing(String name) {
            findings.add(Seen.problem(name, "ReferenceMissing", "there is none, though the Cluster names it"));
        }

        private Seen health(KubeObject object) {
            return ObjectHealth.of(object, now).seen();
        }
    }

    private static boolean dryRun(KubeObject workloadCluster) {
        return workloadCluster.at("spec", "dryRun").asBoolean();
    }
}
