package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.cluster.TcpProbe;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.controlplane.Kubeconfig;
import dev.slipway.controlplane.Pki;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.imports.AccessProof;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportedCluster;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformLab;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The way into a workload cluster: a real API server, behind a proxy with certificates of its own. */
class EnsureControlPlaneReachableIT {

    private static final String THIRD_PARTY = "{controlPlaneEndpoint: {host: 127.0.0.1, port: 1}}";
    private static final String SECRET = "data-kubeconfig";

    private final ControlPlane plane = PlatformLab.plane();
    private final FaultInjector front = FaultInjector.before(plane);
    private final ImportedCluster cluster = ImportedCluster.create("data", ImportedCluster.BUILT);

    @AfterEach
    void close() {
        front.close();
    }

    @Test
    @Tag("T34")
    void aProvisionedClusterWhoseApiRefusesIsAwaitedWithItsAddress() {
        // given
        cluster.patch("spec: {controlPlaneEndpoint: {host: 127.0.0.1, port: 1}}")
                .kubeconfig(front.kubeconfig());
        plane.json()
                .merge(
                        "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + cluster.namespace() + "/clusters/data/status",
                        "{\"status\":{\"phase\":\"Provisioned\",\"initialization\":{\"infrastructureProvisioned\":true}}}");

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("ApiUnreachable");
            assertThat(waiting.message()).contains("is not initialized yet").contains("127.0.0.1:1");
        });
        assertThat(cluster.writes()).isEmpty();
        assertThat(front.calls()).as("calls of the workload cluster").isEmpty();
    }

    @Test
    @Tag("T34")
    void anInitializedClusterWhoseApiRefusesIsTriedAgainWithItsAddress() {
        // given
        cluster.initialized().kubeconfig(front.kubeconfig());
        front.refuse();

        // then
        fails(ErrorClass.TRANSIENT, "ApiUnreachable", front.server());
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    void theControlPlaneIsAwaitedUntilItIsInitialized() {
        // given
        cluster.kubeconfig(front.kubeconfig());

        // then
        waits("WaitingForControlPlaneInitialized", cluster.display() + " is not initialized yet");
    }

    @Test
    void theKubeconfigIsAwaited() {
        // given
        cluster.initialized();

        // then
        waits("WaitingForKubeconfig", cluster.namespace() + "/" + SECRET);
    }

    @Test
    void aClusterThatOthersBuiltIsInitializedWhenItAnswers() {
        // given
        ImportedCluster third = ImportedCluster.create("third", THIRD_PARTY).kubeconfig(front.kubeconfig());

        // then
        assertThat(phase(third).run(third.context()))
                .isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                        .contains(front.server() + " runs v1.")
                        .contains("the kubeconfig's CA")
                        .contains("its client certificate holds until ")
                        .doesNotContain("WARNING"));
        assertThat(third.writes()).isEmpty();
    }

    @Test
    @Tag("T21")
    void aClientCertificateThatExpiresSoonIsAWarning() {
        // given
        cluster.initialized().kubeconfig(front.kubeconfig()).at(Instant.now().plus(345, ChronoUnit.DAYS));

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("WARNING: its client certificate holds until ")
                .contains("19 days more"));
    }

    @Test
    @Tag("T21")
    void aClientCertificateThatHasExpiredEndsAllInOneAttempt() {
        // given
        cluster.initialized().kubeconfig(front.kubeconfig()).at(Instant.now().plus(366, ChronoUnit.DAYS));

        // when
        Failure failure = fails(ErrorClass.TRUST, "CredentialExpired", cluster.namespace() + "/" + SECRET);

        // then
        assertThat(failure.errorClass().triesBeforeBlocked()).isEqualTo(1);
        assertThat(failure.message()).contains("expired at 20");
        assertThat(failure.actions()).anyMatch(action -> action.contains("SUPPLY_CREDENTIALS"));
        assertThat(front.calls()).isEmpty();
    }

    @Test
    @Tag("T22")
    void aReplacedKubeconfigIsUsedFromTheNextRunOn() {
        // given
        cluster.initialized().kubeconfig(front.kubeconfig());
        assertThat(run()).isInstanceOf(Outcome.Done.class);
        Map<String, Long> before = front.calls();

        // when
        cluster.kubeconfig(plane.adminKubeconfig());

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .startsWith(plane.server() + " runs"));
        assertThat(front.calls()).isEqualTo(before);
    }

    @Test
    @Tag("T24")
    void anotherAuthorityIsAMismatchWithAllFingerprints() {
        // given
        cluster.initialized().kubeconfig(expecting(plane.caPem()));

        // when
        Failure failure = fails(ErrorClass.TRUST, "CaMismatch", fingerprint(plane.caPem()));

        // then
        assertThat(failure.message())
                .contains("Presented is 'CN=kube-apiserver'")
                .contains("SANs [127.0.0.1, localhost")
                .contains(presented());
        assertThat(failure.actions()).anyMatch(action -> action.contains("ACCEPT_CA"));
        assertThat(front.calls()).isEmpty();
    }

    @Test
    @Tag("T24")
    void anAcceptedCertificateIsTrustedFromThenOn() {
        // given
        cluster.initialized().kubeconfig(expecting(plane.caPem()));

        // when
        cluster.decide(Directive.ACCEPT_CA, "sha256:" + presented().toLowerCase(java.util.Locale.ROOT));

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("the certificate that was accepted"));
        assertThat(fingerprint(accepted())).isEqualTo(presented());
        int written = cluster.writes().size();

        // when
        cluster.decide(Directive.ACCEPT_CA, "");

        // then
        assertThat(run()).isInstanceOf(Outcome.Done.class);
        assertThat(cluster.writes()).hasSize(written);
    }

    @Test
    @Tag("T24")
    void theAuthorityBehindAnAcceptedCertificateIsTrustedWhereTheClusterNamesIt() {
        // given
        cluster.initialized().kubeconfig(expecting(plane.caPem())).decide(Directive.ACCEPT_CA, presented());
        String map = "/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt";
        plane.json()
                .create(
                        "/api/v1/namespaces/kube-system/configmaps",
                        JsonApi.parse("{\"metadata\":{\"name\":\"kube-root-ca.crt\"},\"data\":{\"ca.crt\":\""
                                + (plane.caPem() + front.authority()).replace("\n", "\\n") + "\"}}"));

        // then
        try {
            assertThat(run()).isInstanceOf(Outcome.Done.class);
            assertThat(fingerprint(accepted())).isEqualTo(fingerprint(front.authority()));
        } finally {
            plane.json().delete(map);
        }
    }

    @Test
    @Tag("T24")
    void aFingerprintThatTheServerDoesNotPresentIsRefused() {
        // given
        cluster.initialized()
                .kubeconfig(expecting(plane.caPem()))
                .decide(
                        Directive.ACCEPT_CA,
                        fingerprint(Pki.authority("elsewhere").certificate()));

        // then
        fails(ErrorClass.TRUST, "FingerprintNotPresented", presented());
        assertThat(cluster.writes()).isEmpty();
        assertThat(front.calls()).isEmpty();
    }

    @Test
    @Tag("T25")
    void anAuthorityThatHasExpiredIsNamedWithItsDateInOneAttempt() {
        // given
        Instant yesterday = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);
        cluster.initialized()
                .kubeconfig(expecting(Pki.authority("of yesterday", yesterday).certificate()));

        // when
        Failure failure = fails(ErrorClass.TRUST, "CaExpired", "'CN=of yesterday', notAfter " + yesterday);

        // then
        assertThat(failure.errorClass().triesBeforeBlocked()).isEqualTo(1);
        assertThat(front.calls()).isEmpty();
    }

    @Test
    @Tag("T27")
    void aSuppliedKubeconfigThatDoesNotWorkChangesNothing() {
        // given
        cluster.initialized()
                .kubeconfig(front.kubeconfig())
                .kubeconfig("other", plane.kubeconfigFor("nobody", "nothing"))
                .decide(Directive.SUPPLY_CREDENTIALS, "other");

        // then
        Failure failure = fails(ErrorClass.AUTH, "Forbidden", "the secret " + cluster.namespace() + "/other does not");
        assertThat(failure.message()).contains("nothing was changed").contains("kube-system");
        assertThat(cluster.writes()).isEmpty();
        assertThat(failure.actions()).anyMatch(action -> action.endsWith("SUPPLY_CREDENTIALS with " + SECRET));
        assertThat(access().secretOf(target())).isEqualTo(SECRET);

        // when
        cluster.decide(Directive.SUPPLY_CREDENTIALS, SECRET);

        // then
        assertThat(run()).isInstanceOf(Outcome.Done.class);
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    @Tag("T27")
    void aSuppliedKubeconfigIsUsedOnceItIsProven() {
        // given
        cluster.initialized().decide(Directive.SUPPLY_CREDENTIALS, " other ");

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.code()).isEqualTo("SuppliedSecretAbsent");
            assertThat(blocked.message()).contains(cluster.namespace() + "/other");
        });

        // when
        cluster.patch("metadata: {annotations: {slipway.dev/accepted-ca: 'of the old kubeconfig'}}")
                .kubeconfig("other", front.kubeconfig());

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("the kubeconfig's CA and the secret other"));
        assertThat(access().secretOf(target())).isEqualTo("other");
        assertThat(cluster.object().annotations()).doesNotContainKey(ImportAccess.ACCEPTED_CA);
        int written = cluster.writes().size();
        assertThat(run()).isInstanceOf(Outcome.Done.class);
        assertThat(cluster.writes()).hasSize(written);
    }

    @Test
    @Tag("T28")
    void theEndOfATokenIsUnknownAndNoError() {
        // given
        String user = "  user:\n    token: " + token();
        cluster.initialized().kubeconfig(withUser(user));

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("when its credentials expire is not known"));
    }

    @Test
    @Tag("T28")
    void aProgramIsNotRunForCredentialsAndOthersAreAskedFor() {
        // given
        String user = "  user:\n    exec: {apiVersion: client.authentication.k8s.io/v1, command: aws}";
        cluster.initialized().kubeconfig(withUser(user));

        // then
        Failure failure = fails(ErrorClass.INVALID, "KubeconfigInvalid", "exec is not allowed");
        assertThat(failure.actions()).anyMatch(action -> action.contains("SUPPLY_CREDENTIALS"));
    }

    @Test
    void callersWhomTheServerDoesNotKnowHaveNoWayInAlthoughTheyMayReadItsVersion() {
        // given
        Pki.Pem stranger = Pki.client(Pki.authority("strange"), "admin", "system:masters");
        cluster.initialized().kubeconfig(Kubeconfig.of("k", plane.server(), plane.caPem(), stranger));
        var calls = front.record(Calls.all());

        // then
        fails(ErrorClass.AUTH, "Unauthorized", "kube-system");
        assertThat(calls.calls()).isEmpty();
    }

    private Outcome run() {
        return phase(cluster).run(cluster.context());
    }

    private static EnsureControlPlaneReachable phase(ImportedCluster cluster) {
        ImportAccess access = cluster.access();
        return new EnsureControlPlaneReachable(
                cluster.targets(), access, new AccessProof(access), cluster.marks(), new TcpProbe());
    }

    private void waits(String reason, String text) {
        assertThat(run()).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo(reason);
            assertThat(waiting.message()).contains(text);
        });
        assertThat(cluster.writes()).isEmpty();
    }

    private Failure fails(ErrorClass errorClass, String code, String text) {
        Failure failure = catchThrowableOfType(Failure.class, this::run);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.errorClass()).isEqualTo(errorClass);
        assertThat(failure.message()).contains(text);
        return failure;
    }

    private ImportAccess access() {
        return cluster.access();
    }

    private dev.slipway.imports.ImportTarget target() {
        return cluster.targets().require(cluster.context());
    }

    private String accepted() {
        return cluster.object().annotations().getOrDefault(ImportAccess.ACCEPTED_CA, "");
    }

    /** The way through the proxy for somebody who expects that authority there. */
    private String expecting(String authority) {
        return front.kubeconfig().replace(base64(front.authority()), base64(authority));
    }

    private String withUser(String user) {
        return front.kubeconfig()
                .replaceFirst("(?s)  user:\n    client-certificate-data:.*?\n    client-key-data: [^\n]*", user);
    }

    private String token() {
        String account = cluster.namespace() + "-robot";
        cluster.apply("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: " + account + "}\n---\n"
                + "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: " + account
                + "}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\n"
                + "subjects: [{kind: ServiceAccount, name: " + account + ", namespace: " + cluster.namespace()
                + "}]\n");
        return plane.json()
                .create(
                        "/api/v1/namespaces/" + cluster.namespace() + "/serviceaccounts/" + account + "/token",
                        JsonApi.parse(
                                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}"))
                .orElseThrow()
                .at("/status/token")
                .asText();
    }

    /** The fingerprint of what the proxy shows, from another look at it. */
    private String presented() {
        try {
            var context = javax.net.ssl.SSLContext.getInstance("TLS");
            var trust = javax.net.ssl.TrustManagerFactory.getInstance(
                    javax.net.ssl.TrustManagerFactory.getDefaultAlgorithm());
            var store = java.security.KeyStore.getInstance(java.security.KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry("ca", parse(front.authority()));
            trust.init(store);
            context.init(null, trust.getTrustManagers(), null);
            var uri = java.net.URI.create(front.server());
            try (var socket =
                    (javax.net.ssl.SSLSocket) context.getSocketFactory().createSocket(uri.getHost(), uri.getPort())) {
                return fingerprint(socket.getSession().getPeerCertificates()[0]);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String fingerprint(String pem) {
        try {
            return fingerprint(parse(pem));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String fingerprint(java.security.cert.Certificate certificate) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        return HexFormat.ofDelimiter(":").withUpperCase().formatHex(hash);
    }

    private static java.security.cert.Certificate parse(String pem) throws Exception {
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
