package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.imports.ImportLab;
import dev.slipway.phase.Outcome;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The account of the workload cluster, the last write of an import, and the proof that it holds, on real API servers. */
class CommitAndVerifyIT {

    private static final String COMMIT = "commitImported";
    private static final String VERIFY = "verifyInvariants";
    private static final String NODES = "/api/v1/nodes";

    private final ImportLab lab = ImportLab.open();

    @AfterEach
    void close() {
        lab.workload().delete(node());
        lab.close();
    }

    // The account

    @Test
    @Tag("T20")
    void aHundredRunsMakeOneAccountAndOneTokenAndNeverWriteTheAccountAgain() {
        // given
        lab.done("ensureWorkloadNamespace", "ensureSentry", "ensureSentryToken");
        String version = account().at("/metadata/resourceVersion").asText();

        // when
        for (int run = 0; run < 100; run++) {
            lab.done("ensureSentry");
        }
        lab.done("ensureSentryToken");

        // then
        assertThat(account().at("/metadata/resourceVersion").asText()).isEqualTo(version);
        assertThat(lab.workload().list(inNamespace("serviceaccounts"))).hasSize(1);
        assertThat(lab.workload().list(inNamespace("secrets"))).hasSize(1);
    }

    @Test
    void aNamespaceThatIsBeingDeletedIsAwaitedWithWhatHoldsIt() {
        // given: without controllers nobody takes the finalizer off
        lab.done("ensureWorkloadNamespace");
        lab.workload().delete("/api/v1/namespaces/" + lab.sentry().namespace());

        // then
        for (String phase : new String[] {"ensureWorkloadNamespace", "ensureSentry", "ensureSentryToken"}) {
            assertThat(lab.run(phase)).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
                assertThat(waiting.reason()).isEqualTo("WaitingForNamespaceGone");
                assertThat(waiting.message()).contains("finalizers of the namespace: kubernetes");
            });
        }
    }

    // The label

    @Test
    @Tag("T32")
    void theLabelsKeyCountsWhateverItsValueAndAnEmptyOneIsWritten() {
        // when
        lab.imported();

        // then
        assertThat(label()).isEmpty();
        String version = lab.cluster().at("/metadata/resourceVersion").asText();
        lab.done(COMMIT, VERIFY);
        assertThat(lab.cluster().at("/metadata/resourceVersion").asText()).isEqualTo(version);

        // when
        label("\"yes\"");
        lab.done(COMMIT, VERIFY);

        // then: it is nobody's business which value it has
        assertThat(label()).isEqualTo("yes");

        // when
        label("null");

        // then
        goesBack(lab.run(VERIFY), "CommitImported", "ImportedLabelMissing");
    }

    @Test
    void theLabelIsNotPutOnWhileAnythingElseIsMissing() {
        // given
        lab.done("ensureSingleCredential");

        // then
        goesBack(lab.run(COMMIT), "EnsurePlatformCluster", "PlatformClusterMissing");
        assertThat(lab.cluster().at("/metadata/labels").has("capi.cpaas.io/imported"))
                .isFalse();
    }

    // The proof

    @Test
    @Tag("T31")
    void eachBrokenInvariantSendsTheFlowToThePhaseThatRepairsIt() {
        // given
        lab.imported().done(VERIFY);

        // then
        lab.workload().delete(inNamespace("serviceaccounts/sentry"));
        goesBack(lab.run(VERIFY), "EnsureSentry", "SentryMissing");
        lab.done("ensureSentry", "ensureSentryToken", "ensureSingleCredential", VERIFY);

        lab.foreign("cc-second-" + lab.name(), "old-token");
        goesBack(lab.run(VERIFY), "EnsureSingleCredential", "CredentialNotSingle");
        lab.management().delete(lab.credentialPath("cc-second-" + lab.name()));

        lab.management().delete(lab.recordPath());
        goesBack(lab.run(VERIFY), "EnsurePlatformCluster", "PlatformClusterMissing");
        lab.done("ensurePlatformCluster", VERIFY);
    }

    @Test
    void aProviderThatStillMissesTheAccountIsAwaited() {
        // given
        lab.imported();
        lab.management()
                .merge(
                        lab.clusterPath() + "/status",
                        "{\"status\": {\"conditions\": [{\"type\": \"InfrastructureReady\", \"status\": \"False\","
                                + " \"reason\": \"ReconcileFailed\", \"message\": \"ServiceAccount \\\"sentry\\\" not found\","
                                + " \"lastTransitionTime\": \"2026-01-01T00:00:00Z\"}]}}");

        // then
        waits("WaitingForProvider", "ServiceAccount \"sentry\" not found");
    }

    @Test
    void whereImportMakesTheNodesReadyOneIsAwaited() {
        // given
        lab.network().imported();

        // then
        waits("WaitingForNodes", "0 of 0 nodes ready");

        // given
        lab.workload()
                .create(NODES, ImportLab.yaml("apiVersion: v1\nkind: Node\nmetadata: {name: " + lab.name() + "}\n"));
        nodeReady("False", "cni plugin not initialized");

        // then
        waits("WaitingForNodes", lab.name() + ": Ready is False, reason Test: cni plugin not initialized");

        // when
        nodeReady("True", "fine");

        // then
        assertThat(lab.run(VERIFY)).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("1 of 1 nodes ready"));
    }

    private void waits(String reason, String text) {
        Consumer<Outcome.Waiting> check = waiting -> {
            assertThat(waiting.reason()).isEqualTo(reason);
            assertThat(waiting.message()).contains(text);
        };
        assertThat(lab.run(VERIFY)).isInstanceOfSatisfying(Outcome.Waiting.class, check);
    }

    private static void goesBack(Outcome outcome, String phase, String reason) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Back.class, back -> {
            assertThat(back.phase()).isEqualTo(phase);
            assertThat(back.reason()).isEqualTo(reason);
        });
    }

    private void nodeReady(String status, String message) {
        lab.workload()
                .merge(
                        node() + "/status",
                        "{\"status\": {\"conditions\": [{\"type\": \"Ready\", \"status\": \"" + status
                                + "\", \"reason\": \"Test\", \"message\": \"" + message + "\"}]}}");
    }

    private String node() {
        return NODES + "/" + lab.name();
    }

    private JsonNode account() {
        return lab.workload().get(inNamespace("serviceaccounts/sentry")).orElseThrow();
    }

    private String inNamespace(String resource) {
        return "/api/v1/namespaces/" + lab.sentry().namespace() + "/" + resource;
    }

    private String label() {
        return lab.cluster()
                .at("/metadata/labels")
                .path("capi.cpaas.io/imported")
                .asText("missing");
    }

    private void label(String value) {
        lab.management()
                .merge(lab.clusterPath(), "{\"metadata\": {\"labels\": {\"capi.cpaas.io/imported\": " + value + "}}}");
    }
}
