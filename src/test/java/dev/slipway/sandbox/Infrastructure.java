package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Plays the infrastructure provider: gives the cluster an endpoint. */
final class Infrastructure {

    private static final String CONDITION = "InfrastructureReady";
    private static final String NETWORK = "NetworkReady";
    private static final List<String> LOOPBACK = List.of("", "127.0.0.1", "localhost");

    private final Capi capi;
    private final WorkloadApis apis;

    Infrastructure(Capi capi, WorkloadApis apis) {
        this.capi = capi;
        this.apis = apis;
    }

    /** Brings the infrastructure on; true once it is provisioned. */
    boolean advance(Pass pass) {
        JsonNode reference = pass.cluster().path("spec").path("infrastructureRef");
        String kind = reference.path("kind").asText();
        if (!reference.isObject()) {
            pass.conditions().no(CONDITION, "ObjectDoesNotExist", "Waiting for cluster topology to be reconciled");
            return false;
        }
        Optional<ObjectNode> found = capi.resolve(pass.namespace(), reference);
        if (found.isEmpty()) {
            pass.conditions().no(CONDITION, "ObjectDoesNotExist", kind + " does not exist");
            return false;
        }
        ObjectNode object = found.get();
        String path = capi.path(pass.namespace(), reference).orElseThrow();
        pass.changed(Ownership.control(capi, path, object, pass.cluster()));
        boolean provisioned =
                object.path("status").path("initialization").path("provisioned").asBoolean();
        Instant created =
                Instant.parse(object.path("metadata").path("creationTimestamp").asText());
        boolean due = !pass.behaviour().failsAt(Behaviour.Fault.INFRASTRUCTURE)
                && pass.delayPassedSince(Optional.of(created));
        if (!provisioned && !due) {
            pass.conditions().no(CONDITION, "NotReady", kind + " status.initialization.provisioned is false");
            return false;
        }
        return provision(pass, path, object, kind);
    }

    private boolean provision(Pass pass, String path, ObjectNode object, String kind) {
        JsonNode endpoint = pass.cluster().path("spec").path("controlPlaneEndpoint");
        if (!endpoint.has("port")) {
            endpoint = object.path("spec").path("controlPlaneEndpoint");
        }
        String host = endpoint.path("host").asText();
        if (!LOOPBACK.contains(host)) {
            pass.conditions()
                    .no(
                            CONDITION,
                            "NotReady",
                            "The sandbox serves loopback only: spec.controlPlaneEndpoint.host must"
                                    + " be 127.0.0.1, not " + host);
            return false;
        }
        WorkloadApi api;
        try {
            api = apis.listen(Capi.uid(pass.cluster()), endpoint.path("port").asInt());
        } catch (UncheckedIOException e) {
            pass.conditions().no(CONDITION, "NotReady", kind + ": " + e.getMessage());
            return false;
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.withObject("/spec/controlPlaneEndpoint")
                .put("host", host.isEmpty() ? "127.0.0.1" : host)
                .put("port", api.port());
        pass.changed(capi.merge(path, object, patch));
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.putObject("initialization").put("provisioned", true);
        Conditions conditions = pass.conditionsOf(object).yes("Ready", "Ready");
        lookForNetwork(pass, conditions, api);
        status.set("conditions", conditions.toJson());
        pass.changed(capi.writeStatus(path, object, status));
        pass.changed(capi.merge(Capi.clusterPath(pass.cluster()), pass.cluster(), patch));
        pass.conditions().yes(CONDITION, "Ready");
        return true;
    }

    /** Some providers install the network, through the account that import makes; what is installed stays. */
    private static void lookForNetwork(Pass pass, Conditions conditions, WorkloadApi api) {
        boolean there = pass.network() || conditions.isTrue(NETWORK) || api.hasSentry();
        pass.network(there);
        if (pass.behaviour().network() == Behaviour.Network.IMPORT
                || conditions.since(NETWORK).isPresent()) {
            conditions.when(
                    there,
                    NETWORK,
                    "Installed",
                    "ReconcileFailed",
                    "failed to reconcile AppRelease sandbox-cni: ServiceAccount \"sentry\" not found");
        }
    }
}
