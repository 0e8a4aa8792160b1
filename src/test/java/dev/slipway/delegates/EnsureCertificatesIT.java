package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.Wire;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.pki.CertificateAuthority;
import dev.slipway.pki.CertificateRequest;
import dev.slipway.pki.KeyAlgorithm;
import dev.slipway.pki.PemPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import okhttp3.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Key pairs in a real API server: made once, adopted as they are, never replaced. */
class EnsureCertificatesIT {

    private static final List<String> FOUR = List.of("c1-ca", "c1-etcd", "c1-proxy", "c1-sa");
    private static final Instant NOW = Instant.now();

    @TempDir
    private Path folder;

    @Test
    void makesAllFourInOneRun() {
        // given
        Scene scene = new Scene(ControlPlane.shared());

        // when
        Outcome outcome = scene.certificates();

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.facts())
                .containsOnlyKeys("caFingerprint"));
        assertThat(scene.versions()).containsOnlyKeys(FOUR);
        assertThat(scene.writes()).hasSize(4).allMatch(request -> request.startsWith("POST "));
        for (String name : FOUR) {
            ObjectNode secret = scene.secret(name);
            assertThat(secret.path("type").asText()).isEqualTo("cluster.x-k8s.io/secret");
            assertThat(secret.at("/metadata/labels/cluster.x-k8s.io~1cluster-name")
                            .asText())
                    .isEqualTo("c1");
            assertThat(secret.at("/metadata/labels/app.kubernetes.io~1managed-by")
                            .asText())
                    .isEqualTo("slipway");
            assertThat(secret.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("Cluster");
            assertThat(secret.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(scene.clusterUid());
            assertThat(secret.at("/metadata/ownerReferences/0/controller").asBoolean())
                    .isFalse();
        }
    }

    @Test
    void changesNothingWhenItRunsAgain() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        Outcome first = scene.certificates();
        Map<String, String> before = scene.versions();

        // when
        Outcome second = scene.certificates(((Outcome.Done) first).facts());

        // then
        assertThat(second).isEqualTo(first);
        assertThat(scene.versions()).isEqualTo(before);
    }

    @Test
    void adoptsOwnAuthoritiesAsTheyAre() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        CertificateAuthority own = authority("platform team");
        scene.put("c1-ca", own.pem());
        Map<String, String> before = scene.versions();

        // when
        Outcome outcome = scene.certificates();

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.facts())
                .containsEntry("caFingerprint", own.fingerprint()));
        assertThat(scene.versions()).containsAllEntriesOf(before).containsOnlyKeys(FOUR);
    }

    @Test
    @Tag("T02")
    void adoptsWhatAnotherInstanceCreatedAfterTheLook() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        CertificateAuthority theirs = authority("theirs");
        AtomicBoolean once = new AtomicBoolean();
        scene.wire.before("POST", () -> {
            if (once.compareAndSet(false, true)) {
                scene.put("c1-ca", theirs.pem());
            }
        });

        // when
        Outcome outcome = scene.certificates();

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.facts())
                .containsEntry("caFingerprint", theirs.fingerprint()));
        assertThat(scene.value("c1-ca", "tls.crt")).isEqualTo(theirs.certificatePem());
    }

    @Test
    @Tag("T03")
    void twoInstancesAtTheSameTimeMakeOneAuthority() throws Exception {
        // given: both have seen nothing before either of them creates anything
        Scene scene = new Scene(ControlPlane.shared());
        CyclicBarrier together = new CyclicBarrier(2);
        List<String> written = new CopyOnWriteArrayList<>();
        Wire.Interference meet = (request, chain) -> {
            if (request.method().equals("GET")) {
                return chain.proceed(request);
            }
            await(together);
            Response response = chain.proceed(request);
            written.add(request.method() + " " + response.code());
            return response;
        };

        // when
        CompletableFuture<Outcome> other = CompletableFuture.supplyAsync(() -> scene.certificatesElsewhere(meet));
        Outcome one = scene.certificatesElsewhere(meet);
        Outcome two = other.get(60, TimeUnit.SECONDS);

        // then
        assertThat(one).isInstanceOf(Outcome.Done.class).isEqualTo(two);
        assertThat(scene.versions()).containsOnlyKeys(FOUR);
        assertThat(written).hasSize(8).containsOnly("POST 201", "POST 409");
        assertThat(written.stream().filter("POST 201"::equals)).hasSize(4);
    }

    @Test
    @Tag("T47")
    void goesOnWhereALostAnswerStoppedIt() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        scene.wire.loseNextAnswerOf("POST");
        assertThatThrownBy(scene::certificates).isInstanceOfSatisfying(Failure.class, f -> assertThat(f.errorClass())
                .isEqualTo(ErrorClass.TRANSIENT));
        String made = scene.value("c1-ca", "tls.crt");

        // when
        Outcome outcome = scene.certificates();

        // then
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(scene.value("c1-ca", "tls.crt")).isEqualTo(made);
    }

    static Stream<Arguments> halfValid() {
        PemPair good = authority("good").pem();
        PemPair old = CertificateAuthority.generate(
                        "old", KeyAlgorithm.ECDSA_P256, Duration.ofDays(5), NOW.minus(Duration.ofDays(6)))
                .pem();
        PemPair soon = CertificateAuthority.generate("soon", KeyAlgorithm.ECDSA_P256, Duration.ofDays(20), NOW)
                .pem();
        PemPair leaf = authority("root")
                .issue(CertificateRequest.client("me", List.of(), KeyAlgorithm.ECDSA_P256, Duration.ofDays(300)), NOW);
        PemPair mixed = new PemPair(good.certificate(), leaf.privateKey());
        return Stream.of(
                Arguments.of("c1-ca", mixed, "KeyMismatch", "tls.key"),
                Arguments.of("c1-etcd", old, "CaExpired", "tls.crt"),
                Arguments.of("c1-proxy", soon, "CaExpiresSoon", "tls.crt"),
                Arguments.of("c1-ca", leaf, "NotACa", "tls.crt"),
                Arguments.of("c1-etcd", new PemPair(good.certificate(), ""), "KeyMissing", "tls.key"),
                Arguments.of("c1-proxy", new PemPair("rubbish", good.privateKey()), "CertificateUnreadable", "tls.crt"),
                Arguments.of("c1-sa", good, "PublicKeyUnreadable", "tls.crt"));
    }

    @ParameterizedTest
    @MethodSource("halfValid")
    void refusesAHalfValidOwnPairAndMakesNothing(String name, PemPair pair, String code, String field) {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        scene.put(name, pair);
        Map<String, String> before = scene.versions();

        // when
        Outcome outcome = scene.certificates();

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(blocked.code()).isEqualTo(code);
            assertThat(blocked.message()).startsWith("Secret " + scene.namespace + "/" + name + ", " + field + ": ");
            assertThat(blocked.actions()).singleElement().asString().contains("kubectl -n " + scene.namespace);
        });
        assertThat(scene.versions()).isEqualTo(before);
        assertThat(scene.writes()).isEmpty();
    }

    @Test
    void namesEveryProblemAtOnce() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        scene.put("c1-ca", new PemPair("rubbish", "rubbish"));
        scene.put("c1-sa", new PemPair("rubbish", "rubbish"));

        // when
        Outcome outcome = scene.certificates();

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.message()).contains("/c1-ca, tls.crt").contains("/c1-sa, tls.crt");
            assertThat(blocked.actions()).hasSize(2);
        });
    }

    @Test
    void theAdvisedCommandsCureALabelAndAKey() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        Shell shell = new Shell(folder, ControlPlane.shared().writeKubeconfig(folder.resolve("kubeconfig")));
        PemPair own = authority("own").pem();
        scene.put("c1-ca", "Opaque", Map.of("tls.crt", own.certificate(), "tls.key", "rubbish"), false);

        // when
        Outcome.Blocked label = (Outcome.Blocked) scene.certificates();
        shell.run(label.actions().get(0));
        Outcome.Blocked key = (Outcome.Blocked) scene.certificates();
        shell.with("plain.key", own.privateKey()).run(afterColon(key.actions().get(0)));
        Outcome cured = scene.certificates();

        // then
        assertThat(label.code()).isEqualTo("SecretNotLabelled");
        assertThat(key.code()).isEqualTo("KeyUnreadable");
        assertThat(cured).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void theManualsCommandsBringOwnPairs() throws Exception {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        Shell shell = new Shell(folder, ControlPlane.shared().writeKubeconfig(folder.resolve("kubeconfig")));
        CertificateAuthority etcd = authority("external etcd");
        PemPair client = etcd.issue(
                CertificateRequest.client("c1", List.of(), KeyAlgorithm.ECDSA_P256, Duration.ofDays(9)), NOW);
        shell.with("etcd-ca.crt", etcd.certificatePem())
                .with("client.crt", client.certificate())
                .with("client.key", client.privateKey());
        List<String> blocks = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("docs", "certificates.md")))
                .results()
                .map(match -> match.group(1))
                .toList();

        // when
        String printed = shell.run("NAMESPACE=" + scene.namespace + "\nCLUSTER=c1\n" + String.join("\n", blocks));
        Outcome outcome = scene.certificates();

        // then
        assertThat(blocks).hasSize(5);
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(printed)
                .contains(done.facts().get("caFingerprint")));
        assertThat(scene.secret("c1-sa").path("type").asText()).isEqualTo("Opaque");
        assertThat(scene.writes()).singleElement().asString().startsWith("POST ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'initialization':{'controlPlaneInitialized':true}}",
                "{'conditions':[{'type':'ControlPlaneInitialized','status':'True','reason':'Initialized','message':'','lastTransitionTime':'2026-01-01T00:00:00Z'}]}",
                "{'deprecated':{'v1beta1':{'conditions':[{'type':'ControlPlaneInitialized','status':'True','lastTransitionTime':'2026-01-01T00:00:00Z'}]}}}"
            })
    void makesNothingOnceTheControlPlaneWasInitialized(String status) {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        scene.certificates();
        scene.clusterStatus(status.replace('\'', '"'));
        scene.delete("c1-ca");
        Map<String, String> before = scene.versions();

        // when
        Outcome outcome = scene.certificates();

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.UNSAFE);
            assertThat(blocked.code()).isEqualTo("CaLost");
            assertThat(blocked.message()).contains(scene.namespace + "/c1-ca");
        });
        assertThat(scene.versions()).isEqualTo(before).doesNotContainKey("c1-ca");
    }

    @Test
    void makesNothingAgainOnceItHasHeld() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        Map<String, String> facts = ((Outcome.Done) scene.certificates()).facts();
        scene.delete("c1-etcd");

        // when
        Outcome outcome = scene.certificates(facts);

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.code())
                .isEqualTo("CaLost"));
        assertThat(scene.versions()).doesNotContainKey("c1-etcd");
    }

    @Test
    void refusesAnotherAuthorityThanTheRecordedOne() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        Map<String, String> facts = ((Outcome.Done) scene.certificates()).facts();
        scene.delete("c1-ca");
        CertificateAuthority other = authority("other");
        scene.put("c1-ca", other.pem());

        // when
        Outcome outcome = scene.certificates(facts);

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.code()).isEqualTo("CaChanged");
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.UNSAFE);
            assertThat(blocked.message()).contains(other.fingerprint()).contains(facts.get("caFingerprint"));
        });
    }

    @Test
    void acceptsAnExternalEtcdWithoutTheKeyOfItsAuthority() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        CertificateAuthority etcd = authority("external etcd");
        scene.put("c1-etcd", "Opaque", Map.of("tls.crt", etcd.certificatePem()), true);

        // when
        Outcome withoutClient = scene.certificates();
        scene.put(
                "c1-apiserver-etcd-client",
                etcd.issue(
                        CertificateRequest.client("c1", List.of(), KeyAlgorithm.ECDSA_P256, Duration.ofDays(9)), NOW));
        Outcome withClient = scene.certificates();

        // then
        assertThat(withoutClient).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.code())
                .isEqualTo("KeyMissing"));
        assertThat(withClient).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void neverMakesTheAuthorityOfAnExternalEtcd() {
        // given
        Scene scene = new Scene(ControlPlane.shared());
        scene.json.create(
                "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/" + scene.namespace + "/kubeadmcontrolplanes",
                JsonApi.parse(
                        """
                {"apiVersion":"controlplane.cluster.x-k8s.io/v1beta2","kind":"KubeadmControlPlane","metadata":{"name":"c1"},
                 "spec":{"version":"v1.36.3","machineTemplate":{"spec":{"infrastructureRef":
                   {"apiGroup":"infrastructure.cluster.x-k8s.io","kind":"DevMachineTemplate","name":"c1"}}},
                  "kubeadmConfigSpec":{"clusterConfiguration":{"etcd":{"external":
                   {"endpoints":["https://10.9.9.9:2379"],"caFile":"/a","certFile":"/b","keyFile":"/c"}}}}}}"""));

        // when
        Outcome outcome = scene.certificates();

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.code()).isEqualTo("EtcdClientMissing");
            assertThat(blocked.message()).contains("/c1-etcd, ").contains("/c1-apiserver-etcd-client, ");
        });
        assertThat(scene.versions()).isEmpty();
    }

    @Test
    @Tag("T02")
    @Tag("T04")
    void neverUpdatesOrDeletesASecret() throws Exception {
        // given
        Path audit = folder.resolve("audit.log");
        try (ControlPlane audited = ControlPlane.builder()
                .etcd(ControlPlane.shared().etcd())
                .auditLog(audit)
                .start()) {
            audited.installCrds();
            Scene scene = new Scene(audited);
            scene.wire.interfere((request, chain) -> chain.proceed(request.newBuilder()
                    .header("User-Agent", "phase-under-test")
                    .build()));
            scene.put("c1-proxy", new PemPair("rubbish", "rubbish"));

            // when
            scene.certificates();
            scene.delete("c1-proxy");
            Map<String, String> facts = ((Outcome.Done) scene.certificates()).facts();
            scene.certificates(facts);
            scene.delete("c1-ca");
            scene.certificates(facts);
        }

        // then
        assertThat(secretVerbs(audit)).containsExactly("create", "get");
    }

    /** What the phase did to secrets, by the server's own record. */
    private static Set<String> secretVerbs(Path audit) throws IOException {
        Set<String> verbs = new TreeSet<>();
        for (String line : Files.readAllLines(audit)) {
            ObjectNode event = JsonApi.parse(line);
            if (event.path("userAgent").asText().equals("phase-under-test")
                    && event.at("/objectRef/resource").asText().equals("secrets")) {
                verbs.add(event.path("verb").asText());
            }
        }
        return verbs;
    }

    private static String afterColon(String action) {
        return action.substring(action.indexOf(": kubectl") + 2);
    }

    private static CertificateAuthority authority(String name) {
        return CertificateAuthority.generate(name, KeyAlgorithm.ECDSA_P256, Duration.ofDays(365), NOW);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
