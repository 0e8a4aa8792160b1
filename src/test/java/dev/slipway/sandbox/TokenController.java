package dev.slipway.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Plays the token controller of a workload cluster: fills Secrets that ask for a ServiceAccount's token.
 *
 * <p>A kube-controller-manager does no more for Slipway, but takes 84 MB for each cluster. The tokens are the API
 * server's own, and die with their Secret; unlike the real ones they end, after a year.
 */
final class TokenController {

    private static final String UNFILLED = "/api/v1/secrets?fieldSelector=type%3Dkubernetes.io%2Fservice-account-token";
    private static final String ACCOUNT = "kubernetes.io/service-account.name";
    private static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";
    private static final int LIFE_SECONDS = 365 * 24 * 3600;

    private final JsonApi api;
    private final String authority;

    TokenController(JsonApi api, String authority) {
        this.api = api;
        this.authority = authority;
    }

    /** Fills those that have no token yet and whose account exists. */
    void run() {
        for (ObjectNode secret : api.list(UNFILLED)) {
            boolean empty = secret.path("data").path("token").asText().isEmpty();
            if (empty && !Capi.deleting(secret)) {
                String account = "/api/v1/namespaces/" + Capi.namespace(secret) + "/serviceaccounts/"
                        + secret.path("metadata")
                                .path("annotations")
                                .path(ACCOUNT)
                                .asText("-");
                api.get(account).ifPresent(found -> fill(secret, account, found));
            }
        }
    }

    private void fill(ObjectNode secret, String path, ObjectNode account) {
        String wanted =
                secret.path("metadata").path("annotations").path(ACCOUNT_UID).asText(Capi.uid(account));
        if (!wanted.equals(Capi.uid(account))) {
            return;
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.withObject("/metadata")
                .put("uid", Capi.uid(secret))
                .putObject("annotations")
                .put(ACCOUNT_UID, Capi.uid(account));
        Optional<JsonNode> token = api.create(path + "/token", request(secret))
                .map(answer -> answer.path("status").path("token"));
        patch.putObject("data")
                .put("token", base64(token.orElseThrow().asText()))
                .put("ca.crt", base64(authority))
                .put("namespace", base64(Capi.namespace(secret)));
        api.merge("/api/v1/namespaces/" + Capi.namespace(secret) + "/secrets/" + Capi.name(secret), patch);
    }

    private static ObjectNode request(ObjectNode secret) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
        request.putObject("spec")
                .put("expirationSeconds", LIFE_SECONDS)
                .putObject("boundObjectRef")
                .put("apiVersion", "v1")
                .put("kind", "Secret")
                .put("name", Capi.name(secret))
                .put("uid", Capi.uid(secret));
        return request;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
