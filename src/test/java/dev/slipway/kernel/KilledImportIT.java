package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.faults.ApiCall;
import dev.slipway.faults.Calls;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.Recording;
import dev.slipway.imports.ImportLab;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.platform.PlatformLab;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An import whose node is killed, at every point between two of its writes: one credential in the end, each time. */
class KilledImportIT {

    private static final Duration NEVER = Duration.ofHours(1);
    private static final String RECORD_PHASE = "ensurePlatformCluster";

    /** Reviews change nothing. */
    private static final Predicate<ApiCall> WRITES =
            Calls.writes().and(call -> !call.resource().endsWith("reviews"));

    private final FaultInjector management = FaultInjector.before(PlatformLab.plane());
    private final FaultInjector workload = FaultInjector.before(ImportLab.workloadPlane());
    private final DataSource database = KernelHarness.memory();
    private final List<ImportNode> nodes = new ArrayList<>();
    private final AtomicReference<ImportLab> current = new AtomicReference<>();

    @BeforeEach
    void begin() {
        ClockUtil.reset();
    }

    @AfterEach
    void stop() {
        nodes.forEach(ImportNode::close);
        if (current.get() != null) {
            current.get().close();
        }
        management.close();
        workload.close();
    }

    @Test
    @Tag("T15")
    @Tag("T47")
    void oneCredentialWhereverItWasKilledBetweenTwoWrites() {
        // given: as many writes as an import makes that nobody disturbs
        ImportNode node = node();
        Recording recorded = management.record(WRITES);
        Recording recordedInWorkload = workload.record(WRITES);
        importUndisturbed(node);
        int writes = recorded.calls().size() + recordedInWorkload.calls().size();
        assertThat(writes).isGreaterThan(10);
        forget();

        for (int number = 1; number <= writes; number++) {
            // when: that write reaches its server, the answer does not come, the node dies
            CountDownLatch acted = withholdAnswer(number);
            ImportLab lab = lab();
            FlowView flow = node.begin();
            KernelHarness.until("write " + number, () -> acted.getCount() == 0);
            kill(node);
            Recording deletes = management.record(Calls.verb("delete", "deletecollection"));
            node = node();

            // then
            assertThat(node.awaitEnd(flow).result())
                    .as("killed at write " + number)
                    .isEqualTo("Imported");
            assertImportedOnce(lab, node, flow, "killed at write " + number);
            assertThat(deletes.calls()).as("deleted after write " + number).isEmpty();
            forget();
        }
    }

    @Test
    @Tag("T15")
    void oneCredentialThoughKilledEightTimesBeforeItsReferenceIsSaved() {
        // given
        ImportLab lab = lab();
        Recording creates = management.record(Calls.verb("create"), Calls.resource("clustercredentials"));
        ImportNode node = null;
        FlowView flow = null;

        // when
        for (int kill = 1; kill <= 8; kill++) {
            CountDownLatch reached = new CountDownLatch(1);
            Map<String, Phase> instead = Map.of(RECORD_PHASE, context -> hang(reached));
            node = node(instead);
            flow = flow == null ? node.begin() : flow;
            node.until("the credential is there", () -> reached.getCount() == 0);
            assertThat(lab.credentials()).hasSize(1);
            kill(node);
        }
        node = node();

        // then
        assertThat(node.awaitEnd(flow).result()).isEqualTo("Imported");
        assertImportedOnce(lab, node, flow, "after 8 kills");
        assertThat(creates.calls()).hasSize(1);
    }

    private void importUndisturbed(ImportNode node) {
        ImportLab lab = lab();
        FlowView flow = node.begin();
        assertThat(node.awaitEnd(flow).result()).isEqualTo("Imported");
        assertImportedOnce(lab, node, flow, "undisturbed");
    }

    private static void assertImportedOnce(ImportLab lab, ImportNode node, FlowView flow, String when) {
        String credential = "cc-" + lab.name();
        assertThat(lab.credentials()).as(when).containsExactly(credential);
        ObjectNode record = lab.record().orElseThrow();
        assertThat(record.at("/spec/clusterCredentialRef/name").asText())
                .as(when)
                .isEqualTo(credential);
        assertThat(record.at("/status/addresses/0/host").asText()).as(when).isEqualTo("127.0.0.1");
        assertThat(lab.cluster().at("/metadata/labels").has("capi.cpaas.io/imported"))
                .as(when)
                .isTrue();
        assertThat(lab.cluster().at("/metadata/finalizers").toString()).as(when).contains("capi.cpaas.io/imported");
        assertThat(lab.credential(credential).orElseThrow().path("token").asText())
                .as(when)
                .isEqualTo(lab.token());
        // Nothing is left over.
        assertThat(names(lab.workload(), lab, "serviceaccounts")).as(when).containsExactly("sentry");
        assertThat(names(lab.workload(), lab, "secrets")).as(when).containsExactly("sentry-token-requested");
        assertThat(node.kernel.tasks(flow)).as(when).isZero();
        assertThat(node.kernel.incidents(flow)).as(when).isZero();
        assertThat(node.kernel.flows().active(lab.ref().uid())).as(when).isEmpty();
    }

    private static List<String> names(JsonApi api, ImportLab lab, String resource) {
        return api.list("/api/v1/namespaces/" + lab.sentry().namespace() + "/" + resource).stream()
                .map(object -> object.at("/metadata/name").asText())
                .toList();
    }

    /** Lets the n-th write from now on be carried out, and never answers it; ends when its server has acted. */
    private CountDownLatch withholdAnswer(int number) {
        AtomicInteger count = new AtomicInteger();
        AtomicReference<ApiCall> struck = new AtomicReference<>();
        CountDownLatch acted = new CountDownLatch(1);
        for (FaultInjector faults : List.of(management, workload)) {
            faults.on(call -> {
                        boolean strikes = WRITES.test(call) && count.incrementAndGet() == number;
                        if (strikes) {
                            struck.set(call);
                        }
                        return strikes;
                    })
                    .rewrite(answer -> {
                        acted.countDown();
                        return answer;
                    });
            // The same call: rules are asked in their order.
            faults.on(call -> call == struck.get()).slowHead(NEVER);
        }
        return acted;
    }

    /** Ends the node as {@code kill -9} does: what it was about to send is never sent. */
    private void kill(ImportNode node) {
        node.kernel.crash();
        management.refuse();
        workload.refuse();
        management.clear();
        workload.clear();
        KernelHarness.until("nothing of it runs", () -> node.atWork() == 0);
        management.accept();
        workload.accept();
    }

    private ImportNode node() {
        return node(Map.of());
    }

    private ImportNode node(Map<String, Phase> instead) {
        ImportNode node = ImportNode.start(database, current::get, instead);
        nodes.add(node);
        return node;
    }

    /** Stays in the phase until the node dies. */
    private static Outcome hang(CountDownLatch reached) {
        reached.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw Failure.of(ErrorClass.CONTENTION, "CallInterrupted", "The node dies");
    }

    private ImportLab lab() {
        ImportLab lab = ImportLab.open().through(KubeClient.of(management.apiClient()));
        lab.kubeconfig(workload.kubeconfig());
        current.set(lab);
        return lab;
    }

    /** The workload cluster is the same for all: it may be registered under one name at a time. */
    private void forget() {
        current.get().close();
        management.clear();
        workload.clear();
    }
}
