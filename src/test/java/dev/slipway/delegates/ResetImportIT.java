package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.faults.ApiCall;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.imports.ImportLab;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformLab;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An import that begins anew: what goes, in which order, and what is never touched, on real API servers. */
class ResetImportIT {

    private static final String RESET = "resetImport";
    private static final String DECISION = "decision-1";

    private final ImportLab lab = ImportLab.open();
    private final String own = "cc-" + lab.name();
    private final FaultInjector faults = FaultInjector.before(PlatformLab.plane());

    @BeforeEach
    void anOperatorHasDecidedSo() {
        lab.fact("directive.RESET_IMPORT", DECISION).through(KubeClient.of(faults.apiClient()));
    }

    @AfterEach
    void close() {
        faults.close();
        lab.close();
    }

    @Test
    @Tag("T31")
    void allButTheProvenCredentialGoesAndTheImportHoldsAgainAfterwards() {
        // given
        lab.imported();
        lab.foreign("cc-orphan-" + lab.name(), "old-token");
        String uid = lab.credential(own).orElseThrow().at("/metadata/uid").asText();
        Recording writes = faults.record(Calls.writes());

        // when
        Outcome outcome = lab.run(RESET);

        // then: the label, the record, and one credential; in that order
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Done.class, done -> {
            assertThat(done.facts()).isEqualTo(Map.of("resetDone", DECISION));
            assertThat(done.message()).contains(own, "cc-orphan-" + lab.name());
        });
        assertThat(lab.cluster().at("/metadata/labels").has("capi.cpaas.io/imported"))
                .isFalse();
        assertThat(lab.record()).isEmpty();
        assertThat(lab.credentials()).containsExactly(own);
        assertThat(lab.credential(own).orElseThrow().at("/metadata/uid").asText())
                .isEqualTo(uid);
        assertThat(lab.cluster().at("/metadata/annotations").toString()).contains("cc-orphan-" + lab.name() + " 20");
        assertThat(writes.calls().stream().map(ResetImportIT::what))
                .containsExactly(
                        "patch clusters.cluster.x-k8s.io",
                        "patch clustercredentials.platform.tkestack.io",
                        "delete clusters.platform.tkestack.io",
                        "patch clusters.cluster.x-k8s.io",
                        "delete clustercredentials.platform.tkestack.io");

        // when: once more, as after a crash
        int before = writes.calls().size();
        assertThat(lab.run(RESET)).isInstanceOf(Outcome.Done.class);
        assertThat(writes.calls()).hasSize(before);
        lab.imported();

        // then
        assertThat(lab.run("verifyInvariants")).isInstanceOf(Outcome.Done.class);
        assertThat(lab.credential(own).orElseThrow().at("/metadata/uid").asText())
                .isEqualTo(uid);
    }

    @Test
    @Tag("T31")
    void neitherImportNorResetDeletesAnythingOfClusterApiOrInfrastructureOrOfTheWorkloadCluster() {
        // given
        Recording deletes = faults.record(Calls.verb("delete", "deletecollection"));
        try (FaultInjector workload = FaultInjector.before(ImportLab.workloadPlane())) {
            lab.kubeconfig(workload.kubeconfig());
            Recording inWorkload = workload.record(Calls.verb("delete", "deletecollection"));

            // when: from the first phase to the last, twice, with a reset between
            wholeImport();
            lab.foreign("cc-orphan-" + lab.name(), "old-token");
            assertThat(lab.run(RESET)).isInstanceOf(Outcome.Done.class);
            wholeImport();

            // then
            assertThat(inWorkload.calls()).isEmpty();
        }
        assertThat(deletes.calls().stream().map(ResetImportIT::what))
                .containsExactly(
                        "delete clusters.platform.tkestack.io", "delete clustercredentials.platform.tkestack.io");
        assertThat(lab.workload().get("/api/v1/namespaces/" + lab.sentry().namespace() + "/serviceaccounts/sentry"))
                .isPresent();
    }

    @Test
    void withoutADecisionNothingIsTakenBack() {
        try (ImportLab undecided = ImportLab.open()) {
            // given: a flow that was sent back to this phase, for example
            undecided.imported();

            // when
            Outcome outcome = undecided.run(RESET);

            // then
            assertThat(outcome).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                    .contains("nobody decided RESET_IMPORT"));
            assertThat(undecided.record()).isPresent();
            assertThat(undecided.credentials()).hasSize(1);
        }
    }

    @Test
    void whileTheWorkloadClusterDoesNotAnswerNoCredentialGoes() {
        // given
        lab.imported();
        lab.foreign("cc-orphan-" + lab.name(), "old-token");
        try (FaultInjector workload = FaultInjector.before(ImportLab.workloadPlane())) {
            lab.kubeconfig(workload.kubeconfig());
            workload.refuse();

            // then
            assertThat(lab.run(RESET)).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                    .contains("no credential was deleted", "does not answer"));
        }
        assertThat(lab.record()).isEmpty();
        assertThat(lab.credentials()).containsExactly(own, "cc-orphan-" + lab.name());
    }

    @Test
    void noneIsAcceptedSoNoneGoes() {
        // given
        lab.foreign("cc-a-" + lab.name(), "old-token");
        lab.foreign("cc-b-" + lab.name(), "old-token");

        // then
        assertThat(lab.run(RESET)).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("no credential was deleted", "accepts none"));
        assertThat(lab.credentials()).hasSize(2);
    }

    @Test
    void aRecordThatSomebodyElseMadeStaysWithTheCredentialThatItUses() {
        // given
        lab.foreign("cc-theirs-" + lab.name(), lab.token());
        lab.foreign("cc-orphan-" + lab.name(), "old-token");
        lab.management()
                .create(
                        lab.recordsPath(),
                        ImportLab.yaml("apiVersion: platform.tkestack.io/v1\nkind: Cluster\nmetadata: {name: "
                                + lab.name() + "}\nspec: {type: Imported, clusterCredentialRef: {name: cc-theirs-"
                                + lab.name() + "}}\n"));

        // then
        assertThat(lab.run(RESET)).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("was not made by Slipway and stays"));
        assertThat(lab.record()).isPresent();
        assertThat(lab.credentials()).containsExactly("cc-theirs-" + lab.name());
    }

    @Test
    void theRecordIsAwaitedUntilItIsGoneBeforeAnyCredentialGoes() {
        // given
        lab.imported();
        lab.foreign("cc-orphan-" + lab.name(), "old-token");
        lab.management().merge(lab.recordPath(), "{\"metadata\": {\"finalizers\": [\"example.com/hold\"]}}");

        // then
        for (int run = 0; run < 2; run++) {
            assertThat(lab.run(RESET)).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
                assertThat(waiting.reason()).isEqualTo("WaitingForPlatformClusterGone");
                assertThat(waiting.message()).contains("example.com/hold");
            });
        }
        assertThat(lab.credentials()).hasSize(2);
        assertThat(lab.credential(own).orElseThrow().at("/metadata/ownerReferences"))
                .isEmpty();

        // when
        lab.management().merge(lab.recordPath(), "{\"metadata\": {\"finalizers\": null}}");

        // then
        assertThat(lab.run(RESET)).isInstanceOf(Outcome.Done.class);
        assertThat(lab.credentials()).containsExactly(own);
    }

    private void wholeImport() {
        lab.done(
                "admitImport",
                "ensureControlPlaneReachable",
                "ensureIdentity",
                "ensureImportFinalizer",
                "ensureWorkloadNamespace",
                "ensureSentry",
                "ensureSentryToken");
        lab.imported().done("verifyInvariants");
    }

    private static String what(ApiCall call) {
        return call.verb() + " " + call.resource() + "." + call.group();
    }
}
