package dev.slipway.pki;

import static dev.slipway.pki.SecretFixtures.CLUSTER;
import static dev.slipway.pki.SecretFixtures.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class KubeconfigSecretTest {

    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private static final String SERVER = "https://10.0.0.1:6443";
    private static final CertificateAuthority CA = authority();
    private static final Duration YEAR = Duration.ofDays(365);

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void acceptsWhatItMakes(KeyAlgorithm algorithm) {
        // given
        CertificateSettings settings = new CertificateSettings(algorithm, YEAR, YEAR);
        CapiCluster cluster = new CapiCluster(KubeObject.named(
                new ResourceType("cluster.x-k8s.io", "v1beta2", "clusters", "Cluster", true), "team-a", CLUSTER));

        // when
        KubeObject made = at(NOW).create(cluster, settings);

        // then
        assertThat(at(NOW).check(new StoredSecret(made))).isInstanceOf(KubeconfigCheck.Valid.class);
        assertThat(made.text("type")).contains("cluster.x-k8s.io/secret");
        assertThat(made.labels())
                .containsEntry("cluster.x-k8s.io/cluster-name", CLUSTER)
                .containsEntry("app.kubernetes.io/managed-by", "slipway");
    }

    @Test
    void namesClusterUserAndContextAsClusterApiDoes() {
        assertThat(kubeconfig(NOW))
                .contains("current-context: \"c1-admin@c1\"")
                .contains("name: \"c1\"")
                .contains("name: \"c1-admin\"")
                .contains("server: \"" + SERVER + "\"");
    }

    @Test
    void agesAfterHalfOfItsLifeAndExpiresAtItsEnd() {
        // given
        StoredSecret secret = stored(kubeconfig(NOW));

        // then
        assertThat(at(NOW.plus(Duration.ofDays(182))).check(secret)).isInstanceOf(KubeconfigCheck.Valid.class);
        assertThat(at(NOW.plus(Duration.ofDays(183))).check(secret)).isInstanceOf(KubeconfigCheck.Ageing.class);
        assertThat(at(NOW.plus(Duration.ofDays(366))).check(secret))
                .isInstanceOfSatisfying(
                        KubeconfigCheck.Outdated.class,
                        outdated -> assertThat(outdated.problem().code()).isEqualTo(ProblemCode.KUBECONFIG_EXPIRED));
    }

    @Test
    void refusesAnotherAuthorityWithBothFingerprints() {
        // given
        CertificateAuthority other = authority();
        String kubeconfig = Kubeconfig.build(CLUSTER, SERVER, other, CertificateSettings.DEFAULT, NOW);

        // when
        Problem problem = invalid(stored(kubeconfig));

        // then
        assertThat(problem.code()).isEqualTo(ProblemCode.KUBECONFIG_CA_DIFFERS);
        assertThat(problem.message()).contains(other.fingerprint()).contains(CA.fingerprint());
    }

    @ParameterizedTest
    @CsvSource({
        "https://10.0.0.1:6443, https://10.0.0.1:6443/, true",
        "https://API.example:443, https://api.example, true",
        "https://[2001:db8::1]:6443, https://[2001:DB8::1]:6443, true",
        "https://10.0.0.1:6443, https://10.0.0.2:6443, false",
        "https://10.0.0.1:6443, http://10.0.0.1:6443, false",
        "https://10.0.0.1:6443, https://10.0.0.1:6443/other, false"
    })
    void comparesServersByMeaning(String one, String other, boolean same) {
        assertThat(KubeconfigSecret.sameServer(one, other)).isEqualTo(same);
    }

    @Test
    void findsAnotherEndpointOutdated() {
        // given
        String elsewhere = Kubeconfig.build(CLUSTER, "https://10.0.0.9:6443", CA, CertificateSettings.DEFAULT, NOW);

        // then
        assertThat(at(NOW).check(stored(elsewhere))).isInstanceOf(KubeconfigCheck.Outdated.class);
    }

    @Test
    void doesNotMindTokensAndPlugins() {
        // given
        String token = kubeconfig(NOW).replaceAll("client-(certificate|key)-data: .*", "token: \"abc\"");
        String oneToken = token.replaceFirst("      token: \"abc\"\n", "");

        // then
        assertThat(at(NOW).check(stored(oneToken.replaceAll("(?m)^.*token: .*$", "    token: \"abc\""))))
                .isEqualTo(new KubeconfigCheck.Valid(Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({
        "current-context: .*, current-context: none",
        "certificate-authority-data: .*, certificate-authority: /etc/ca.crt",
        "server: .*, other: x",
        "client-key-data: .*, other: x",
        "client-certificate-data: .*, client-certificate-data: '*'",
        "apiVersion: .*, '\"'"
    })
    void refusesIncompleteOnes(String pattern, String replacement) {
        // given
        String broken = kubeconfig(NOW).replaceFirst(pattern, replacement);

        // then
        assertThat(invalid(stored(broken)).code()).isEqualTo(ProblemCode.KUBECONFIG_UNREADABLE);
    }

    @Test
    void refusesToSkipTheVerificationOfTheServer() {
        // given
        String insecure =
                kubeconfig(NOW).replaceFirst("certificate-authority-data: .*", "insecure-skip-tls-verify: true");

        // then
        assertThat(invalid(stored(insecure)).code()).isEqualTo(ProblemCode.KUBECONFIG_INSECURE);
    }

    @Test
    void refusesAKeyThatDoesNotBelongToTheCertificate() {
        // given
        String key = kubeconfig(NOW)
                .lines()
                .filter(line -> line.contains("client-key-data"))
                .findFirst()
                .get();
        String mixed = kubeconfig(NOW).replaceFirst(".*client-key-data: .*", key);

        // then
        assertThat(invalid(stored(mixed)).code()).isEqualTo(ProblemCode.KUBECONFIG_KEY_MISMATCH);
    }

    @Test
    void refusesAnEmptySecret() {
        assertThat(invalid(secret("c1-kubeconfig", Map.of())).code()).isEqualTo(ProblemCode.KUBECONFIG_UNREADABLE);
    }

    private static CertificateAuthority authority() {
        return CertificateAuthority.generate("kubernetes", KeyAlgorithm.ECDSA_P256, Duration.ofDays(3650), NOW);
    }

    private static KubeconfigSecret at(Instant time) {
        return new KubeconfigSecret(CLUSTER, SERVER, CA, time);
    }

    private static String kubeconfig(Instant time) {
        CertificateSettings settings = new CertificateSettings(KeyAlgorithm.ECDSA_P256, YEAR, YEAR);
        return Kubeconfig.build(CLUSTER, SERVER, CA, settings, time);
    }

    private static StoredSecret stored(String kubeconfig) {
        return secret("c1-kubeconfig", Map.of("value", kubeconfig));
    }

    private static Problem invalid(StoredSecret secret) {
        return ((KubeconfigCheck.Invalid) at(NOW).check(secret)).problem();
    }
}
