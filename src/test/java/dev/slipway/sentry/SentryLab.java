package dev.slipway.sentry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Token;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import dev.slipway.sentry.SentrySettings.TokenKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A sentry of its own in a workload cluster with controllers that the tests of this package share. */
final class SentryLab {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    final JsonApi json = plane().json();
    final String namespace = "sentry-" + COUNTER.incrementAndGet();
    final ClusterRef cluster = new ClusterRef("team", "prod", UUID.randomUUID().toString());
    final List<Token> handedOver = new ArrayList<>();

    private Workload workload = open(plane().adminKubeconfig());

    /** Started at first use; ends with the JVM. */
    static ControlPlane plane() {
        return Plane.INSTANCE;
    }

    static Workload open(String kubeconfig) {
        KubeObject secret = KubeObject.named(ResourceType.SECRETS, "team", "prod-kubeconfig");
        byte[] text = kubeconfig.getBytes(StandardCharsets.UTF_8);
        secret.json().putObject("data").put("value", Base64.getEncoder().encodeToString(text));
        return RealWorkloads.clusters().open("uid", secret);
    }

    /** Goes through another address or as somebody else from now on. */
    SentryLab through(String kubeconfig) {
        workload = open(kubeconfig);
        return this;
    }

    Workload workload() {
        return workload;
    }

    SentrySettings settings() {
        return settings(TokenKind.SECRET);
    }

    SentrySettings settings(TokenKind kind) {
        return settings("cluster-admin", List.of("* *.*"), kind);
    }

    SentrySettings settings(String role, List<String> rights, TokenKind kind) {
        return new SentrySettings(namespace, "sentry", role, rights, kind, "sentry-token", Duration.ofHours(10));
    }

    Outcome namespace() {
        return namespace(cluster);
    }

    Outcome namespace(ClusterRef other) {
        return new WorkloadNamespace(settings()).ensure(context(other, Instant.now()), workload);
    }

    Outcome account() {
        return account(settings());
    }

    Outcome account(SentrySettings settings) {
        return accounts(settings).ensure(context(cluster, Instant.now()), workload);
    }

    Outcome token() {
        return token(settings());
    }

    Outcome token(SentrySettings settings) {
        return token(settings, Instant.now());
    }

    Outcome token(SentrySettings settings, Instant now) {
        return new SentryToken(settings, accounts(settings)).ensure(context(cluster, now), workload, token -> {
            handedOver.add(token);
            return Optional.empty();
        });
    }

    Token lastToken() {
        return handedOver.get(handedOver.size() - 1);
    }

    ObjectNode read(String path) {
        return json.get(path).orElseThrow(() -> new AssertionError("No " + path));
    }

    ObjectNode serviceAccount() {
        return read(accountPath());
    }

    String namespacePath() {
        return "/api/v1/namespaces/" + namespace;
    }

    String accountPath() {
        return namespacePath() + "/serviceaccounts/sentry";
    }

    String bindingPath() {
        return "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/slipway:" + namespace + ":sentry";
    }

    String rolePath() {
        return "/apis/rbac.authorization.k8s.io/v1/clusterroles/slipway:" + namespace + ":sentry";
    }

    String secretPath(String name) {
        return namespacePath() + "/secrets/" + name;
    }

    Optional<ObjectNode> secret(String name) {
        return json.get(secretPath(name));
    }

    List<String> secrets() {
        return json.list(namespacePath() + "/secrets").stream()
                .map(secret -> secret.at("/metadata/name").asText())
                .sorted()
                .toList();
    }

    private static SentryAccount accounts(SentrySettings settings) {
        return new SentryAccount(settings, new WorkloadNamespace(settings));
    }

    private static PhaseContext context(ClusterRef cluster, Instant now) {
        return new PhaseContext(
                cluster, "cluster-import", "flow", "phase", 1, now, now, Duration.ofSeconds(30), Map.of());
    }

    /** Created at first use. */
    private static final class Plane {
        private static final ControlPlane INSTANCE = create();

        private static ControlPlane create() {
            ControlPlane plane = ControlPlane.builder().controllers(true).start();
            Runtime.getRuntime().addShutdownHook(new Thread(plane::close, "close-sentry-plane"));
            return plane;
        }
    }
}
