package dev.slipway.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.PlatformLab;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final String RECORD_PHASE = "ensurePlatformCluster";

    /** Reviews change nothing. */
    private static final Predicate<ApiCall> WRITES =
            Calls.writes().and(call -> !call.resource().endsWith("reviews"));

    private final FaultInjector management = FaultInjector.before(PlatformLab.plane());
    private final FaultInjector workload = FaultInjector.before(ImportLab.workloadPlane());
    private final DataSource database = KernelHarness.memory();
    private final List<KernelHarness> nodes = new ArrayList<>();
    private final Map<KernelHarness, AtomicInteger> running = new ConcurrentHashMap<>();
    private final AtomicReference<ImportLab> current = new AtomicReference<>();

    @BeforeEach
    void begin() {
        ClockUtil.reset();
    }

    @AfterEach
    void stop() {
        nodes.forEach(KernelHarness::close);
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
        KernelHarness node = node();
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
            FlowView flow = node.flows().start("import", lab.ref(), "test", null);
            KernelHarness.until("write " + number, () -> acted.getCount() == 0);
            kill(node);
            Recording deletes = management.record(Calls.verb("delete", "deletecollection"));
            node = node();

            // then
            assertThat(awaitEnd(node, flow).result())
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
        KernelHarness node = null;
        FlowView flow = null;

        // when
        for (int kill = 1; kill <= 8; kill++) {
            CountDownLatch reached = new CountDownLatch(1);
            Map<String, Phase> instead = Map.of(RECORD_PHASE, context -> hang(reached));
            node = node(instead);
            flow = flow == null ? node.flows().start("import", lab.ref(), "test", null) : flow;
            KernelHarness alive = node;
            KernelHarness.until("the credential is there", () -> {
                if (atWork(alive) == 0) {
                    alive.move(Duration.ofMillis(200));
                }
                return reached.getCount() == 0;
            });
            assertThat(lab.credentials()).hasSize(1);
            kill(node);
        }
        node = node();

        // then
        assertThat(awaitEnd(node, flow).result()).isEqualTo("Imported");
        assertImportedOnce(lab, node, flow, "after 8 kills");
        assertThat(creates.calls()).hasSize(1);
    }

    private void importUndisturbed(KernelHarness node) {
        ImportLab lab = lab();
        FlowView flow = node.flows().start("import", lab.ref(), "test", null);
        assertThat(awaitEnd(node, flow).result()).isEqualTo("Imported");
        assertImportedOnce(lab, node, flow, "undisturbed");
    }

    private static void assertImportedOnce(ImportLab lab, KernelHarness node, FlowView flow, String when) {
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
        assertThat(node.tasks(flow)).as(when).isZero();
        assertThat(node.incidents(flow)).as(when).isZero();
        assertThat(node.flows().active(lab.ref().uid())).as(when).isEmpty();
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
    private void kill(KernelHarness node) {
        node.crash();
        management.refuse();
        workload.refuse();
        management.clear();
        workload.clear();
        KernelHarness.until("nothing of it runs", () -> atWork(node) == 0);
        management.accept();
        workload.accept();
    }

    private int atWork(KernelHarness node) {
        return running.get(node).get();
    }

    private KernelHarness node() {
        return node(Map.of());
    }

    /** A node with the phases of the application, but for the given ones. */
    private KernelHarness node(Map<String, Phase> instead) {
        ScriptedPhases phases = new ScriptedPhases();
        AtomicInteger atWork = new AtomicInteger();
        for (String bean : KernelHarness.IMPORT_BEANS) {
            Phase phase = instead.getOrDefault(bean, context -> run(bean, context));
            phases.script(bean, context -> {
                atWork.incrementAndGet();
                try {
                    return phase.run(context);
                } finally {
                    atWork.decrementAndGet();
                }
            });
        }
        KernelHarness node = KernelHarness.start(database, "node-1", KernelProperties.ClockMode.ENGINE, phases);
        running.put(node, atWork);
        nodes.add(node);
        return node;
    }

    private Outcome run(String bean, PhaseContext context) {
        ImportLab lab = current.get();
        if (bean.equals("ensurePlatformRunning")) {
            // The platform's controller.
            lab.management().merge(lab.recordPath() + "/status", "{\"status\": {\"phase\": \"Running\"}}");
        }
        return lab.phase(bean).run(context);
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

    private FlowView awaitEnd(KernelHarness node, FlowView flow) {
        await("the import ends")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    // Not while a phase runs: for it, the time that it has would pass as quickly.
                    if (atWork(node) == 0) {
                        node.move(Duration.ofMillis(200));
                    }
                    return node.flows().find(flow.id()).orElseThrow().endedAt() != null;
                });
        return node.flows().find(flow.id()).orElseThrow();
    }
}
