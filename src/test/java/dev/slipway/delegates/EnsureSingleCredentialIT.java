package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.imports.ImportLab;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.CredentialRanking.Policy;
import dev.slipway.platform.PlatformLab;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One credential of a cluster, whatever was there before, on real API servers. */
class EnsureSingleCredentialIT {

    private static final String PHASE = "ensureSingleCredential";
    private static final String COLLECTED = "/metadata/annotations/slipway.dev~1collected-credentials";
    private static final Duration OLD = Duration.ofMinutes(11);

    private final ImportLab lab = ImportLab.open();
    private final String own = "cc-" + lab.name();

    @AfterEach
    void close() {
        lab.close();
    }

    // None, or one

    @Test
    void makesTheOneThatTheWorkloadClusterAccepts() {
        // when
        Outcome first = lab.run(PHASE);
        String version = version(own);
        Outcome second = lab.run(PHASE);

        // then
        assertThat(first).isEqualTo(second);
        assertThat(done(second).facts()).containsEntry("credential", own);
        assertThat(version(own)).isEqualTo(version);
        ObjectNode credential = lab.credential(own).orElseThrow();
        assertThat(credential.path("token").asText()).isEqualTo(lab.token());
        assertThat(new String(
                        Base64.getDecoder().decode(credential.path("caCert").asText()), StandardCharsets.UTF_8))
                .isEqualTo(ImportLab.workloadPlane().caPem());
        assertThat(second.toString()).doesNotContain(lab.token());
    }

    @Test
    @Tag("T15")
    void itsNameIsFoundAgainHoweverOftenItsCreationIsCutShort() {
        // given
        try (FaultInjector faults = FaultInjector.before(PlatformLab.plane())) {
            Recording creates = faults.record(Calls.verb("create"), Calls.resource("clustercredentials"));
            faults.on(Calls.verb("create"), Calls.resource("clustercredentials"))
                    .loseAnswer();

            // when: 8 times the process ends after the create, and a new one begins with nothing but the clusters
            for (int kill = 0; kill < 8; kill++) {
                lab.through(KubeClient.of(faults.apiClient()));
                try {
                    lab.run(PHASE);
                } catch (Failure e) {
                    assertThat(e.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
                }
            }

            // then
            assertThat(creates.calls()).isNotEmpty();
        }
        assertThat(lab.credentials()).containsExactly(own);
    }

    @Test
    void bringsAnOldOneUpToDateAndKeepsItsOtherFields() {
        // given
        lab.foreign(own, "old-token");
        lab.management().merge(lab.credentialPath(own), "{\"username\": \"someone\"}");

        // when
        assertThat(lab.run(PHASE)).isInstanceOf(Outcome.Done.class);

        // then
        ObjectNode credential = lab.credential(own).orElseThrow();
        assertThat(credential.path("token").asText()).isEqualTo(lab.token());
        assertThat(credential.path("username").asText()).isEqualTo("someone");
        assertThat(credential
                        .at("/metadata/labels")
                        .path("tkestack.io/cluster-name")
                        .asText())
                .isEqualTo(lab.name());
    }

    @Test
    void aCredentialOfTheNameThatIsAnotherClustersIsRefused() {
        // given
        lab.foreign(own, "their-token");
        lab.management()
                .merge(
                        lab.credentialPath(own),
                        "{\"clusterName\": \"other\", \"metadata\": {\"labels\":"
                                + " {\"cluster.x-k8s.io/cluster-name\": \"other\"}}}");
        String version = version(own);

        // then
        Outcome.Blocked blocked = blocked(lab.run(PHASE));
        assertThat(blocked.errorClass()).isEqualTo(ErrorClass.IDENTITY);
        assertThat(blocked.code()).isEqualTo("CredentialNameTaken");
        assertThat(blocked.message()).contains(own, "created ");
        assertThat(version(own)).isEqualTo(version);
        lab.management().delete(lab.credentialPath(own));
    }

    // More than one

    @Test
    @Tag("T16")
    void ofEightTheAcceptedOneIsAdoptedAndTheOthersGoOnceTheyAreWrittenDown() {
        // given
        List<ObjectNode> orphans = orphans(7);
        lab.foreign("cc-x-" + lab.name(), lab.token());
        try (FaultInjector faults = FaultInjector.before(PlatformLab.plane())) {
            Recording writes = faults.record(Calls.writes());
            lab.through(KubeClient.of(faults.apiClient()));

            // when: they are young
            Outcome.Waiting waiting = waiting(lab.run(PHASE));

            // then
            assertThat(waiting.reason()).isEqualTo("WaitingForCredentialAge");
            assertThat(waiting.message()).contains("cc-x-" + lab.name(), "goes on at 20");
            assertThat(waiting.after()).hasValueSatisfying(delay -> assertThat(delay)
                    .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11)));
            assertThat(lab.credentials()).hasSize(8);

            // when
            Outcome outcome = lab.later(OLD).run(PHASE);

            // then
            assertThat(done(outcome).facts()).containsEntry("credential", "cc-x-" + lab.name());
            assertThat(lab.credentials()).containsExactly("cc-x-" + lab.name());
            assertThat(List.of(lab.cluster().at(COLLECTED).asText().split(",", -1)))
                    .containsExactlyInAnyOrderElementsOf(orphans.stream()
                            .map(one -> one.at("/metadata/name").asText() + " "
                                    + one.at("/metadata/creationTimestamp").asText())
                            .toList());
            // The record comes first; nothing else of the management cluster is deleted, machines least of all.
            List<String> order = writes.calls().stream()
                    .map(call -> call.verb() + " " + call.resource())
                    .toList();
            assertThat(order.indexOf("patch clusters"))
                    .isNotNegative()
                    .isLessThan(order.indexOf("delete clustercredentials"));
            assertThat(writes.calls(Calls.verb("delete", "deletecollection")))
                    .hasSize(7)
                    .allMatch(call -> call.resource().equals("clustercredentials"));
        }
    }

    @Test
    @Tag("T16")
    void ofEightTheOthersAreListedWhereThePolicyAsksAndGoWhenTheOperatorNamesThem() {
        // given
        List<String> orphans = names(orphans(7));
        lab.foreign("cc-x-" + lab.name(), lab.token());
        lab.policy(Policy.ASK).later(OLD);

        // when
        Outcome.Blocked blocked = blocked(lab.run(PHASE));

        // then
        assertThat(blocked.errorClass()).isEqualTo(ErrorClass.UNSAFE);
        assertThat(blocked.code()).isEqualTo("TooManyCredentials");
        for (String orphan : orphans) {
            assertThat(blocked.message()).contains(orphan + " (created 20");
        }
        assertThat(blocked.actions().toString()).contains("COLLECT_ORPHANS", "KEEP");
        assertThat(lab.credentials()).hasSize(8);

        // when: some, and one that is none
        lab.fact("directive.COLLECT_ORPHANS", String.join(",", orphans.subList(0, 6)) + ",nobody");
        Outcome.Blocked less = blocked(lab.run(PHASE));

        // then
        assertThat(less.message()).contains(orphans.get(6), "no credential of " + lab.name() + ": nobody");
        assertThat(lab.credentials()).containsExactlyInAnyOrder("cc-x-" + lab.name(), orphans.get(6));

        // when
        lab.fact("directive.COLLECT_ORPHANS", String.join(", ", orphans));

        // then
        assertThat(done(lab.run(PHASE)).facts()).containsEntry("credential", "cc-x-" + lab.name());
        assertThat(lab.run(PHASE)).isInstanceOf(Outcome.Done.class);
        assertThat(lab.credentials()).containsExactly("cc-x-" + lab.name());
    }

    @Test
    void noneOfManyIsAcceptedSoTheNamedOneIsMadeFirst() {
        // given
        List<ObjectNode> orphans = orphans(3);

        // then
        assertThat(waiting(lab.run(PHASE)).reason()).isEqualTo("WaitingForCredentialAge");
        assertThat(lab.credentials()).hasSize(4).contains(own).containsAll(names(orphans));
        assertThat(lab.later(OLD).run(PHASE)).isInstanceOf(Outcome.Done.class);
        assertThat(lab.credentials()).containsExactly(own);
    }

    @Test
    void theOneInUseIsKeptUnderItsOwnName() {
        // given
        String used = "cc-used-" + lab.name();
        lab.foreign(used, "old-token");
        lab.foreign("cc-new-" + lab.name(), lab.token());
        record("{name: " + lab.name() + "}", "{type: Imported, clusterCredentialRef: {name: " + used + "}}");

        // then
        assertThat(done(lab.later(OLD).run(PHASE)).facts()).containsEntry("credential", used);
        assertThat(lab.credentials()).containsExactly(used);
        assertThat(lab.credential(used).orElseThrow().path("token").asText()).isEqualTo(lab.token());
    }

    @Test
    void keepTakesAnotherOneWhichIsInUseBeforeTheFormerGoes() {
        // given
        String kept = "cc-kept-" + lab.name();
        lab.done(PHASE, "ensurePlatformCluster");
        lab.foreign(kept, "old-token");
        lab.fact("directive.KEEP", kept).later(OLD);

        // then
        assertThat(done(lab.run(PHASE)).facts()).containsEntry("credential", kept);
        assertThat(lab.credentials()).containsExactly(kept);
        assertThat(lab.record()
                        .orElseThrow()
                        .at("/spec/clusterCredentialRef/name")
                        .asText())
                .isEqualTo(kept);
        assertThat(lab.run("ensurePlatformCluster")).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void keepOfANameThatIsNoneIsReportedAndNothingGoes() {
        // given
        orphans(2);
        lab.fact("directive.KEEP", "nobody").later(OLD);

        // then
        Outcome.Blocked blocked = blocked(lab.run(PHASE));
        assertThat(blocked.code()).isEqualTo("CredentialUnknown");
        assertThat(blocked.message()).contains("nobody", names(orphansThere()).get(0));
        assertThat(lab.credentials()).hasSize(2);
    }

    @Test
    void oneThatAnotherClusterUsesIsNeverCollectedEvenIfAnOperatorNamesIt() {
        // given
        String shared = "cc-shared-" + lab.name();
        lab.foreign(shared, "their-token");
        record(
                "{name: " + lab.name() + "-other}",
                "{type: Imported, displayName: " + lab.name() + ", clusterCredentialRef: {name: " + shared + "}}");
        lab.fact("directive.COLLECT_ORPHANS", shared).later(OLD);

        // then
        assertThat(blocked(lab.run(PHASE)).message()).contains(shared, "another cluster uses it");
        assertThat(lab.credentials()).containsExactlyInAnyOrder(own, shared);
    }

    @Test
    void nothingGoesWhileTheWorkloadClusterDoesNotAcceptTheKeptOne() {
        // given: the API server is gone once the account is there
        lab.token();
        List<String> orphans = names(orphans(2));
        lab.fact("directive.COLLECT_ORPHANS", String.join(",", orphans)).later(OLD);
        try (FaultInjector faults = FaultInjector.before(ImportLab.workloadPlane())) {
            lab.kubeconfig(faults.kubeconfig());
            faults.on(Calls.resource("selfsubjectreviews")).unauthorized();

            // then: the token is replaced, and not accepted either
            assertThat(waiting(lab.run(PHASE)).reason()).isEqualTo("WaitingForTokenAccepted");
            assertThat(lab.credentials()).hasSize(2);

            // when
            faults.clear();
            faults.refuse();

            // then
            assertThatThrownBy(() -> lab.run(PHASE))
                    .isInstanceOfSatisfying(Failure.class, failure -> assertThat(failure.errorClass())
                            .isEqualTo(ErrorClass.TRANSIENT));
            assertThat(lab.credentials()).hasSize(2);
        }
    }

    @Test
    void aCredentialThatTrustsAnotherAuthorityIsNoneThatIsAccepted() {
        // given: the right token, but the CA of another cluster
        String other = "cc-ca-" + lab.name();
        lab.foreign(other, lab.token());
        String authority = PlatformLab.plane().caPem();
        lab.management()
                .merge(
                        lab.credentialPath(other),
                        "{\"caCert\": \""
                                + Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.UTF_8))
                                + "\"}");

        // then
        assertThat(done(lab.later(OLD).run(PHASE)).facts()).containsEntry("credential", own);
        assertThat(lab.credentials()).containsExactly(own);
    }

    @Test
    @Tag("T04")
    void oneThatSomebodyMadeAnewUnderTheNameOfAnOrphanStays() {
        // given
        String orphan = "cc-orphan-" + lab.name();
        lab.foreign(orphan, "old-token");
        try (FaultInjector faults = FaultInjector.before(PlatformLab.plane())) {
            faults.on(Calls.verb("delete"), Calls.name(orphan)).times(1).overtakenBy(() -> {
                lab.management().delete(lab.credentialPath(orphan));
                lab.foreign(orphan, "new-token");
            });

            // when
            Outcome.Waiting waiting = waiting(
                    lab.later(OLD).through(KubeClient.of(faults.apiClient())).run(PHASE));

            // then
            assertThat(waiting.message()).contains(orphan);
        }
        assertThat(lab.credential(orphan).orElseThrow().path("token").asText()).isEqualTo("new-token");
    }

    @Test
    void theKeptOneThatVanishesIsNoneThatIsKept() {
        // given
        lab.done(PHASE);
        lab.foreign("cc-other-" + lab.name(), "old-token");
        try (FaultInjector faults = FaultInjector.before(PlatformLab.plane())) {
            faults.on(Calls.verb("list"), Calls.resource("clustercredentials"))
                    .every(2)
                    .times(1)
                    .overtakenBy(() -> lab.management().delete(lab.credentialPath(own)));
            lab.later(OLD).through(KubeClient.of(faults.apiClient()));

            // then
            assertThat(waiting(lab.run(PHASE)).reason()).isEqualTo("WaitingForCredential");
        }
        assertThat(lab.credentials()).containsExactly("cc-other-" + lab.name());
    }

    @Test
    void oneThatIsBeingDeletedIsAwaited() {
        // given
        String going = "cc-going-" + lab.name();
        lab.foreign(going, "old-token");
        lab.management().merge(lab.credentialPath(going), "{\"metadata\": {\"finalizers\": [\"example.com/hold\"]}}");
        lab.management().delete(lab.credentialPath(going));

        // then
        Outcome.Waiting waiting = waiting(lab.run(PHASE));
        assertThat(waiting.reason()).isEqualTo("WaitingForCredentialsGone");
        assertThat(waiting.message()).contains(going);
        assertThat(lab.credential(own)).isPresent();
    }

    @Test
    @Tag("T18")
    void theCredentialStaysHoweverOftenLaterPhasesFail() {
        // given
        lab.done(PHASE);
        String uid = lab.credential(own).orElseThrow().at("/metadata/uid").asText();
        try (FaultInjector faults = FaultInjector.before(PlatformLab.plane())) {
            faults.on(Calls.verb("create"), Calls.resource("clusters")).serverError(500);
            lab.through(KubeClient.of(faults.apiClient()));

            // then
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatThrownBy(() -> lab.run("ensurePlatformCluster")).isInstanceOf(Failure.class);
                assertThat(lab.credential(own).orElseThrow().at("/metadata/uid").asText())
                        .isEqualTo(uid);
            }
        }
    }

    private List<ObjectNode> orphans(int count) {
        return new ArrayList<>(IntStream.range(0, count)
                .mapToObj(i -> lab.foreign("cc-" + i + "-" + lab.name(), "old-token-" + i))
                .toList());
    }

    private List<ObjectNode> orphansThere() {
        return lab.credentials().stream()
                .map(name -> lab.credential(name).orElseThrow())
                .toList();
    }

    private static List<String> names(List<ObjectNode> objects) {
        return objects.stream()
                .map(object -> object.at("/metadata/name").asText())
                .toList();
    }

    private void record(String metadata, String spec) {
        lab.management()
                .create(
                        lab.recordsPath(),
                        ImportLab.yaml("apiVersion: platform.tkestack.io/v1\nkind: Cluster\nmetadata: " + metadata
                                + "\nspec: " + spec + "\n"));
    }

    private String version(String credential) {
        return lab.credential(credential)
                .orElseThrow()
                .at("/metadata/resourceVersion")
                .asText();
    }

    private static Outcome.Done done(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        return (Outcome.Done) outcome;
    }

    private static Outcome.Waiting waiting(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Waiting.class);
        return (Outcome.Waiting) outcome;
    }

    private static Outcome.Blocked blocked(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Blocked.class);
        return (Outcome.Blocked) outcome;
    }
}
