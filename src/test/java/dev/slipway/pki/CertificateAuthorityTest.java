package dev.slipway.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CertificateAuthorityTest {

    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void opensslAcceptsChainsOfEveryAlgorithm(KeyAlgorithm algorithm) {
        // given
        CertificateAuthority authority =
                CertificateAuthority.generate("kubernetes", algorithm, Duration.ofDays(3650), NOW);
        PemPair client = authority.issue(
                CertificateRequest.client("kubernetes-admin", List.of("system:masters"), algorithm, DAY), NOW);
        PemPair server = authority.issue(
                CertificateRequest.server(
                        "kube-apiserver", List.of("localhost"), List.of("127.0.0.1", "::1"), algorithm, DAY),
                NOW);
        Openssl openssl = new Openssl(folder)
                .with("ca.crt", authority.certificatePem())
                .with("ca.key", authority.pem().privateKey())
                .with("client.crt", client.certificate())
                .with("client.key", client.privateKey())
                .with("server.crt", server.certificate());

        // when
        String verified = openssl.run("verify -x509_strict -CAfile ca.crt ca.crt")
                + openssl.run("verify -x509_strict -purpose sslclient -CAfile ca.crt client.crt")
                + openssl.run(
                        "verify -x509_strict -purpose sslserver -verify_hostname localhost -CAfile ca.crt server.crt")
                + openssl.run("verify -x509_strict -purpose sslserver -verify_ip ::1 -CAfile ca.crt server.crt");

        // then
        assertThat(verified.lines()).hasSize(4).allMatch(line -> line.endsWith(": OK"));
        assertThat(openssl.run("x509 -in client.crt -noout -checkend 86000")).contains("will not expire");
        assertThat(openssl.run("pkey -in client.key -pubout"))
                .isEqualTo(openssl.run("x509 -in client.crt -noout -pubkey"));
        assertThat(openssl.run("pkey -in ca.key -pubout")).isEqualTo(openssl.run("x509 -in ca.crt -noout -pubkey"));
        assertThat(openssl.run("pkey -in ca.key -noout -check")).contains("Key is valid");
    }

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void writesPrivateKeysAsClusterApiDoes(KeyAlgorithm algorithm) {
        // when
        PemPair pair = KeyMaterial.generate(CertificatePurpose.CA, settings(algorithm), NOW);

        // then
        String type = algorithm.family().equals("RSA") ? "RSA PRIVATE KEY" : "EC PRIVATE KEY";
        assertThat(pair.privateKey()).startsWith("-----BEGIN " + type + "-----\n");
        assertThat(pair.certificate()).startsWith("-----BEGIN CERTIFICATE-----\n");
    }

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void makesServiceAccountPairsOfAPublicAndAPrivateKey(KeyAlgorithm algorithm) {
        // when
        PemPair pair = KeyMaterial.generate(CertificatePurpose.SA, settings(algorithm), NOW);

        // then
        Openssl openssl = new Openssl(folder).with("sa.key", pair.privateKey());
        assertThat(pair.certificate())
                .startsWith("-----BEGIN PUBLIC KEY-----\n")
                .isEqualTo(openssl.run("pkey -in sa.key -pubout"));
    }

    @Test
    void givesAuthoritiesTheExtensionsOfAnAuthority() {
        // given
        Openssl openssl = new Openssl(folder)
                .with(
                        "ca.crt",
                        KeyMaterial.generate(CertificatePurpose.ETCD, CertificateSettings.DEFAULT, NOW)
                                .certificate());

        // when
        String text = openssl.run("x509 -in ca.crt -noout -text -certopt no_pubkey,no_sigdump");

        // then
        assertThat(text)
                .contains("Subject: CN = etcd-ca")
                .containsPattern("Basic Constraints: critical\\s+CA:TRUE, pathlen:0")
                .containsPattern("Key Usage: critical\\s+Digital Signature, Certificate Sign, CRL Sign")
                .contains("X509v3 Subject Key Identifier")
                .contains("X509v3 Authority Key Identifier");
    }

    @Test
    void givesClientsTheExtensionsOfAClient() {
        // given
        CertificateAuthority authority = authority(Duration.ofDays(3650));
        Openssl openssl = new Openssl(folder)
                .with(
                        "rsa.crt",
                        authority.issue(client(KeyAlgorithm.RSA_2048, DAY), NOW).certificate())
                .with(
                        "ec.crt",
                        authority
                                .issue(client(KeyAlgorithm.ECDSA_P256, DAY), NOW)
                                .certificate());

        // when
        String rsa = openssl.run("x509 -in rsa.crt -noout -text -certopt no_pubkey,no_sigdump");
        String ec = openssl.run("x509 -in ec.crt -noout -text -certopt no_pubkey,no_sigdump");

        // then
        assertThat(rsa)
                .contains("Subject: O = system:masters, CN = kubernetes-admin")
                .containsPattern("Basic Constraints: critical\\s+CA:FALSE")
                .containsPattern("Key Usage: critical\\s+Digital Signature, Key Encipherment\\s")
                .containsPattern("Extended Key Usage: ?\\s+TLS Web Client Authentication\\s");
        assertThat(ec).containsPattern("Key Usage: critical\\s+Digital Signature\\s");
    }

    @Test
    void numbersCertificatesAtRandom() {
        // given
        CertificateAuthority authority = authority(DAY);
        Set<BigInteger> serials = new HashSet<>();

        // when
        for (int i = 0; i < 20; i++) {
            serials.add(certificate(authority.issue(client(KeyAlgorithm.ECDSA_P256, DAY), NOW))
                    .getSerialNumber());
        }

        // then
        assertThat(serials).hasSize(20).allMatch(serial -> serial.signum() > 0 && serial.bitLength() <= 128);
        assertThat(serials).anyMatch(serial -> serial.bitLength() > 120);
    }

    @Test
    void neverIssuesBeyondItsOwnEndOrBeforeItsOwnStart() {
        // given
        CertificateAuthority authority = authority(Duration.ofDays(40));

        // when
        X509Certificate client =
                certificate(authority.issue(client(KeyAlgorithm.ECDSA_P256, Duration.ofDays(365)), NOW));

        // then
        assertThat(client.getNotAfter()).isEqualTo(authority.certificate().getNotAfter());
        assertThat(client.getNotBefore()).isEqualTo(authority.certificate().getNotBefore());
        assertThat(client.getNotBefore().toInstant()).isBefore(NOW.minus(Duration.ofMinutes(4)));
    }

    @Test
    void printsFingerprintsAsOpensslDoes() {
        // given
        CertificateAuthority authority = authority(DAY);
        Openssl openssl = new Openssl(folder).with("ca.crt", authority.certificatePem());

        // when
        String printed = openssl.run("x509 -in ca.crt -noout -fingerprint -sha256");

        // then
        assertThat(printed.trim()).endsWith("=" + authority.fingerprint());
    }

    @Test
    void neverPrintsAKey() {
        // given
        CertificateAuthority authority = authority(DAY);

        // then
        assertThat(authority.pem() + " " + authority).doesNotContain("PRIVATE KEY");
    }

    private static CertificateSettings settings(KeyAlgorithm algorithm) {
        return new CertificateSettings(algorithm, Duration.ofDays(3650), DAY);
    }

    private static CertificateAuthority authority(Duration validity) {
        return CertificateAuthority.generate("kubernetes", KeyAlgorithm.ECDSA_P256, validity, NOW);
    }

    private static CertificateRequest client(KeyAlgorithm algorithm, Duration validity) {
        return CertificateRequest.client("kubernetes-admin", List.of("system:masters"), algorithm, validity);
    }

    private static X509Certificate certificate(PemPair pair) {
        try {
            return Pem.certificates(pair.certificate()).get(0);
        } catch (PemException e) {
            throw new AssertionError(e);
        }
    }
}
