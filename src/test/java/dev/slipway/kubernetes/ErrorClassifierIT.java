package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsServer;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.credentials.ClientCertificateAuthentication;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What failed calls are, told from the words of a real API server. */
class ErrorClassifierIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();

    private final KubeClient admin = KubeClient.of(CONTROL_PLANE.apiClient());
    private final String namespace = CONTROL_PLANE.newNamespace("errors");

    @Test
    void aListWithoutTheRightIsAnAuthFailureNeverAnEmptyList() throws Exception {
        // given
        String kubeconfig = CONTROL_PLANE.kubeconfigFor("nobody", "nothing");
        ApiClient api = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig)))
                .build();

        // when
        Failure failure = failure(() -> KubeClient.of(api).list(ResourceType.SECRETS, namespace, Map.of()));

        // then
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.AUTH);
        assertThat(failure.code()).isEqualTo("Forbidden");
        assertThat(failure.message())
                .contains("Could not list secrets in " + namespace)
                .contains("User \"nobody\" cannot list resource");
    }

    @Test
    void anUnknownTokenIsAnAuthFailure() {
        // given
        ApiClient api = new ClientBuilder()
                .setBasePath(CONTROL_PLANE.server())
                .setCertificateAuthority(CONTROL_PLANE.caPem().getBytes(StandardCharsets.UTF_8))
                .setAuthentication(new AccessTokenAuthentication("not-a-token"))
                .build();

        // when
        Failure failure = failure(() -> KubeClient.of(api).get(ResourceType.SECRETS, namespace, "a"));

        // then
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.AUTH);
        assertThat(failure.code()).isEqualTo("Unauthorized");
        assertThat(failure.message()).doesNotContain("not-a-token");
    }

    @Test
    void aClientCertificateOfAnUnknownAuthorityIsAnAuthFailure() throws Exception {
        // given
        TestTls.Identity stranger = TestTls.client(TestTls.authority("stranger"), "admin", "EC", 256);
        ApiClient api = new ClientBuilder()
                .setBasePath(CONTROL_PLANE.server())
                .setCertificateAuthority(CONTROL_PLANE.caPem().getBytes(StandardCharsets.UTF_8))
                .setAuthentication(new ClientCertificateAuthentication(
                        stranger.pem().getBytes(StandardCharsets.UTF_8),
                        stranger.keyPem().getBytes(StandardCharsets.UTF_8)))
                .build();

        // when
        Failure failure = failure(() -> KubeClient.of(api).get(ResourceType.SECRETS, namespace, "a"));

        // then
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.AUTH);
        assertThat(failure.actions()).anyMatch(action -> action.contains("expired"));
    }

    @Test
    void anInvalidObjectNamesItsFields() {
        // given
        KubeObject object = KubeObject.named(ResourceType.CONFIG_MAPS, namespace, "Bad_Name");
        object.json().withObject("metadata").putObject("labels").put("a", "not a label!");

        // when
        Failure failure = failure(() -> admin.create(ResourceType.CONFIG_MAPS, object));

        // then
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
        assertThat(failure.code()).isEqualTo("Invalid");
        assertThat(failure.message()).contains("metadata.name").contains("metadata.labels");
    }

    @Test
    void anInvalidSecretIsNotQuoted() {
        // given
        KubeObject secret = KubeObject.named(ResourceType.SECRETS, namespace, "a");
        secret.json().withObject("metadata").putObject("labels").put("a", "very secret!");
        KubeObject unreadable = KubeObject.named(ResourceType.SECRETS, namespace, "b");
        unreadable.json().putObject("data").put("key", "very secret!");

        // when
        Failure failure = failure(() -> admin.create(ResourceType.SECRETS, secret));
        Failure unread = failure(() -> admin.create(ResourceType.SECRETS, unreadable));

        // then
        assertThat(failure.message()).contains("metadata.labels").doesNotContain("very secret");
        assertThat(unread.errorClass()).isEqualTo(ErrorClass.INVALID);
        assertThat(unread.message()).doesNotContain("very secret");
    }

    @Test
    void anImmutableFieldIsInvalid() {
        // given
        KubeObject object = KubeObject.named(ResourceType.CONFIG_MAPS, namespace, "fixed");
        object.json().put("immutable", true).putObject("data").put("key", "1");
        admin.create(ResourceType.CONFIG_MAPS, object);
        object.json().withObject("data").put("key", "2");

        // when
        Failure failure = failure(() -> admin.apply(ResourceType.CONFIG_MAPS, object));

        // then
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
        assertThat(failure.message()).contains("fields data").contains("immutable");
    }

    @Test
    void aWebhookThatDeniesIsNamed() throws Exception {
        // given
        TestTls.Identity authority = TestTls.authority("webhooks");
        HttpsServer server = TestTls.https(
                TestTls.serving(authority, "127.0.0.1", Duration.ofDays(1)), null, denying("not on a Friday"));
        webhook("deny-" + namespace, server.getAddress().getPort(), authority);

        // when
        Failure failure = awaitFailure("AdmissionDenied");

        // then
        server.stop(0);
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.ADMISSION);
        assertThat(failure.message())
                .contains("denied by deny-" + namespace + ".example.com")
                .contains("not on a Friday");
    }

    @Test
    void aWebhookThatCannotBeReachedIsNamed() throws Exception {
        // given
        TestTls.Identity authority = TestTls.authority("webhooks");
        HttpsServer server =
                TestTls.https(TestTls.serving(authority, "127.0.0.1", Duration.ofDays(1)), null, denying("unused"));
        int port = server.getAddress().getPort();
        server.stop(0);
        webhook("gone-" + namespace, port, authority);

        // when
        Failure failure = awaitFailure("AdmissionUnreachable");

        // then
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.ADMISSION);
        assertThat(failure.message()).contains("cannot call the webhook gone-" + namespace + ".example.com");
    }

    @Test
    void anUnknownAuthorityShowsTheApiServersOwnCertificate() throws Exception {
        // given
        ApiClient api = new ClientBuilder()
                .setBasePath(CONTROL_PLANE.server())
                .setCertificateAuthority(TestTls.authority("ours").pem().getBytes(StandardCharsets.UTF_8))
                .build();

        // when
        Failure failure = failure(() -> KubeClient.of(api).get(ResourceType.SECRETS, namespace, "a"));

        // then
        assertThat(failure.code()).isEqualTo("CaUnknown");
        assertThat(failure.message())
                .contains("subject CN=")
                .contains("127.0.0.1")
                .contains("SHA-256 ");
    }

    /** A webhook is called a moment after its configuration was stored. */
    private Failure awaitFailure(String code) {
        return Awaitility.await()
                .until(
                        () -> catchThrowableOfType(
                                Failure.class,
                                () -> admin.dryRunApply(
                                        ResourceType.CONFIG_MAPS,
                                        KubeObject.named(ResourceType.CONFIG_MAPS, namespace, "a"))),
                        failure -> failure != null && failure.code().equals(code));
    }

    private void webhook(String name, int port, TestTls.Identity authority) {
        String bundle = Base64.getEncoder().encodeToString(authority.pem().getBytes(StandardCharsets.UTF_8));
        admin.apply(
                new ResourceType(
                        "admissionregistration.k8s.io",
                        "v1",
                        "validatingwebhookconfigurations",
                        "ValidatingWebhookConfiguration",
                        false),
                TestCrds.object(
                        """
                        {"metadata": {"name": "%1$s"},
                         "webhooks": [{"name": "%1$s.example.com", "admissionReviewVersions": ["v1"],
                          "sideEffects": "None", "failurePolicy": "Fail", "timeoutSeconds": 5,
                          "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "%2$s"}},
                          "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"],
                                     "resources": ["configmaps"]}],
                          "clientConfig": {"url": "https://127.0.0.1:%3$d/", "caBundle": "%4$s"}}]}
                        """
                                .formatted(name, namespace, port, bundle)));
    }

    private static HttpHandler denying(String reason) {
        return exchange -> {
            String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            ObjectNode review = TestCrds.object(request).json();
            ObjectNode response = review.putObject("response");
            response.put("uid", review.path("request").path("uid").asText()).put("allowed", false);
            response.putObject("status").put("message", reason);
            byte[] bytes = Json.bytes(review);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    private static Failure failure(ThrowingCallable call) {
        Failure failure = catchThrowableOfType(Failure.class, call);
        assertThat(failure).isNotNull();
        return failure;
    }
}
