package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What failed calls are, told from small servers that misbehave in each way. */
@Timeout(60)
class ErrorClassifierTest {

    private static final String HOUR = "PT1H";

    @Test
    void aServerThatAsksToSlowDownIsObeyed() throws Exception {
        // given
        String status = "{\"kind\": \"Status\", \"reason\": \"TooManyRequests\", \"message\": \"slow down\"}";

        // then
        Failure seconds = answered(429, status, "Retry-After", "7");
        assertThat(seconds.code()).isEqualTo("TooManyRequests");
        assertThat(seconds.errorClass()).isEqualTo(ErrorClass.CONTENTION);
        assertThat(seconds.retryAfter()).contains(Duration.ofSeconds(7));

        Failure details = answered(429, "{\"details\": {\"retryAfterSeconds\": 3}}");
        assertThat(details.retryAfter()).contains(Duration.ofSeconds(3));

        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusHours(1));
        Failure dated = answered(503, "", "Retry-After", date);
        assertThat(dated.retryAfter())
                .hasValueSatisfying(after -> assertThat(after).isBetween(Duration.ofMinutes(59), Duration.parse(HOUR)));

        assertThat(answered(503, "", "Retry-After", "soon").retryAfter()).isEmpty();
        assertThat(answered(503, "", "Retry-After", "99999999999999999999").errorClass())
                .isEqualTo(ErrorClass.TRANSIENT);
    }

    @Test
    void serverErrorsAreTransientAlsoWhenALoadBalancerSaysThem() throws Exception {
        for (int code : new int[] {500, 502, 503, 504}) {
            Failure failure = answered(code, "<html>Bad Gateway</html>");
            assertThat(failure.code()).isEqualTo("ServerError");
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
            assertThat(failure.message())
                    .contains("Could not get secrets team/a")
                    .contains(String.valueOf(code));
        }
    }

    @Test
    void somethingElseThanAnApiServerIsNamedSo() throws Exception {
        assertThat(answered(200, "<html>Welcome</html>").code()).isEqualTo("AnswerUnreadable");
        assertThat(answered(302, "", "Location", "/elsewhere").code()).isEqualTo("NotSupported");
    }

    @Test
    void aWrappedStatusIsUnderstood() throws Exception {
        Failure failure = answered(403, "{\"ErrStatus\": {\"message\": \"no right\", \"reason\": \"Forbidden\"}}");

        assertThat(failure.errorClass()).isEqualTo(ErrorClass.AUTH);
        assertThat(failure.message()).contains("no right");
    }

    @Test
    void aNamespaceThatTerminatesIsNoQuestionOfRights() throws Exception {
        Failure failure = answered(
                403,
                """
                {"reason": "Forbidden", "message": "being terminated",
                 "details": {"causes": [{"reason": "NamespaceTerminating", "field": "metadata.namespace"}]}}
                """);

        assertThat(failure.code()).isEqualTo("NamespaceTerminating");
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
    }

    @Test
    void aRefusedConnectionAndAnUnknownHostAreTransient() throws Exception {
        // given
        int closedPort;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closedPort = socket.getLocalPort();
        }

        // then
        Failure refused = get(plain("http://127.0.0.1:" + closedPort));
        assertThat(refused.code()).isEqualTo("ApiUnreachable");
        assertThat(refused.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
        assertThat(refused.message()).contains("Could not get secrets team/a").contains("127.0.0.1:" + closedPort);
        assertThat(refused.actions()).isNotEmpty();
        Failure unknown = get(plain("https://no-such-host.invalid"));
        assertThat(unknown.code()).isEqualTo("ApiUnreachable");
        assertThat(unknown.message()).contains("no-such-host.invalid is not known");
    }

    @Test
    void aBlackHoleEndsByTheDeadline() throws Exception {
        try (ServerSocket hole = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Failure failure = get(plain("http://127.0.0.1:" + hole.getLocalPort()));

            assertThat(failure.code()).isEqualTo("ApiTimeout");
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
        }
    }

    @Test
    void anAnswerThatTricklesForEverEndsByTheDeadline() throws Exception {
        // given
        HttpServer server = TestTls.http(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 100_000; i++) {
                exchange.getResponseBody().write(' ');
                exchange.getResponseBody().flush();
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
        });

        // then
        try {
            assertThat(get(plain(url("http", server))).code()).isEqualTo("ApiTimeout");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anInterruptedCallEndsAtOnce() throws Exception {
        try (ServerSocket hole = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // given
            KubeClient client = KubeClient.of(plain("http://127.0.0.1:" + hole.getLocalPort()), Duration.ofMinutes(5));
            Thread.currentThread().interrupt();

            // when
            Failure failure = get(client);

            // then
            assertThat(Thread.interrupted()).isTrue();
            assertThat(failure.code()).isEqualTo("CallInterrupted");
        }
    }

    @Test
    @Tag("T30")
    void anUnknownAuthorityIsShownWithTheCertificateThatWasPresented() throws Exception {
        // given
        TestTls.Identity theirs = TestTls.authority("theirs");
        TestTls.Identity ours = TestTls.authority("ours");
        TestTls.Identity serving = TestTls.serving(theirs, "127.0.0.1", Duration.ofDays(2));
        HttpsServer server = TestTls.https(serving, null, TestTls.answering(200, "{}"));

        // when
        Failure failure = get(trusting(ours, url("https", server)));

        // then
        server.stop(0);
        assertThat(failure.code()).isEqualTo("CaUnknown");
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRUST);
        assertThat(failure.message()).contains("issuer CN=theirs").contains(presented(serving, "127.0.0.1"));
    }

    @Test
    void anAuthorityOfTheSameNameWithAnotherKeyIsUnknownToo() throws Exception {
        // given
        TestTls.Identity serving = TestTls.serving(TestTls.authority("kubernetes"), "127.0.0.1", Duration.ofDays(2));
        HttpsServer server = TestTls.https(serving, null, TestTls.answering(200, "{}"));

        // when
        Failure failure = get(trusting(TestTls.authority("kubernetes"), url("https", server)));

        // then
        server.stop(0);
        assertThat(failure.code()).isEqualTo("CaUnknown");
    }

    @Test
    @Tag("T30")
    void anExpiredCertificateIsNamedSo() throws Exception {
        // given
        TestTls.Identity authority = TestTls.authority("ca");
        TestTls.Identity expired = TestTls.serving(authority, "127.0.0.1", Duration.ofDays(-1));
        HttpsServer server = TestTls.https(expired, null, TestTls.answering(200, "{}"));

        // when
        Failure failure = get(trusting(authority, url("https", server)));

        // then
        server.stop(0);
        assertThat(failure.code()).isEqualTo("CertificateExpired");
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRUST);
        assertThat(failure.message()).contains("has expired").contains(presented(expired, "127.0.0.1"));
    }

    @Test
    @Tag("T30")
    void aCertificateForAnotherHostIsNamedSo() throws Exception {
        // given
        TestTls.Identity authority = TestTls.authority("ca");
        TestTls.Identity serving = TestTls.serving(authority, "api.example.com", Duration.ofDays(2));
        HttpsServer server = TestTls.https(serving, null, TestTls.answering(200, "{}"));

        // when
        Failure failure = get(trusting(authority, url("https", server)));

        // then
        server.stop(0);
        assertThat(failure.code()).isEqualTo("HostnameMismatch");
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRUST);
        assertThat(failure.message())
                .contains("does not name the host 127.0.0.1")
                .contains(presented(serving, "api.example.com"));
    }

    private static String[] presented(TestTls.Identity identity, String host) throws Exception {
        return new String[] {
            "subject CN=server " + host,
            "SANs [" + host + "]",
            "notAfter " + identity.certificate().getNotAfter().toInstant(),
            "SHA-256 " + identity.fingerprint()
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Received fatal alert: bad_certificate",
                "(certificate_required) Received fatal alert: certificate_required",
                "(certificate_expired) Received fatal alert: certificate_expired",
                "Received fatal alert: unknown_ca"
            })
    void aClientCertificateThatTheServerRejectsIsAQuestionOfCredentials(String alert) {
        // when
        Failure failure = ErrorClassifier.standard()
                .unanswered(Operation.path("/version"), URI.create("https://a:6443"), new SSLHandshakeException(alert));

        // then
        assertThat(failure.code()).isEqualTo("ClientCertificateRejected");
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.AUTH);
        assertThat(failure.message()).contains("https://a:6443").contains(alert);
    }

    @Test
    void aPortWithoutTlsIsNamedSo() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            // given
            inBackground(() -> answerAll(plain, "HTTP/1.1 400 Bad Request\r\n\r\n"));

            // when
            Failure failure = get(trusting(TestTls.authority("ca"), "https://127.0.0.1:" + plain.getLocalPort()));

            // then
            assertThat(failure.code()).isEqualTo("TlsFailed");
        }
    }

    @Test
    void aLoadBalancerWithNothingBehindItIsUnreachableNotUntrusted() throws Exception {
        try (ServerSocket balancer = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            // given
            inBackground(() -> answerAll(balancer, ""));

            // when
            Failure failure = get(trusting(TestTls.authority("ca"), "https://127.0.0.1:" + balancer.getLocalPort()));

            // then
            assertThat(failure.code()).isEqualTo("ApiUnreachable");
            assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
        }
    }

    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task, "test-socket");
        thread.setDaemon(true);
        thread.start();
    }

    /** Answers each connection with that text, and ends it. */
    private static void answerAll(ServerSocket server, String answer) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                // All of the hello, so that closing ends in order and not with a reset.
                byte[] hello = new byte[4096];
                if (socket.getInputStream().read(hello) < 0) {
                    return;
                }
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            } catch (java.io.IOException e) {
                return;
            }
        }
    }

    private static Failure answered(int code, String body, String... headers) throws Exception {
        HttpServer server = TestTls.http(TestTls.answering(code, body, headers));
        try {
            return get(plain(url("http", server)));
        } finally {
            server.stop(0);
        }
    }

    private static Failure get(ApiClient api) {
        return get(KubeClient.of(api, Duration.ofSeconds(2)));
    }

    private static Failure get(KubeClient client) {
        Failure failure = catchThrowableOfType(Failure.class, () -> client.get(ResourceType.SECRETS, "team", "a"));
        assertThat(failure).isNotNull();
        return failure;
    }

    private static ApiClient plain(String url) {
        return new ApiClient().setBasePath(url);
    }

    private static ApiClient trusting(TestTls.Identity authority, String url) {
        return new ClientBuilder()
                .setBasePath(url)
                .setCertificateAuthority(authority.pem().getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private static String url(String scheme, HttpServer server) {
        return scheme + "://127.0.0.1:" + server.getAddress().getPort();
    }
}
