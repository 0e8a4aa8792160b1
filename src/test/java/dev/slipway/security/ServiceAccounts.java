package dev.slipway.security;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import java.util.UUID;

/** Makes service accounts in the management cluster, with rights, and tokens for them. */
final class ServiceAccounts {

    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final String VIEW = "[get, list, watch]";
    private static final String EDIT = "[get, list, watch, create, update, patch, delete]";

    private final JsonApi api;

    ServiceAccounts(JsonApi api) {
        this.api = api;
    }

    /** A token of somebody who may look at clusters and work items of the namespace. */
    String viewerOf(String namespace) {
        return withRights(namespace, "Role", VIEW);
    }

    /** A token of somebody who may also change them. */
    String editorOf(String namespace) {
        return withRights(namespace, "Role", EDIT);
    }

    /** A token of somebody who may look everywhere. */
    String viewerOfAll(String namespace) {
        return withRights(namespace, "ClusterRole", VIEW);
    }

    /** A token of somebody without any right. */
    String stranger(String namespace) {
        return token(namespace, account(namespace));
    }

    /** @param kind Role for that namespace, ClusterRole for all */
    private String withRights(String namespace, String kind, String verbs) {
        String account = account(namespace);
        api.applyYaml(
                """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: %4$s
                metadata: {name: %1$s}
                rules: [{apiGroups: [slipway.dev], resources: [workloadclusters, workitems], verbs: %3$s}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: %4$sBinding
                metadata: {name: %1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %4$s, name: %1$s}
                subjects: [{kind: ServiceAccount, name: %1$s, namespace: %2$s}]
                """
                        .formatted(account, namespace, verbs, kind),
                namespace);
        return token(namespace, account);
    }

    private String account(String namespace) {
        String name = "robot-" + UUID.randomUUID().toString().substring(0, 8);
        api.applyYaml("{apiVersion: v1, kind: ServiceAccount, metadata: {name: " + name + "}}", namespace);
        return name;
    }

    private String token(String namespace, String account) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
        request.putObject("spec").put("expirationSeconds", 3600);
        return api.create("/api/v1/namespaces/" + namespace + "/serviceaccounts/" + account + "/token", request)
                .orElseThrow()
                .path("status")
                .path("token")
                .asText();
    }
}
