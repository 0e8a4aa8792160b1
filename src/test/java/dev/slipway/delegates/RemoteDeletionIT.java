package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.deletion.DeletionLab;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.deletion.DeletionSettings.WhenUnreachable;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.imports.ImportLab;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.receipt.Fate;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A deletion and the workload cluster: reachable, lost, another one, or shared with others; on real API servers. */
class RemoteDeletionIT {

    private static final Duration GRACE = Duration.ofMinutes(11);

    private final DeletionLab lab = DeletionLab.declared();
    private final FaultInjector workload = FaultInjector.before(ImportLab.workloadPlane());
    private final String namespace = lab.imports().sentry().namespace();

    @BeforeEach
    void anImportedClusterIsToBeDetached() {
        lab.imported().mode(DeletionMode.DETACH);
        lab.imports().kubeconfig(workload.kubeconfig());
        lab.until("ensureReachabilityKnown");
    }

    @AfterEach
    void close() {
        workload.close();
        lab.close();
    }

    @Test
    @Tag("T51")
    void aLostWorkloadClusterIsWaitedForThenAskedAboutAndTheReceiptListsWhatStays() {
        // given
        workload.refuse();

        // then
        assertThat(lab.run("ensureReachabilityKnown"))
                .isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.reason())
                        .isEqualTo("WaitingForWorkloadCluster"));

        // when
        lab.later(GRACE);

        // then
        assertThat(lab.run("ensureReachabilityKnown")).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.code()).isEqualTo("WorkloadUnreachable");
            assertThat(blocked.errorClass().recheckedWhenBlocked()).isTrue();
            assertThat(blocked.actions()).anyMatch(action -> action.contains("SKIP_REMOTE"));
        });

        // when
        lab.fact("directive.SKIP_REMOTE", "decision-1")
                .done("ensureReachabilityKnown", "ensureWorkItemsUninstalled", "ensureRemoteCleaned");

        // then
        assertThat(lab.fate("ServiceAccount " + namespace + "/sentry of the workload cluster"))
                .contains(Fate.LEFT);
        assertThat(lab.fate("Namespace " + namespace + " of the workload cluster"))
                .contains(Fate.LEFT);
        assertThat(lab.fate("ConfigMap kube-system/tke of the workload cluster"))
                .contains(Fate.LEFT);

        // when: the records go all the same
        lab.done(
                "ensurePlatformClusterGone",
                "ensureClusterApiClusterGone",
                "ensureImportFinalizerReleased",
                "ensureCredentialsGone",
                "ensureGone");

        // then
        assertThat(lab.workloadCluster()).isEmpty();
        assertThat(lab.imports().credentials()).isEmpty();
    }

    @Test
    @Tag("T51")
    void theDeletionGoesOnWithoutItWhereTheSettingsSaySo() {
        // given
        workload.refuse();
        lab.whenUnreachable(WhenUnreachable.SKIP_REMOTE).later(GRACE);

        // when
        lab.done("ensureReachabilityKnown");

        // then
        assertThat(lab.fact("deletion.remote")).contains("Skipped");
    }

    @Test
    @Tag("T56")
    void withoutAKubeconfigTheRemoteCleanupIsImpossibleAndTheDeletionGoesOnAfterAWhile() {
        // given
        String secret = "/api/v1/namespaces/" + lab.namespace() + "/secrets/" + lab.name() + "-kubeconfig";
        lab.management().merge(secret, "{\"metadata\": {\"finalizers\": null}}");
        lab.management().delete(secret);

        // then
        assertThat(lab.run("ensureReachabilityKnown"))
                .isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.message())
                        .contains(lab.name() + "-kubeconfig", "SUPPLY_CREDENTIALS", "goes on without"));

        // when
        lab.later(GRACE).done("ensureReachabilityKnown", "ensureWorkItemsUninstalled", "ensureRemoteCleaned");

        // then
        assertThat(lab.fact("deletion.remote")).contains("Impossible");
        assertThat(lab.entry("ServiceAccount " + namespace + "/sentry of the workload cluster")
                        .orElseThrow()
                        .why())
                .contains("no way into");
    }

    @Test
    @Tag("T18")
    void theCredentialIsStillThereWhenTheCleanupFailsAndFailsAgain() {
        // given
        lab.done("ensureReachabilityKnown", "ensureWorkItemsUninstalled");
        workload.on(Calls.verb("delete")).times(3).serverError(503);
        String kubeconfig = lab.name() + "-kubeconfig";
        lab.management().delete("/api/v1/namespaces/" + lab.namespace() + "/secrets/" + kubeconfig);

        // then: also for somebody who deletes the kubeconfig meanwhile
        for (int run = 0; run < 3; run++) {
            assertThat(lab.run("ensureRemoteCleaned")).isInstanceOf(Outcome.Retry.class);
            assertThat(lab.imports().credentials()).hasSize(1);
            assertThat(lab.secret(kubeconfig)).isPresent();
        }

        // when
        lab.run("ensureRemoteCleaned");
        lab.namespaceGoes();
        lab.done("ensureRemoteCleaned", "ensurePlatformClusterGone", "ensureClusterApiClusterGone");
        lab.done("ensureImportFinalizerReleased", "ensureCredentialsGone");

        // then
        assertThat(lab.imports().credentials()).isEmpty();
        assertThat(lab.secret(kubeconfig)).isEmpty();
    }

    @Test
    @Tag("T65")
    void aNamespaceWithForeignWorkloadsStaysWithThem() {
        // given
        lab.workload()
                .applyYaml(
                        """
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: theirs}
                        spec:
                          selector: {matchLabels: {a: b}}
                          template:
                            metadata: {labels: {a: b}}
                            spec: {containers: [{name: c, image: i}]}
                        """,
                        namespace);

        // when
        lab.done("ensureReachabilityKnown", "ensureWorkItemsUninstalled", "ensureRemoteCleaned");

        // then
        assertThat(lab.workload().get("/apis/apps/v1/namespaces/" + namespace + "/deployments/theirs"))
                .isPresent();
        assertThat(lab.workload().get("/api/v1/namespaces/" + namespace + "/serviceaccounts/sentry"))
                .isEmpty();
        assertThat(lab.entry("Namespace " + namespace + " of the workload cluster")
                        .orElseThrow())
                .satisfies(entry -> assertThat(entry.fate()).isEqualTo(Fate.KEPT))
                .satisfies(entry -> assertThat(entry.why()).contains("Deployment theirs"));
    }

    @Test
    @Tag("T38")
    void whatSlipwayDidNotMakeForThisClusterStays() {
        // given: an account that was there before, and a namespace of another registration
        lab.workload()
                .merge(
                        "/api/v1/namespaces/" + namespace + "/serviceaccounts/sentry",
                        "{\"metadata\": {\"labels\": {\"app.kubernetes.io/managed-by\": null}}}");
        lab.workload()
                .merge(
                        "/api/v1/namespaces/" + namespace,
                        "{\"metadata\": {\"annotations\": {\"slipway.dev/created-for\": \"other/cluster@1\"}}}");

        // when
        lab.done("ensureReachabilityKnown", "ensureWorkItemsUninstalled", "ensureRemoteCleaned");

        // then
        assertThat(lab.workload().get("/api/v1/namespaces/" + namespace + "/serviceaccounts/sentry"))
                .isPresent();
        assertThat(lab.workload()
                        .get("/api/v1/namespaces/" + namespace)
                        .orElseThrow()
                        .at("/metadata/deletionTimestamp")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void inAnotherClusterThanTheRegisteredOneNothingIsDeleted() {
        // given
        lab.fact("deletion.identity", "another-cluster");
        Recording deletes = workload.record(Calls.verb("delete"));

        // when
        lab.done("ensureReachabilityKnown", "ensureWorkItemsUninstalled", "ensureRemoteCleaned");

        // then
        assertThat(lab.fact("deletion.remote")).contains("WrongIdentity");
        assertThat(deletes.calls()).isEmpty();
    }

    @Test
    @Tag("T25")
    void anExpiredAuthorityIsToldAtOnceAndTheDeletionStillCompletes() {
        // given: as the phase sees it in 30 years
        lab.later(Duration.ofDays(365 * 30));
        lab.fact(
                "deletion.requestedAt",
                Instant.now().plus(Duration.ofDays(365 * 30)).toString());

        // then
        assertThat(lab.run("ensureReachabilityKnown")).isInstanceOfSatisfying(Outcome.Retry.class, retry -> {
            assertThat(retry.failure().errorClass()).isEqualTo(ErrorClass.TRUST);
            assertThat(retry.failure().message()).contains("expired");
            assertThat(retry.failure().actions()).anyMatch(action -> action.contains("SKIP_REMOTE"));
        });

        // when
        lab.fact("directive.SKIP_REMOTE", "decision-1");
        lab.done("ensureReachabilityKnown", "ensureWorkItemsUninstalled", "ensureRemoteCleaned");
        lab.done("ensurePlatformClusterGone", "ensureClusterApiClusterGone", "ensureImportFinalizerReleased");
        lab.done("ensureCredentialsGone", "ensureGone");

        // then
        assertThat(lab.workloadCluster()).isEmpty();
    }

    @Test
    void afterRefusedCredentialsThePhaseFailsSoThatTheKernelStopsCalling() {
        // given
        workload.on(Calls.all()).unauthorized();
        lab.later(GRACE);

        // then: also after the time of grace
        assertThat(lab.run("ensureReachabilityKnown")).isInstanceOfSatisfying(Outcome.Retry.class, retry -> {
            assertThat(retry.failure().errorClass()).isEqualTo(ErrorClass.AUTH);
            assertThat(retry.failure().actions()).anyMatch(action -> action.contains("SUPPLY_CREDENTIALS"));
        });
    }
}
