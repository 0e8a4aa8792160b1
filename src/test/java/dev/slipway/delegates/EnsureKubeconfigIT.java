package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.pki.CertificateAuthority;
import dev.slipway.pki.KeyAlgorithm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The administrator's kubeconfig in a real API server: made once, renewed if it is ours, left alone otherwise. */
class EnsureKubeconfigIT {

    private static final Instant NOW = Instant.now();
    private static final Instant PAST_HALF_LIFE = NOW.plus(Duration.ofDays(200));
    private static final Instant EXPIRED = NOW.plus(Duration.ofDays(400));
    private static final String NAME = "c1-kubeconfig";

    @TempDir
    private Path folder;

    @Test
    void waitsForTheEndpointAndWritesNothing() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        scene.certificates();
        Map<String, String> before = scene.versions();

        // when
        Outcome outcome = scene.kubeconfig(NOW);

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.reason())
                .isEqualTo("WaitingForControlPlaneEndpoint"));
        assertThat(scene.versions()).isEqualTo(before);
    }

    @Test
    void makesAKubeconfigThatKubectlReads() {
        // given
        Scene scene = ready();

        // when
        Outcome outcome = scene.kubeconfig(NOW);

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        ObjectNode secret = scene.secret(NAME);
        assertThat(secret.path("type").asText()).isEqualTo("cluster.x-k8s.io/secret");
        assertThat(secret.at("/metadata/labels/cluster.x-k8s.io~1cluster-name").asText())
                .isEqualTo("c1");
        assertThat(secret.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(scene.clusterUid());
        Shell shell = new Shell(folder, folder.resolve("made")).with("made", scene.value(NAME, "value"));
        assertThat(shell.run(
                        "kubectl config view --minify -o jsonpath='{.contexts[0].name} {.clusters[0].cluster.server}'"))
                .isEqualTo("c1-admin@c1 " + Scene.ENDPOINT);
        shell.with("ca.crt", scene.value("c1-ca", "tls.crt"))
                .run(
                        "kubectl config view --raw -o jsonpath='{.users[0].user.client-certificate-data}' | base64 -d > client.crt;"
                                + " openssl verify -CAfile ca.crt -purpose sslclient client.crt");
    }

    @Test
    void changesNothingWhenItRunsAgain() {
        // given
        Scene scene = ready();
        Outcome first = scene.kubeconfig(NOW);
        Map<String, String> before = scene.versions();

        // when
        Outcome second = scene.kubeconfig(NOW.plusSeconds(60));

        // then
        assertThat(second).isEqualTo(first);
        assertThat(scene.versions()).isEqualTo(before);
    }

    @Test
    void adoptsWhatAnotherCreatedAfterTheLook() {
        // given
        Scene scene = ready();
        String theirs = kubeconfigOfAPerson(scene);
        AtomicBoolean once = new AtomicBoolean();
        scene.wire.before("POST", () -> {
            if (once.compareAndSet(false, true)) {
                scene.put(NAME, "Opaque", Map.of("value", theirs), true);
            }
        });

        // when
        Outcome outcome = scene.kubeconfig(NOW);

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(scene.value(NAME, "value")).isEqualTo(theirs);
    }

    @Test
    void renewsItsOwnPastHalfOfItsLifeAndOnlyThat() {
        // given
        Scene scene = ready();
        scene.kubeconfig(NOW);
        ObjectNode old = scene.secret(NAME);

        // when
        Outcome outcome = scene.kubeconfig(PAST_HALF_LIFE);
        Map<String, String> renewed = scene.versions();
        Outcome again = scene.kubeconfig(PAST_HALF_LIFE);

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class).isEqualTo(again);
        ObjectNode secret = scene.secret(NAME);
        assertThat(secret.at("/data/value")).isNotEqualTo(old.at("/data/value"));
        assertThat(secret.at("/metadata/uid")).isEqualTo(old.at("/metadata/uid"));
        assertThat(secret.at("/metadata/labels")).isEqualTo(old.at("/metadata/labels"));
        assertThat(secret.at("/metadata/ownerReferences")).isEqualTo(old.at("/metadata/ownerReferences"));
        assertThat(scene.versions()).isEqualTo(renewed);
    }

    @Test
    void pointsItsOwnToTheEndpointOfNow() {
        // given
        Scene scene = ready();
        scene.kubeconfig(NOW);
        scene.replace(NAME, "value", scene.value(NAME, "value").replace("10.1.2.3", "10.9.9.9"));

        // when
        Outcome outcome = scene.kubeconfig(NOW);

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(scene.value(NAME, "value")).contains(Scene.ENDPOINT);
    }

    @Test
    @Tag("T04")
    void doesNotOverwriteWhatAPersonPutThereDuringTheRenewal() {
        // given
        Scene scene = ready();
        scene.kubeconfig(NOW);
        AtomicBoolean once = new AtomicBoolean();
        scene.wire.before("PATCH", () -> {
            if (once.compareAndSet(false, true)) {
                scene.replace(NAME, "value", "theirs");
            }
        });

        // when
        assertThatThrownBy(() -> scene.kubeconfig(PAST_HALF_LIFE))
                .isInstanceOfSatisfying(
                        Failure.class, f -> assertThat(f.errorClass()).isEqualTo(ErrorClass.CONTENTION));

        // then
        assertThat(scene.value(NAME, "value")).isEqualTo("theirs");
    }

    @Test
    void leavesTheRenewalToTheControlPlaneProviderThatOwnsIt() {
        // given
        Scene scene = ready();
        scene.kubeconfig(NOW);
        scene.patchSecret(
                NAME,
                """
                {"metadata":{"ownerReferences":[{"apiVersion":"controlplane.cluster.x-k8s.io/v1beta2",
                 "kind":"KubeadmControlPlane","name":"c1","uid":"u","controller":true}]}}""");
        Map<String, String> before = scene.versions();

        // when
        Outcome old = scene.kubeconfig(PAST_HALF_LIFE);
        Outcome expired = scene.kubeconfig(EXPIRED);

        // then
        assertThat(old).isInstanceOf(Outcome.Done.class);
        assertThat(expired).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("WaitingForKubeconfigRenewal");
            assertThat(waiting.message()).contains("KubeadmControlPlane/c1");
        });
        assertThat(scene.versions()).isEqualTo(before);
    }

    @Test
    void neverChangesOneThatAPersonMade() {
        // given
        Scene scene = ready();
        scene.put(NAME, "Opaque", Map.of("value", kubeconfigOfAPerson(scene)), true);
        Map<String, String> before = scene.versions();

        // when
        Outcome young = scene.kubeconfig(NOW);
        Outcome old = scene.kubeconfig(PAST_HALF_LIFE);
        Outcome expired = scene.kubeconfig(EXPIRED);

        // then
        assertThat(young).isInstanceOf(Outcome.Done.class);
        assertThat(old).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("less than half of its life"));
        assertThat(expired).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.code())
                .isEqualTo("KubeconfigExpired"));
        assertThat(scene.versions()).isEqualTo(before);
    }

    @Test
    void refusesAnotherEndpointOfAPersonsKubeconfig() {
        // given
        Scene scene = ready();
        scene.put(NAME, "Opaque", Map.of("value", kubeconfigOfAPerson(scene).replace("10.1.2.3", "10.9.9.9")), true);
        Map<String, String> before = scene.versions();

        // when
        Outcome outcome = scene.kubeconfig(NOW);

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.code()).isEqualTo("KubeconfigEndpointDiffers");
            assertThat(blocked.message()).contains("10.9.9.9").contains(Scene.ENDPOINT);
        });
        assertThat(scene.versions()).isEqualTo(before);
    }

    @Test
    void refusesAnotherAuthorityWithBothFingerprintsEvenInItsOwn() {
        // given
        Scene scene = ready();
        scene.kubeconfig(NOW);
        scene.delete("c1-ca");
        CertificateAuthority other =
                CertificateAuthority.generate("other", KeyAlgorithm.ECDSA_P256, Duration.ofDays(365), NOW);
        scene.put("c1-ca", other.pem());
        Map<String, String> before = scene.versions();

        // when
        Outcome outcome = scene.kubeconfig(NOW);

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.TRUST);
            assertThat(blocked.code()).isEqualTo("KubeconfigCaDiffers");
            assertThat(blocked.message())
                    .contains(other.fingerprint())
                    .containsPattern("(?:[0-9A-F]{2}:){31}[0-9A-F]{2}, but");
        });
        assertThat(scene.versions()).isEqualTo(before);
    }

    @Test
    void refusesToSignWithAnAuthorityThatIsGoneOrNotTheRecordedOne() {
        // given
        Scene scene = ready();

        // when
        Outcome changed = scene.kubeconfig(NOW, Map.of("caFingerprint", "AA:BB"));
        scene.delete("c1-ca");
        Outcome lost = scene.kubeconfig(NOW);

        // then
        assertThat(changed).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.code())
                .isEqualTo("CaChanged"));
        assertThat(lost).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.code())
                .isEqualTo("CaLost"));
        assertThat(scene.versions()).doesNotContainKey(NAME);
    }

    @Test
    void namesTheCommandForAMissingLabel() {
        // given
        Scene scene = ready();
        scene.put(NAME, "Opaque", Map.of("value", kubeconfigOfAPerson(scene)), false);

        // when
        Outcome.Blocked label = (Outcome.Blocked) scene.kubeconfig(NOW);
        new Shell(folder, ControlPlane.shared().writeKubeconfig(folder.resolve("kubeconfig")))
                .run(label.actions().get(0));
        Outcome cured = scene.kubeconfig(NOW);

        // then
        assertThat(label.code()).isEqualTo("SecretNotLabelled");
        assertThat(cured).isInstanceOf(Outcome.Done.class);
    }

    /** With certificates and an endpoint. */
    private static Scene ready() {
        Scene scene = new Scene(ControlPlane.shared());
        scene.certificates();
        scene.giveEndpoint();
        return scene;
    }

    /** A kubeconfig of the cluster's authority, taken from a secret that Slipway made and that is gone again. */
    private static String kubeconfigOfAPerson(Scene scene) {
        scene.kubeconfig(NOW);
        String kubeconfig = scene.value(NAME, "value");
        scene.delete(NAME);
        return kubeconfig;
    }
}
