package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsServer;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kubeconfigs of others: what is used, and what is refused. */
class KubeconfigParserTest {

    private final TestTls.Identity authority = authority();
    private final String good = kubeconfig(
            "server: https://api.example.com:6443/\n    certificate-authority-data: " + base64(authority.pem()),
            "token: t0ken");

    @Test
    void readsServerAuthorityAndToken() {
        // when
        WorkloadAccess access = KubeconfigParser.parse("the secret a/b", good);

        // then
        assertThat(access.server()).isEqualTo("https://api.example.com:6443");
        assertThat(access.authority()).isEqualTo(authority.pem());
        assertThat(access.token()).isEqualTo("t0ken");
        assertThat(access.toString()).doesNotContain("t0ken");
    }

    @ParameterizedTest
    @CsvSource({"RSA, 2048, false", "RSA, 2048, true", "EC, 256, true", "EC, 384, true", "EC, 256, false"})
    void clientCertificatesOfEveryUsualKindAreAccepted(String algorithm, int size, boolean pkcs8) throws Exception {
        // given
        TestTls.Identity me = TestTls.client(authority, "me", algorithm, size);
        TestTls.Identity serving = TestTls.serving(authority, "127.0.0.1", Duration.ofDays(1));
        HttpsServer server = TestTls.https(serving, authority, TestTls.answering(200, "{\"gitVersion\": \"v1.2.3\"}"));
        String key = pkcs8 ? pkcs8(me) : me.keyPem();
        String text = kubeconfig(
                "server: https://127.0.0.1:" + server.getAddress().getPort() + "\n    certificate-authority-data: "
                        + base64(authority.pem()),
                "client-certificate-data: " + base64(me.pem()) + "\n    client-key-data: " + base64(key));

        // when
        KubeObject secret = new KubeObject(Json.object());
        secret.json().putObject("data").put("value", base64(text));
        String version = new CachedWorkloadClusters(1, CallSettings.DEFAULTS, ErrorClassifier.standard())
                .open("uid", secret)
                .version();

        // then
        server.stop(0);
        assertThat(version).isEqualTo("v1.2.3");
    }

    @Test
    void theNameOfTheCertificateMayBeAnotherThanTheAddress() throws Exception {
        // given
        TestTls.Identity serving = TestTls.serving(authority, "api.example.com", Duration.ofDays(1));
        HttpsServer server = TestTls.https(serving, null, TestTls.answering(200, "{\"gitVersion\": \"v1.2.3\"}"));
        String cluster = "server: https://127.0.0.1:" + server.getAddress().getPort()
                + "\n    tls-server-name: api.example.com\n    certificate-authority-data: "
                + base64(authority.pem());
        KubeObject secret = new KubeObject(Json.object());
        secret.json().putObject("data").put("value", base64(kubeconfig(cluster, "token: t0ken")));

        // when
        String version = new CachedWorkloadClusters(1, CallSettings.DEFAULTS, ErrorClassifier.standard())
                .open("uid", secret)
                .version();

        // then
        server.stop(0);
        assertThat(version).isEqualTo("v1.2.3");
    }

    @Test
    void refusesWhatWouldBeUnsafeAndSaysWhichField() {
        refused(good.replace("server:", "insecure-skip-tls-verify: true\n    server:"), "insecure-skip-tls-verify");
        refused(good.replaceAll("certificate-authority-data: .*", ""), "certificate-authority-data is missing");
        refused(
                good.replaceAll("certificate-authority-data: .*", "certificate-authority: /etc/ca.crt"),
                "certificate-authority");
        refused(
                good.replaceAll("certificate-authority-data: .*", "certificate-authority-data: AAAA"),
                "no PEM certificate",
                "no valid PEM");
        refused(good.replace("token: t0ken", "exec: {command: rm}"), "exec");
        refused(good.replace("token: t0ken", "auth-provider: {name: gcp}"), "auth-provider");
        refused(good.replace("token: t0ken", "tokenFile: /var/run/secrets/token"), "tokenFile");
        refused(good.replace("token: t0ken", "client-key: /etc/key.pem"), "client-key");
        refused(good.replace("token: t0ken", "token: t0ken\n    as: root"), "as");
        refused(good.replace("token: t0ken", "x: y"), "neither a token nor client-certificate-data");
        refused(good.replace("server:", "proxy-url: http://proxy\n    server:"), "proxy-url");
        refused(good.replace("https://api", "http://api"), "https");
        refused(good.replace("https://api", "https://me:t0ken@api"), "without credentials");
        refused(good.replace("current-context: c", ""), "current-context");
        refused(good.replace("current-context: c", "current-context: other"), "'other' is not in contexts");
        refused("t0ken: [", "no YAML");
        refused("t0ken", "no YAML map");
        refused("", "no YAML map");
    }

    @Test
    void refusesAKeyThatCannotBeReadWithoutQuotingIt() {
        // given
        String text = good.replace(
                "token: t0ken",
                "client-certificate-data: " + base64(authority.pem()) + "\n    client-key-data: " + base64("t0ken"));
        KubeObject secret = new KubeObject(Json.object());
        secret.json().putObject("data").put("value", base64(text));

        // when
        Failure failure = catchThrowableOfType(
                Failure.class, () -> new CachedWorkloadClusters(1, CallSettings.DEFAULTS, ErrorClassifier.standard())
                        .open("uid", secret));

        // then
        assertThat(failure.code()).isEqualTo("KubeconfigInvalid");
        assertThat(failure.message()).contains("client-key-data").doesNotContain("t0ken");
        assertThat(failure).hasNoCause();
    }

    private static void refused(String text, String... fields) {
        Failure failure = catchThrowableOfType(Failure.class, () -> KubeconfigParser.parse("the secret a/b", text));
        assertThat(failure).as(text).isNotNull();
        assertThat(failure.code()).isEqualTo("KubeconfigInvalid");
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
        assertThat(failure.message())
                .contains("the secret a/b")
                .containsAnyOf(fields)
                .doesNotContain("t0ken");
        assertThat(failure).hasNoCause();
    }

    private static TestTls.Identity authority() {
        try {
            return TestTls.authority("ca");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pkcs8(TestTls.Identity identity) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(new JcaPKCS8Generator(identity.key(), null));
        }
        return text.toString();
    }

    private static String kubeconfig(String cluster, String user) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: c
                  cluster:
                    %s
                users:
                - name: c
                  user:
                    %s
                contexts:
                - name: c
                  context: {cluster: c, user: c}
                current-context: c
                """
                .formatted(cluster, user);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
