package dev.slipway.pki;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** Secrets as the API server would give them. */
final class SecretFixtures {

    static final String NAMESPACE = "team-a";
    static final String CLUSTER = "c1";

    private SecretFixtures() {}

    static StoredSecret secret(String name, Map<String, String> data) {
        KubeObject object = KubeObject.named(ResourceType.SECRETS, NAMESPACE, name);
        ((ObjectNode) object.json().path("metadata")).putObject("labels").put(StoredSecret.CLUSTER_LABEL, CLUSTER);
        object.json().put("type", "Opaque");
        ObjectNode values = object.json().putObject("data");
        data.forEach((key, text) ->
                values.put(key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
        return new StoredSecret(object);
    }

    static StoredSecret pair(String certificate, String key) {
        return secret("c1-ca", Map.of("tls.crt", certificate, "tls.key", key));
    }

    static StoredSecret pair(PemPair pair) {
        return pair(pair.certificate(), pair.privateKey());
    }
}
