package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.deletion.DeletionLab;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.faults.ApiCall;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformLab;
import dev.slipway.receipt.Fate;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Cluster, its machines and the finalizer of the import: what goes, in which order, and what is shown meanwhile. */
class ClusterRemovalIT {

    private static final String REMOVAL = "ensureClusterApiClusterGone";
    private static final String RELEASE = "ensureImportFinalizerReleased";

    private final DeletionLab lab = DeletionLab.declared();
    private final FaultInjector faults = FaultInjector.before(PlatformLab.plane());

    @AfterEach
    void close() {
        faults.close();
        lab.close();
    }

    @Test
    @Tag("T55")
    void onlyTheClusterIsDeletedOnceAndNeverAMachineOrItsInfrastructure() {
        // given
        lab.through(KubeClient.of(faults.apiClient()));
        hold();
        lab.descendant("DevCluster", "infra", "example.com/hold");
        lab.descendant("Machine", "m-1", "example.com/hold");
        lab.descendant("DevMachine", "m-1", "example.com/hold");
        lab.until(REMOVAL);
        Recording deletes = faults.record(Calls.verb("delete", "deletecollection"));

        // when
        for (int run = 0; run < 3; run++) {
            assertThat(lab.run(REMOVAL)).isInstanceOf(Outcome.Waiting.class);
        }

        // then
        assertThat(deletes.calls().stream().map(ClusterRemovalIT::what))
                .containsExactly("clusters.cluster.x-k8s.io " + lab.name());
    }

    @Test
    @Tag("T50")
    void whileOneMachineOfTheInfrastructureIsLeftTheFinalizerStaysAndTheMachineIsNamed() {
        // given
        hold();
        lab.descendant("DevMachine", "m-1", "provider.example.com/machine");
        lab.until(REMOVAL);

        // then
        assertThat(lab.run(REMOVAL)).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("WaitingForMachinesGone");
            assertThat(waiting.message()).contains("DevMachine " + lab.namespace() + "/m-1");
        });

        // then: also for somebody who went on without that phase
        assertThat(lab.run(RELEASE)).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("ObjectsRemain");
            assertThat(waiting.message()).contains("DevMachine " + lab.namespace() + "/m-1");
        });
        assertThat(finalizers()).contains("capi.cpaas.io/imported");
    }

    @Test
    @Tag("T49")
    @Tag("T12")
    void onceAllIsGoneJustThatFinalizerIsTakenOffWhoeverWritesAtTheSameTime() {
        // given
        lab.through(KubeClient.of(faults.apiClient()));
        hold("example.com/theirs", "capi.cpaas.io/imported", "example.com/others");
        lab.until(REMOVAL).done(REMOVAL);
        assertThat(lab.cluster()).isPresent();
        faults.on(Calls.verb("patch").and(Calls.resource("clusters"))).times(3).overtakenBy(() -> lab.management()
                .merge(
                        lab.imports().clusterPath(),
                        "{\"metadata\": {\"annotations\": {\"busy\": \"" + System.nanoTime() + "\"}}}"));

        // when
        lab.done(RELEASE);

        // then
        assertThat(finalizers())
                .contains("example.com/theirs", "example.com/others")
                .doesNotContain("imported");
        assertThat(lab.run("ensureGone"))
                .isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.message())
                        .contains("example.com/theirs"));

        // when
        lab.management().merge(lab.imports().clusterPath(), "{\"metadata\": {\"finalizers\": null}}");
        lab.done(RELEASE, "ensureCredentialsGone", "ensureGone");

        // then
        assertThat(lab.cluster()).isEmpty();
        assertThat(lab.workloadCluster()).isEmpty();
    }

    @Test
    @Tag("T45")
    void aKindThatNobodyServesCountsAsGoneOnlyIfAnOperatorTypesTheName() {
        // given
        hold();
        lab.management()
                .merge(
                        lab.imports().clusterPath(),
                        "{\"spec\": {\"infrastructureRef\": {\"apiGroup\": \"nowhere.example.com\", \"kind\":"
                                + " \"NoCluster\", \"name\": \"x\"}}}");
        lab.until(REMOVAL);

        // then
        assertThat(lab.run(REMOVAL)).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.code()).isEqualTo("KindAbsent");
            assertThat(blocked.message()).contains("NoCluster.nowhere.example.com", "nobody knows");
        });
        assertThat(lab.run(RELEASE)).isInstanceOf(Outcome.Blocked.class);

        // when
        lab.force("EnsureClusterApiClusterGone", "another");

        // then
        assertThat(lab.run(REMOVAL)).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.code()).isEqualTo("ForceRefused");
            assertThat(blocked.message()).contains("'another', not '" + lab.name() + "'");
        });

        // when
        lab.force("EnsureClusterApiClusterGone", lab.name());
        lab.done(REMOVAL, RELEASE, "ensureCredentialsGone", "ensureGone");

        // then
        assertThat(lab.cluster()).isEmpty();
        assertThat(lab.workloadCluster()).isEmpty();
    }

    @Test
    @Tag("T59")
    void whatDoesNotMoveIsAskedAboutAndNothingIsEverGivenUp() {
        // given
        hold();
        lab.descendant("Machine", "m-1", "machine.cluster.x-k8s.io");
        lab.descendant("Machine", "m-2", "machine.cluster.x-k8s.io");
        lab.until(REMOVAL);
        assertThat(lab.run(REMOVAL)).isInstanceOf(Outcome.Waiting.class);

        // when: slow, but it moves
        lab.later(Duration.ofMinutes(19));
        release("Machine", "m-2");

        // then
        assertThat(lab.run(REMOVAL)).isInstanceOf(Outcome.Waiting.class);
        lab.later(Duration.ofMinutes(19));
        assertThat(lab.run(REMOVAL)).isInstanceOf(Outcome.Waiting.class);

        // when: for 20 minutes just the same; also for another node, which has only the receipt
        lab.later(Duration.ofMinutes(2));

        // then
        for (int run = 0; run < 3; run++) {
            assertThat(lab.run(REMOVAL)).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
                assertThat(blocked.code()).isEqualTo("NoProgress");
                assertThat(blocked.errorClass().recheckedWhenBlocked()).isTrue();
                assertThat(blocked.message()).contains("Machine " + lab.namespace() + "/m-1", "unchanged since");
                assertThat(blocked.actions().get(0)).contains("machine.cluster.x-k8s.io");
            });
            lab.later(Duration.ofHours(5));
        }
        assertThat(lab.workloadCluster()).isPresent();
        assertThat(finalizers()).contains("capi.cpaas.io/imported");

        // when: the cause is repaired
        lab.clusterApiFinishes();

        // then
        lab.done(REMOVAL, RELEASE);
        assertThat(lab.fate("Machine " + lab.namespace() + "/m-1")).contains(Fate.DELETED);
    }

    @Test
    @Tag("T59")
    void forceTakesFinalizersOffOnlyWhereNothingElseHelpsAndTheReceiptSaysWhatMayStillRun() {
        // given
        hold();
        lab.descendant("DevMachine", "m-1", "provider.example.com/machine", "provider.example.com/disk");
        lab.until(REMOVAL);
        lab.run(REMOVAL);
        lab.management().delete(lab.descendants("DevMachine") + "/m-1");

        // then: too early
        lab.force("EnsureClusterApiClusterGone", lab.name());
        assertThat(lab.run(REMOVAL)).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.code()).isEqualTo("ForceRefused");
            assertThat(blocked.message()).contains("allowed from", "DevMachine");
        });

        // then: late enough, but it moved a moment ago
        lab.later(Duration.ofMinutes(31));
        lab.management()
                .merge(
                        lab.descendants("DevMachine") + "/m-1",
                        "{\"metadata\": {\"finalizers\": [\"provider.example.com/disk\"]}}");
        assertThat(lab.run(REMOVAL))
                .isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.message())
                        .contains("it still moves"));

        // then: a decision about another phase
        lab.later(Duration.ofMinutes(21)).force("EnsureGone", lab.name());
        assertThat(lab.run(REMOVAL)).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.code())
                .isEqualTo("NoProgress"));

        // when
        lab.force("EnsureClusterApiClusterGone", lab.name());
        lab.done(REMOVAL, RELEASE, "ensureCredentialsGone", "ensureGone");

        // then
        assertThat(lab.workloadCluster()).isEmpty();
        assertThat(lab.management().get(lab.descendants("DevMachine") + "/m-1")).isEmpty();
        assertThat(lab.entry("DevMachine " + lab.namespace() + "/m-1").orElseThrow())
                .satisfies(entry -> assertThat(entry.fate()).isEqualTo(Fate.LEFT))
                .satisfies(entry -> assertThat(entry.why()).contains("may still be there"));
    }

    @Test
    @Tag("T68")
    void aClusterThatIsGoneAlreadyLeavesTheOtherPhasesToDo() {
        // given
        lab.imported();
        lab.secret(lab.name() + "-ca", "cluster.x-k8s.io/secret", lab.name());
        lab.imports().vanish();

        // when
        lab.until("ensureGone").done("ensureGone");

        // then
        assertThat(lab.imports().record()).isEmpty();
        assertThat(lab.imports().credentials()).isEmpty();
        assertThat(lab.secret(lab.name() + "-ca")).isEmpty();
        assertThat(lab.workloadCluster()).isEmpty();
        assertThat(lab.receipts().find("flow").orElseThrow().result()).isEqualTo("Deleted");
    }

    @Test
    @Tag("T68")
    void aClusterThatVanishesMeanwhileAndIsMadeAnewIsAnotherOne() {
        // given
        hold();
        lab.until(REMOVAL);
        lab.imports().replace();

        // when
        lab.done(REMOVAL, RELEASE, "ensureCredentialsGone", "ensureGone");

        // then
        assertThat(lab.cluster().orElseThrow().at("/metadata/deletionTimestamp").isMissingNode())
                .isTrue();
    }

    @Test
    void anObjectThatVanishedByForceDoesNotStopTheDeletion() {
        // given
        lab.imported().until("ensureReachabilityKnown");
        lab.management().merge(lab.workloadClusterPath(), "{\"metadata\": {\"finalizers\": null}}");
        assertThat(lab.workloadCluster()).isEmpty();

        // when
        lab.done(DeletionLab.PHASES.subList(5, 13).toArray(String[]::new));

        // then
        assertThat(lab.cluster()).isEmpty();
        assertThat(lab.imports().record()).isEmpty();
        assertThat(lab.imports().credentials()).isEmpty();
    }

    @Test
    @Tag("T58")
    void aPhaseThatWasRefusedReallyRunsAgainOnceTheCauseIsGone() {
        // given
        lab.through(KubeClient.of(faults.apiClient()));
        hold();
        lab.until(REMOVAL);
        faults.on(Calls.verb("delete").and(Calls.resource("clusters"))).times(3).unauthorized();
        for (int run = 0; run < 3; run++) {
            assertThat(lab.run(REMOVAL)).isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(
                            retry.failure().errorClass())
                    .isEqualTo(ErrorClass.AUTH));
        }

        // when
        lab.done(REMOVAL);

        // then
        assertThat(lab.cluster().orElseThrow().at("/metadata/deletionTimestamp").isMissingNode())
                .isFalse();
    }

    @Test
    void theSecondRunOfEachPhaseChangesNothing() {
        // given
        lab.through(KubeClient.of(faults.apiClient()));
        lab.imported().mode(DeletionMode.FORGET);

        for (String phase : DeletionLab.PHASES) {
            // when
            lab.done(phase);
            Recording writes = faults.record(Calls.writes());
            lab.done(phase);

            // then
            assertThat(writes.calls()).as(phase).isEmpty();
        }
    }

    /** Lets the Cluster have the finalizer of imported ones, and others. */
    private void hold(String... finalizers) {
        String list = finalizers.length == 0 ? "capi.cpaas.io/imported" : String.join("\",\"", finalizers);
        lab.management().merge(lab.imports().clusterPath(), "{\"metadata\": {\"finalizers\": [\"" + list + "\"]}}");
    }

    private void release(String kind, String name) {
        lab.management().merge(lab.descendants(kind) + "/" + name, "{\"metadata\": {\"finalizers\": null}}");
        lab.management().delete(lab.descendants(kind) + "/" + name);
    }

    private String finalizers() {
        return lab.cluster()
                .map(cluster -> (JsonNode) cluster)
                .orElseThrow()
                .at("/metadata/finalizers")
                .toString();
    }

    private static String what(ApiCall call) {
        return call.resource() + "." + call.group() + " " + call.name();
    }
}
