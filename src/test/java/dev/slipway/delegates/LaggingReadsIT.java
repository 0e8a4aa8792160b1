package dev.slipway.delegates;

import static dev.slipway.faults.Calls.name;
import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static dev.slipway.faults.Calls.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.faults.ApiCall;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.pki.CertificateAuthority;
import dev.slipway.pki.KeyAlgorithm;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Certificates while reads lag behind writes: the phase holds, one that reads from a cache does not. */
@Tag("S1")
class LaggingReadsIT {

    private static final int RUNS = 3;

    private final FaultInjector faults = FaultInjector.before(ControlPlane.shared());
    private final Scene scene = new Scene(ControlPlane.shared());
    private final Phase phase = Scene.ensureCertificates(KubeClient.of(faults.apiClient()));
    private CachingCertificates caching;
    private Recording recording;

    @BeforeEach
    void aCacheThatHearsOfNothing() {
        faults.on(verb("watch"), resource("secrets")).silence(Duration.ZERO);
        caching = new CachingCertificates(faults.apiClient(), scene.namespace);
        await().until(caching::synced);
        recording = faults.record(namespace(scene.namespace), resource("secrets"));
    }

    @AfterEach
    void close() {
        caching.close();
        faults.close();
    }

    @Test
    @Tag("T01")
    void makesEachKeyPairOnceThoughCachesLag() {
        holds(phase);
    }

    @Test
    @Tag("T01")
    void aPhaseThatReadsFromTheCacheBreaksTheSameCase() {
        assertThatThrownBy(() -> holds(caching)).hasMessage("certs need generate again");
        String first = scene.value("c1-ca", "tls.crt");
        assertThatThrownBy(() -> scene.run(caching)).hasMessage("certs need generate again");
        assertThat(scene.value("c1-ca", "tls.crt"))
                .as("AlreadyExists led to another authority")
                .isNotEqualTo(first);
    }

    /** The case: runs finish, nothing is made twice, nothing is deleted, the authority stays. */
    private void holds(Phase candidate) {
        Outcome first = scene.run(candidate);
        assertThat(first).isInstanceOf(Outcome.Done.class);
        String authority = scene.value("c1-ca", "tls.crt");
        for (int run = 1; run < RUNS; run++) {
            assertThat(scene.run(candidate)).isEqualTo(first);
        }
        assertThat(scene.value("c1-ca", "tls.crt")).isEqualTo(authority);
        assertThat(recording.calls(writes()))
                .hasSize(4)
                .extracting(ApiCall::verb)
                .containsOnly("create");
        assertThat(caching.caches(scene.namespace, "c1-ca"))
                .as("the cache still lags")
                .isFalse();
    }

    @Test
    @Tag("T06")
    void asksOnceLiveForWhatACacheDoesNotKnowAndMakesNothing() {
        // given
        scene.certificates();

        // when
        Outcome outcome = scene.run(phase);

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(caching.caches(scene.namespace, "c1-ca")).isFalse();
        assertThat(recording.calls(writes())).isEmpty();
        for (String secret : scene.versions().keySet()) {
            assertThat(recording.calls(verb("get"), name(secret))).as(secret).hasSize(1);
        }
    }

    @Test
    @Tag("T02")
    void adoptsAnAuthorityThatItCannotSeeYet() {
        // given: not even a read that should be live shows what is there
        letReadsStandStill();
        CertificateAuthority theirs =
                CertificateAuthority.generate("theirs", KeyAlgorithm.ECDSA_P256, Duration.ofDays(365), Instant.now());
        scene.put("c1-ca", theirs.pem());

        // when
        Outcome first = scene.run(phase);
        Outcome second = scene.run(phase);
        faults.clear();
        Outcome caughtUp = scene.run(phase);

        // then
        assertThat(first).isInstanceOf(Outcome.Waiting.class).isEqualTo(second);
        assertThat(caughtUp).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.facts())
                .containsEntry("caFingerprint", theirs.fingerprint()));
        assertThat(scene.value("c1-ca", "tls.crt")).isEqualTo(theirs.certificatePem());
        assertThat(scene.versions()).hasSize(4);
        assertThat(recording.calls(writes())).extracting(ApiCall::verb).containsOnly("create");
    }

    @Test
    @Tag("T02")
    void aPhaseThatReadsFromTheCacheReplacesAnAuthorityThatItCannotSee() {
        // given
        CertificateAuthority theirs =
                CertificateAuthority.generate("theirs", KeyAlgorithm.ECDSA_P256, Duration.ofDays(365), Instant.now());
        scene.put("c1-ca", theirs.pem());

        // when
        assertThatThrownBy(() -> scene.run(caching)).hasMessage("certs need generate again");

        // then
        assertThat(scene.value("c1-ca", "tls.crt")).isNotEqualTo(theirs.certificatePem());
        assertThat(recording.calls(verb("delete"), name("c1-ca"))).hasSize(1);
    }

    /** From now on each read of a secret shows the state of now. */
    private void letReadsStandStill() {
        faults.on(resource("secrets")).stale(Duration.ofHours(1));
        KubeClient through = KubeClient.of(faults.apiClient());
        String elsewhere = ControlPlane.shared().newNamespace("probe");
        AtomicInteger number = new AtomicInteger();
        await().until(() -> {
            String probe = "probe-" + number.incrementAndGet();
            scene.json.create(
                    "/api/v1/namespaces/" + elsewhere + "/secrets",
                    JsonApi.parse("{\"metadata\":{\"name\":\"" + probe + "\"}}"));
            return through.get(ResourceType.SECRETS, elsewhere, probe).isEmpty();
        });
    }
}
