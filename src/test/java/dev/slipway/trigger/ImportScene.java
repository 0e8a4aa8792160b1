package dev.slipway.trigger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.imports.ImportTarget;
import dev.slipway.imports.LabelSelector;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformLab;
import dev.slipway.platform.PlatformSettings;
import dev.slipway.queue.ManualWorkers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A namespace with Clusters of Cluster API on a real API server with a platform; time and threads are moved by hand. */
final class ImportScene {

    private static final AtomicInteger NAMES = new AtomicInteger();

    final JsonApi json;
    final FlowsInMemory flows = new FlowsInMemory();
    final ManualWorkers workers = new ManualWorkers();
    final List<ClusterRef> imported = new ArrayList<>();
    final ImportStarts starts = new ImportStarts(flows, workers);
    final String namespace;
    final KubeClient client;

    private ImportScene(ControlPlane plane) {
        json = plane.json();
        client = KubeClient.of(plane.apiClient());
        namespace = plane.newNamespace("imports");
    }

    static ImportScene withPlatform() {
        return new ImportScene(PlatformLab.plane());
    }

    static ImportScene withoutPlatform() {
        return new ImportScene(ControlPlane.shared());
    }

    ImportTrigger trigger() {
        return trigger(true, "", PlatformSettings.Api.AUTO);
    }

    ImportTrigger trigger(boolean watch, String selector, PlatformSettings.Api platform) {
        return trigger(new ImportTrigger.Policy(watch, LabelSelector.parse(selector), presence(platform)));
    }

    ImportTrigger trigger(ImportTrigger.Policy policy) {
        return new ImportTrigger(
                flows,
                new ClusterApi(client),
                List.of(namespace),
                policy,
                new ImportTrigger.Starts(starts, DeletionTriggers.of(flows, client, workers)),
                imported::add,
                workers,
                workers);
    }

    PlatformPresence presence(PlatformSettings.Api platform) {
        return new PlatformPresence(platform(platform));
    }

    PlatformApi platform(PlatformSettings.Api platform) {
        return new PlatformApi(client, client, new PlatformSettings(platform));
    }

    /** A name that nobody else uses on that server. */
    static String name() {
        return "imp" + NAMES.incrementAndGet();
    }

    /** A Cluster that is provisioned as v1beta2 says it. */
    KubeObject provisioned(String name) {
        create(name);
        return status(
                name,
                "{\"status\": {\"initialization\": {\"infrastructureProvisioned\": true}, \"phase\": \"Failed\"}}");
    }

    KubeObject create(String name) {
        return create(name, "");
    }

    /** A Cluster with both references and an endpoint, but without a status. */
    KubeObject create(String name, String owner) {
        ObjectNode cluster = JsonApi.parse(
                """
                {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster",
                 "metadata": {"name": "%s", "namespace": "%s"},
                 "spec": {"controlPlaneEndpoint": {"host": "127.0.0.1", "port": 6443},
                   "infrastructureRef": {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DevCluster", "name": "x"},
                   "controlPlaneRef": {"apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane",
                     "name": "x"}}}"""
                        .formatted(name, namespace));
        if (!owner.isEmpty()) {
            cluster.withObject("/metadata")
                    .putArray("ownerReferences")
                    .addObject()
                    .put("apiVersion", "slipway.dev/v1alpha1")
                    .put("kind", "WorkloadCluster")
                    .put("name", name)
                    .put("uid", owner);
        }
        json.create("/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters", cluster);
        return read(name);
    }

    KubeObject status(String name, String patch) {
        json.merge(path(name) + "/status", patch);
        return read(name);
    }

    KubeObject patch(String name, String patch) {
        json.merge(path(name), patch);
        return read(name);
    }

    KubeObject annotate(String name, String key, String value) {
        return patch(name, "{\"metadata\": {\"annotations\": {\"" + key + "\": \"" + value + "\"}}}");
    }

    KubeObject read(String name) {
        return new KubeObject(json.get(path(name)).orElseThrow());
    }

    void delete(String name) {
        json.delete(path(name));
    }

    String path(String name) {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters/" + name;
    }

    static ClusterRef ref(KubeObject cluster) {
        return ImportTarget.refOf(cluster);
    }
}
