package dev.slipway.pki;

import static dev.slipway.pki.SecretFixtures.CLUSTER;
import static dev.slipway.pki.SecretFixtures.pair;
import static dev.slipway.pki.SecretFixtures.secret;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPairSecretTest {

    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private static final PemPair CA = authority(Duration.ofDays(365));
    private static final PemPair OTHER = authority(Duration.ofDays(365));
    private static final String SELF_SIGNED =
            "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -keyout ca.key -out ca.crt";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void acceptsWhatSlipwayGenerates(KeyAlgorithm algorithm) {
        CertificateSettings settings = new CertificateSettings(algorithm, Duration.ofDays(365), Duration.ofDays(1));
        for (CertificatePurpose purpose : CertificatePurpose.REQUIRED) {
            // given
            StoredSecret secret = pair(KeyMaterial.generate(purpose, settings, NOW));

            // when
            KeyPairCheck check = KeyPairSecret.check(secret, CLUSTER, purpose, NOW);

            // then
            assertThat(check).isInstanceOf(KeyPairCheck.Valid.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "req -x509 -nodes -newkey rsa:2048 -keyout ca.key -out ca.crt -days 365 -subj /CN=mine",
                "req -x509 -nodes -newkey rsa:2048 -keyout ca.key -out ca.crt -days 365 -subj /CN=mine -set_serial 0",
                "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-384 -keyout ca.key -out ca.crt -days 365 -subj /CN=mine",
                "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-521 -keyout ca.key -out ca.crt -days 365 -subj /CN=mine"
            })
    void acceptsAuthoritiesOfOpenssl(String command) {
        // given
        Openssl openssl = new Openssl(folder);
        openssl.run(command);

        // when
        KeyPairCheck pkcs8 = check(pair(openssl.file("ca.crt"), openssl.file("ca.key")));
        openssl.run("pkey -in ca.key -traditional -out old.key");
        KeyPairCheck traditional = check(pair(openssl.file("ca.crt"), openssl.file("old.key")));

        // then
        assertThat(pkcs8).isInstanceOf(KeyPairCheck.Valid.class);
        assertThat(traditional).isInstanceOf(KeyPairCheck.Valid.class);
    }

    @Test
    void acceptsTextBeforeTheCertificateAndFurtherAuthorities() {
        // given
        String bundle = "Certificate of the platform team\n" + CA.certificate() + OTHER.certificate();

        // then
        assertThat(check(pair(bundle, CA.privateKey()))).isInstanceOf(KeyPairCheck.Valid.class);
    }

    @Test
    void namesTheCommandThatAddsTheMissingLabel() {
        // given
        StoredSecret secret = pair(CA);
        ((ObjectNode) secret.object().json().path("metadata")).remove("labels");

        // when
        Problem problem = problem(secret);

        // then
        assertThat(problem.code()).isEqualTo(ProblemCode.SECRET_NOT_LABELLED);
        assertThat(problem.remedy()).isEqualTo("kubectl -n team-a label secret c1-ca cluster.x-k8s.io/cluster-name=c1");
    }

    @Test
    void refusesTheLabelOfAnotherCluster() {
        // given
        StoredSecret secret = pair(CA);
        ((ObjectNode) secret.object().json().at("/metadata/labels")).put("cluster.x-k8s.io/cluster-name", "c2");

        // then
        assertThat(problem(secret).remedy()).endsWith("cluster.x-k8s.io/cluster-name=c1 --overwrite");
    }

    @Test
    void refusesAKeyOfAnotherCertificate() {
        // when
        Problem problem = problem(pair(CA.certificate(), OTHER.privateKey()));

        // then
        assertThat(problem.code()).isEqualTo(ProblemCode.KEY_MISMATCH);
        assertThat(problem.sentence())
                .isEqualTo(
                        "Secret team-a/c1-ca, tls.key: the private key does not belong to the certificate in tls.crt.");
        assertThat(problem.remedy()).contains("kubectl -n team-a patch secret c1-ca");
    }

    @Test
    void refusesAKeyOfAnotherKind() {
        // given
        String rsa = CertificateAuthority.generate("x", KeyAlgorithm.RSA_2048, Duration.ofDays(365), NOW)
                .pem()
                .privateKey();

        // then
        assertThat(problem(pair(CA.certificate(), rsa)).code()).isEqualTo(ProblemCode.KEY_MISMATCH);
    }

    @Test
    void refusesAnExpiredAuthority() {
        // given
        PemPair old = CertificateAuthority.generate(
                        "old", KeyAlgorithm.ECDSA_P256, Duration.ofDays(10), NOW.minus(Duration.ofDays(11)))
                .pem();

        // when
        Problem problem = problem(pair(old));

        // then
        assertThat(problem.code().code()).isEqualTo("CaExpired");
        assertThat(problem.field()).isEqualTo("tls.crt");
        assertThat(problem.message()).contains("expired on");
    }

    @Test
    void refusesAnAuthorityWithThirtyDaysLeftButNotWithMore() {
        assertThat(problem(pair(authority(Duration.ofDays(30)))).code()).isEqualTo(ProblemCode.CA_EXPIRES_SOON);
        assertThat(check(pair(authority(Duration.ofDays(30).plusMinutes(1))))).isInstanceOf(KeyPairCheck.Valid.class);
    }

    @Test
    void refusesAnAuthorityOfTheFuture() {
        // given
        PemPair future = CertificateAuthority.generate(
                        "future", KeyAlgorithm.ECDSA_P256, Duration.ofDays(365), NOW.plus(Duration.ofDays(1)))
                .pem();

        // then
        assertThat(problem(pair(future)).code()).isEqualTo(ProblemCode.CA_NOT_YET_VALID);
    }

    @Test
    void refusesALeafAsAuthority() {
        // given
        PemPair leaf = ca().issue(
                        CertificateRequest.client("me", List.of(), KeyAlgorithm.ECDSA_P256, Duration.ofDays(300)), NOW);

        // then
        assertThat(problem(pair(leaf)).code()).isEqualTo(ProblemCode.NOT_A_CA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "keyUsage=critical,digitalSignature",
                "extendedKeyUsage=codeSigning",
                "extendedKeyUsage=serverAuth"
            })
    void refusesAnAuthorityThatMayNotSign(String extension) {
        // given
        Openssl openssl = new Openssl(folder);
        openssl.run(SELF_SIGNED + " -days 365 -subj /CN=mine -addext " + extension);

        // then
        assertThat(problem(pair(openssl.file("ca.crt"), openssl.file("ca.key"))).code())
                .isEqualTo(ProblemCode.CA_CANNOT_SIGN);
    }

    @Test
    void refusesAbsentAndEmptyValues() {
        assertThat(problem(secret("c1-ca", Map.of("tls.key", CA.privateKey()))).code())
                .isEqualTo(ProblemCode.CERTIFICATE_MISSING);
        assertThat(problem(pair(CA.certificate(), "")).code()).isEqualTo(ProblemCode.KEY_MISSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rubbish",
                "-----BEGIN CERTIFICATE-----\nMIIB\n",
                "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
                "\u0000\u0001"
            })
    void refusesWhatIsNoCertificate(String text) {
        assertThat(problem(pair(text, CA.privateKey())).code()).isEqualTo(ProblemCode.CERTIFICATE_UNREADABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rubbish",
                "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n",
                "-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n"
            })
    void refusesWhatIsNoKey(String text) {
        assertThat(problem(pair(CA.certificate(), text)).code()).isEqualTo(ProblemCode.KEY_UNREADABLE);
    }

    @Test
    void refusesAKeyInTheCertificate() {
        // when
        Problem problem = problem(pair(CA.certificate() + CA.privateKey(), CA.privateKey()));

        // then
        assertThat(problem.code()).isEqualTo(ProblemCode.CERTIFICATE_UNREADABLE);
        assertThat(problem.message()).contains("EC PRIVATE KEY").contains("only certificates");
    }

    @Test
    void refusesAKeyBehindItsParameters() {
        // given: what "openssl ecparam -genkey" writes; Cluster API reads the first block only
        Openssl openssl = new Openssl(folder);
        openssl.run("ecparam -name prime256v1 -genkey -out ca.key");

        // then
        assertThat(problem(pair(CA.certificate(), openssl.file("ca.key"))).message())
                .contains("EC PARAMETERS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pkey -in ca.key -aes256 -passout pass:secret -out locked.key",
                "ec -in ca.key -aes256 -passout pass:secret -out locked.key"
            })
    void refusesAKeyWithAPassphrase(String command) {
        // given
        Openssl openssl = new Openssl(folder).with("ca.key", CA.privateKey());
        openssl.run(command);

        // then
        assertThat(problem(pair(CA.certificate(), openssl.file("locked.key"))).code())
                .isEqualTo(ProblemCode.KEY_ENCRYPTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa:1024", "ed25519"})
    void refusesKeysThatKubernetesDoesNotRead(String key) {
        // given
        Openssl openssl = new Openssl(folder);
        openssl.run("req -x509 -nodes -newkey " + key + " -keyout ca.key -out ca.crt -days 365 -subj /CN=mine");

        // then
        assertThat(problem(pair(openssl.file("ca.crt"), openssl.file("ca.key"))).code())
                .isEqualTo(ProblemCode.KEY_UNSUPPORTED);
    }

    @Test
    void refusesAChainWithALeafOrAnExpiredAuthority() {
        // given
        String leaf = ca().issue(
                        CertificateRequest.client("me", List.of(), KeyAlgorithm.ECDSA_P256, Duration.ofDays(9)), NOW)
                .certificate();
        String expired = CertificateAuthority.generate(
                        "old", KeyAlgorithm.ECDSA_P256, Duration.ofDays(1), NOW.minus(Duration.ofDays(2)))
                .certificatePem();

        // then
        assertThat(problem(pair(CA.certificate() + leaf, CA.privateKey())).code())
                .isEqualTo(ProblemCode.CHAIN_INVALID);
        assertThat(problem(pair(CA.certificate() + expired, CA.privateKey())).code())
                .isEqualTo(ProblemCode.CHAIN_INVALID);
    }

    @Test
    void refusesACertificateInPlaceOfTheServiceAccountsPublicKey() {
        // when
        KeyPairCheck check = KeyPairSecret.check(pair(CA), CLUSTER, CertificatePurpose.SA, NOW);

        // then
        assertThat(check).isInstanceOfSatisfying(KeyPairCheck.Invalid.class, invalid -> {
            assertThat(invalid.problem().code()).isEqualTo(ProblemCode.PUBLIC_KEY_UNREADABLE);
            assertThat(invalid.problem().remedy()).contains("openssl pkey -in sa.key -pubout");
        });
    }

    @Test
    void neverQuotesAKeyInAProblem() {
        // given
        String key = CA.privateKey().replace("EC PRIVATE", "WEIRD PRIVATE");

        // then
        assertThat(problem(pair(CA.certificate(), key)).toString())
                .doesNotContain(key.lines().skip(1).findFirst().get());
    }

    private static CertificateAuthority ca() {
        return CertificateAuthority.generate("kubernetes", KeyAlgorithm.ECDSA_P256, Duration.ofDays(365), NOW);
    }

    private static PemPair authority(Duration validity) {
        return CertificateAuthority.generate("kubernetes", KeyAlgorithm.ECDSA_P256, validity, NOW)
                .pem();
    }

    private static KeyPairCheck check(StoredSecret secret) {
        return KeyPairSecret.check(secret, CLUSTER, CertificatePurpose.CA, NOW);
    }

    private static Problem problem(StoredSecret secret) {
        return ((KeyPairCheck.Invalid) check(secret)).problem();
    }
}
