package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Looks at one cluster and does what Cluster API's controllers would do next. */
final class SimulatedCluster {

    private static final String TOPOLOGY = "TopologyReconciled";

    private final Capi capi;
    private final WorkloadApis apis;
    private final Topology topology;
    private final Infrastructure infrastructure;
    private final KubeadmControlPlane controlPlanes;
    private final Workers workers;
    private final Deletion deletion;

    SimulatedCluster(Capi capi, WorkloadApis apis) {
        Templates templates = new Templates(capi);
        Machines machines = new Machines(capi, templates);
        this.capi = capi;
        this.apis = apis;
        this.topology = new Topology(capi, templates);
        this.infrastructure = new Infrastructure(capi, apis);
        this.controlPlanes = new KubeadmControlPlane(capi, apis, machines);
        this.workers = new Workers(capi, apis, machines);
        this.deletion = new Deletion(capi, apis, workers, controlPlanes);
    }

    /** Takes one look; whatever is found half done is carried on. */
    void advance(Pass pass) {
        ObjectNode cluster = pass.cluster();
        if (Capi.deleting(cluster)) {
            if (has(cluster.path("metadata").path("finalizers"), Capi.FINALIZER)) {
                deletion.advance(pass);
            }
            return;
        }
        if (paused(cluster)) {
            ObjectNode status = JsonNodeFactory.instance.objectNode();
            status.set(
                    "conditions",
                    pass.conditions()
                            .set("Paused", "True", "Paused", "Cluster is paused")
                            .toJson());
            pass.changed(capi.writeStatus(Capi.clusterPath(cluster), cluster, status));
            return;
        }
        if (!has(cluster.path("metadata").path("finalizers"), Capi.FINALIZER)) {
            addFinalizer(cluster);
            pass.changed(true);
            return;
        }
        if (expand(pass)) {
            // The references are in the object now: the next look reads them.
            pass.changed(true);
            return;
        }
        bringUp(pass);
    }

    private void bringUp(Pass pass) {
        boolean infrastructureReady = infrastructure.advance(pass);
        KubeadmControlPlane.View controlPlane;
        Workers.View workerView;
        try {
            controlPlane = controlPlanes.advance(pass, infrastructureReady);
            // "When" matters to the delay of the workers: note it before looking at them.
            if (controlPlane.initialized()) {
                pass.conditions().yes("ControlPlaneInitialized", "Initialized");
            }
            workerView = workers.advance(pass, infrastructureReady, controlPlane.initialized());
        } catch (Templates.Missing e) {
            controlPlane = new KubeadmControlPlane.View(null, false, List.of(), e.getMessage());
            workerView = new Workers.View(0, List.of(), List.of("* " + e.getMessage()));
        }
        boolean answers = controlPlane.initialized()
                && !pass.behaviour().failsAt(Behaviour.Fault.BLACK_HOLE)
                && apis.find(Capi.uid(pass.cluster())).map(WorkloadApi::running).orElse(false);
        ObjectNode status = new ClusterStatus(pass).of(infrastructureReady, controlPlane, workerView, answers);
        pass.changed(capi.writeStatus(Capi.clusterPath(pass.cluster()), pass.cluster(), status));
    }

    /** Expands the topology if the spec has changed since; true if it did so. */
    private boolean expand(Pass pass) {
        ObjectNode cluster = pass.cluster();
        if (!cluster.path("spec").has("topology") || expanded(cluster)) {
            return false;
        }
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        boolean done = false;
        try {
            topology.expand(cluster);
            pass.conditions().yes(TOPOLOGY, "ReconcileSucceeded");
            done = true;
        } catch (Templates.Missing e) {
            pass.conditions().no(TOPOLOGY, "ReconcileFailed", e.getMessage());
        }
        if (done) {
            // The expansion itself raises the generation: read it back, or it would be expanded again for ever.
            ObjectNode stored = capi.api().get(Capi.clusterPath(cluster)).orElse(cluster);
            Conditions conditions = pass.conditionsOf(stored).yes(TOPOLOGY, "ReconcileSucceeded");
            status.set("conditions", conditions.toJson());
            capi.writeStatus(Capi.clusterPath(cluster), stored, status);
        }
        return done;
    }

    private static boolean expanded(ObjectNode cluster) {
        int generation = cluster.path("metadata").path("generation").asInt();
        for (JsonNode condition : cluster.path("status").path("conditions")) {
            if (TOPOLOGY.equals(condition.path("type").asText())) {
                return "True".equals(condition.path("status").asText())
                        && condition.path("observedGeneration").asInt() == generation;
            }
        }
        return false;
    }

    private static boolean paused(ObjectNode cluster) {
        return cluster.path("spec").path("paused").asBoolean()
                || cluster.path("metadata").path("annotations").has("cluster.x-k8s.io/paused");
    }

    private void addFinalizer(ObjectNode cluster) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        var finalizers = patch.putObject("metadata")
                .put(
                        "resourceVersion",
                        cluster.path("metadata").path("resourceVersion").asText())
                .putArray("finalizers");
        cluster.path("metadata").path("finalizers").forEach(finalizers::add);
        finalizers.add(Capi.FINALIZER);
        capi.api().merge(Capi.clusterPath(cluster), patch);
    }

    private static boolean has(JsonNode array, String text) {
        for (JsonNode element : array) {
            if (text.equals(element.asText())) {
                return true;
            }
        }
        return false;
    }

    /** The annotations that matter, read from the Cluster and its WorkloadCluster. */
    Behaviour behaviour(ObjectNode cluster, Duration defaultDelay) {
        Optional<ObjectNode> workloadCluster = capi.api()
                .get("/apis/slipway.dev/v1alpha1/namespaces/" + Capi.namespace(cluster) + "/workloadclusters/"
                        + Capi.name(cluster));
        return Behaviour.of(cluster, workloadCluster, defaultDelay);
    }
}
