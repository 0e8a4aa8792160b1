package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Deletes a cluster in Cluster API's order: workers, control plane, infrastructure, then the finalizer. */
final class Deletion {

    private final Capi capi;
    private final WorkloadApis apis;
    private final Workers workers;
    private final KubeadmControlPlane controlPlanes;

    Deletion(Capi capi, WorkloadApis apis, Workers workers, KubeadmControlPlane controlPlanes) {
        this.capi = capi;
        this.apis = apis;
        this.workers = workers;
        this.controlPlanes = controlPlanes;
    }

    /** Takes the next step. */
    void advance(Pass pass) {
        ObjectNode cluster = pass.cluster();
        List<String> remaining = new ArrayList<>();
        JsonNode spec = cluster.path("spec");
        if (!workers.removed(pass, remaining)) {
            report(pass, "WaitingForWorkersDeletion", String.join("\n", remaining));
        } else if (exists(pass, spec.path("controlPlaneRef"))
                || !capi.machines(cluster).isEmpty()) {
            controlPlanes.removeMachines(cluster);
            removeOwnedSecrets(cluster);
            delete(pass, spec.path("controlPlaneRef"));
            report(pass, "WaitingForControlPlaneDeletion", waitingFor(spec.path("controlPlaneRef")));
        } else if (exists(pass, spec.path("infrastructureRef"))) {
            delete(pass, spec.path("infrastructureRef"));
            report(pass, "WaitingForInfrastructureDeletion", waitingFor(spec.path("infrastructureRef")));
        } else {
            apis.remove(Capi.uid(cluster));
            removeTemplates(cluster);
            removeFinalizer(cluster);
        }
        pass.changed(true);
    }

    private static String waitingFor(JsonNode reference) {
        return "Waiting for " + reference.path("kind").asText() + " to be deleted";
    }

    private void report(Pass pass, String reason, String message) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("phase", "Deleting");
        status.set(
                "conditions",
                pass.conditions()
                        .set("Deleting", "True", reason, message)
                        .no("Available", "NotAvailable", "* Deleting: " + message)
                        .toJson());
        capi.writeStatus(Capi.clusterPath(pass.cluster()), pass.cluster(), status);
    }

    private boolean exists(Pass pass, JsonNode reference) {
        return reference.isObject() && capi.resolve(pass.namespace(), reference).isPresent();
    }

    private void delete(Pass pass, JsonNode reference) {
        Optional<String> path = reference.isObject() ? capi.path(pass.namespace(), reference) : Optional.empty();
        path.ifPresent(capi.api()::delete);
    }

    /** Those that controllers made; a garbage collector does the same. */
    private void removeOwnedSecrets(ObjectNode cluster) {
        for (ObjectNode secret : new Certificates(capi).secrets(cluster)) {
            boolean owned = false;
            for (JsonNode owner : secret.path("metadata").path("ownerReferences")) {
                owned |= "KubeadmControlPlane".equals(owner.path("kind").asText());
            }
            if (owned) {
                capi.api().delete(Capi.secrets(Capi.namespace(cluster)) + "/" + Capi.name(secret));
            }
        }
    }

    /** The copies that the topology made for this cluster alone. */
    private void removeTemplates(ObjectNode cluster) {
        String selector =
                "?labelSelector=" + Capi.CLUSTER_NAME + "%3D" + Capi.name(cluster) + ",topology.cluster.x-k8s.io/owned";
        for (String collection : List.of(
                "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/%s/devmachinetemplates",
                "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/%s/kubeadmconfigtemplates")) {
            String path = collection.formatted(Capi.namespace(cluster));
            if (capi.api().get(path + "?limit=1").isPresent()) {
                capi.api().list(path + selector).forEach(template -> capi.api()
                        .delete(path + "/" + Capi.name(template)));
            }
        }
    }

    private void removeFinalizer(ObjectNode cluster) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        var finalizers = patch.putObject("metadata")
                .put(
                        "resourceVersion",
                        cluster.path("metadata").path("resourceVersion").asText())
                .putArray("finalizers");
        for (JsonNode finalizer : cluster.path("metadata").path("finalizers")) {
            if (!Capi.FINALIZER.equals(finalizer.asText())) {
                finalizers.add(finalizer);
            }
        }
        capi.api().merge(Capi.clusterPath(cluster), patch);
    }
}
