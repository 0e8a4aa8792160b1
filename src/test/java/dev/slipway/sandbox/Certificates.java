package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.Kubeconfig;
import dev.slipway.controlplane.Pki;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cluster's certificates, as the kubeadm control plane provider sees them: only through the cluster's label. */
final class Certificates {

    private static final List<String> PURPOSES = List.of("ca", "etcd", "proxy", "sa");
    private static final String CONDITION = "CertificatesAvailable";

    private final Capi capi;

    Certificates(Capi capi) {
        this.capi = capi;
    }

    /**
     * Looks for the certificates and adopts those that controllers made.
     *
     * @return the secrets by purpose; empty while any is missing, with the reason in the conditions
     */
    Optional<Map<String, ObjectNode>> look(Pass pass, ObjectNode controlPlane, Conditions conditions) {
        Map<String, ObjectNode> byPurpose = new HashMap<>();
        for (ObjectNode secret : secrets(pass.cluster())) {
            for (String purpose : PURPOSES) {
                if (Capi.name(secret).equals(pass.name() + "-" + purpose)) {
                    byPurpose.put(purpose, secret);
                }
            }
        }
        List<String> missing = new ArrayList<>(PURPOSES);
        missing.removeAll(byPurpose.keySet());
        if (!missing.isEmpty()) {
            return unavailable(pass, missing, controlPlane, conditions);
        }
        byPurpose.values().forEach(secret -> adopt(pass, secret, controlPlane));
        conditions.yes(CONDITION, "Available");
        return Optional.of(byPurpose);
    }

    /** Makes those that are missing, unless Slipway does: then the next look finds them. */
    private Optional<Map<String, ObjectNode>> unavailable(
            Pass pass, List<String> missing, ObjectNode controlPlane, Conditions conditions) {
        boolean hidden = missing.stream().anyMatch(purpose -> capi.api()
                .get(Capi.secrets(pass.namespace()) + "/" + pass.name() + "-" + purpose)
                .isPresent());
        // The real provider's cache does not show it and its create fails: it never says which label is missing.
        if (hidden) {
            conditions.unknown(CONDITION, "InternalError", "Please check controller logs for errors");
            return Optional.empty();
        }
        if (!pass.declared()) {
            missing.forEach(purpose -> create(pass, purpose, controlPlane));
        }
        conditions.no(
                CONDITION,
                "NotAvailable",
                "Cluster certificates for " + String.join(", ", missing)
                        + " are not available, please check cluster certificate secrets");
        return Optional.empty();
    }

    private void create(Pass pass, String purpose, ObjectNode controlPlane) {
        Pki.Pem pem = "sa".equals(purpose) ? Pki.keyPair() : Pki.authority(pass.name() + "-" + purpose);
        ObjectNode secret = Capi.child(pass.cluster(), "v1", "Secret", pass.name() + "-" + purpose);
        secret.put("type", Capi.SECRET_TYPE);
        secret.putObject("stringData").put("tls.crt", pem.certificate()).put("tls.key", pem.key());
        capi.api().create(Capi.secrets(pass.namespace()), Capi.own(secret, controlPlane, true));
        pass.changed(true);
    }

    List<ObjectNode> secrets(JsonNode cluster) {
        return capi.api()
                .list(Capi.secrets(Capi.namespace(cluster)) + "?labelSelector=" + Capi.CLUSTER_NAME + "%3D"
                        + Capi.name(cluster));
    }

    /** Secrets of any other type are the user's: used, never owned. */
    private void adopt(Pass pass, ObjectNode secret, ObjectNode controlPlane) {
        if (Capi.SECRET_TYPE.equals(secret.path("type").asText())) {
            String path = Capi.secrets(pass.namespace()) + "/" + Capi.name(secret);
            pass.changed(Ownership.adopt(capi, path, secret, controlPlane));
        }
    }

    /** Creates the kubeconfig secret if there is none; one that is there is respected. */
    void ensureKubeconfig(Pass pass, ObjectNode controlPlane, Pki.Pem authority, String server) {
        String name = pass.name() + "-kubeconfig";
        if (capi.api().get(Capi.secrets(pass.namespace()) + "/" + name).isPresent()) {
            return;
        }
        Pki.Pem client = Pki.client(authority, "kubernetes-admin", "system:masters");
        String kubeconfig = Kubeconfig.of(pass.name(), server, authority.certificate(), client);
        ObjectNode secret = Capi.child(pass.cluster(), "v1", "Secret", name);
        secret.put("type", Capi.SECRET_TYPE);
        secret.set(
                "data",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("value", Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8))));
        capi.api().create(Capi.secrets(pass.namespace()), Capi.own(secret, controlPlane, true));
        pass.changed(true);
    }
}
