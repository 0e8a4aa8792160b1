package dev.slipway.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.phase.ClusterRef;
import dev.slipway.queue.ManualWorkers;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The triggers against a real API server; time and threads are moved by hand. */
class InitTriggerIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final KubeClient CLIENT = KubeClient.of(CONTROL_PLANE.apiClient());

    private final JsonApi api = CONTROL_PLANE.json();
    private final FlowsInMemory flows = new FlowsInMemory();
    private final ManualWorkers workers = new ManualWorkers();

    private String namespace;
    private InitTrigger trigger;

    @BeforeEach
    void aNamespaceOfItsOwn() {
        namespace = CONTROL_PLANE.newNamespace("trigger");
        trigger = aTrigger();
    }

    @Test
    void startsInitWhenAClusterIsSeen() {
        // given
        KubeObject cluster = create("c1", false);

        // when
        trigger.seen(cluster);
        workers.runDue();

        // then
        assertThat(flows.active(cluster.uid())).singleElement().satisfies(flow -> {
            assertThat(flow.kind()).isEqualTo("init");
            assertThat(flow.startedBy()).isEqualTo("slipway");
            assertThat(flow.cluster()).isEqualTo(new ClusterRef(namespace, "c1", cluster.uid()));
        });
    }

    @Test
    void startsItOnceHoweverOftenTheClusterIsSeenAndByWhomever() {
        // given
        KubeObject cluster = create("c1", false);
        InitTrigger otherNode = aTrigger();

        // when
        for (int i = 0; i < 3; i++) {
            trigger.seen(cluster);
            otherNode.seen(cluster);
            workers.runDue();
        }
        flows.end("flow-1", FlowState.COMPLETED, "Ready");
        aTrigger().seen(cluster);
        workers.runDue();

        // then
        assertThat(flows.latestOfAll()).extracting(flow -> flow.id()).containsExactly("flow-1");
    }

    @Test
    void findsClustersByListingWhenNoEventCame() {
        // given
        KubeObject first = create("c1", false);

        // when
        trigger.start();
        workers.runDue();

        // then
        assertThat(flows.active(first.uid())).hasSize(1);

        // when
        KubeObject second = create("c2", false);
        workers.advance(Duration.ofMinutes(5));

        // then
        assertThat(flows.active(second.uid())).hasSize(1);
    }

    @Test
    void losesNothingWhileTheDatabaseIsDown() {
        // given
        KubeObject cluster = create("c1", false);
        flows.fail(new IllegalStateException("The database is down"));
        trigger.seen(cluster);
        workers.advance(Duration.ofMinutes(10));

        // when
        flows.fail(null);
        workers.advance(Duration.ofMinutes(2));

        // then
        assertThat(flows.active(cluster.uid())).hasSize(1);
    }

    @Test
    void startsNothingForAnObjectThatIsGoneOrWasMadeAnew() {
        // given
        KubeObject old = create("c1", false);
        api.delete(path("c1"));
        create("c1", false);

        // when
        trigger.seen(old);
        workers.runDue();

        // then
        assertThat(flows.latestOfAll()).isEmpty();
    }

    @Test
    void startsNoInitForAClusterThatIsBeingDeleted() {
        // given
        create("c1", true);
        api.delete(path("c1"));

        // when
        trigger.seen(read("c1"));
        workers.runDue();

        // then
        assertThat(flows.latestOfAll()).extracting(flow -> flow.kind()).containsExactly("delete");
    }

    @Test
    void endsTheFlowsOfAClusterThatVanishedWhileNobodyWasLooking() {
        // given
        KubeObject cluster = create("c1", false);
        trigger.seen(cluster);
        workers.runDue();
        api.delete(path("c1"));

        // when
        aTrigger().start();
        workers.runDue();
        assertThat(flows.active(cluster.uid())).as("after one look").hasSize(1);
        workers.advance(Duration.ofSeconds(6));

        // then
        assertThat(flows.active(cluster.uid())).isEmpty();
    }

    @Test
    void oneEmptyAnswerDoesNotEndAFlow() {
        // given
        KubeObject cluster = create("c1", false);
        AtomicBoolean blind = new AtomicBoolean();
        InitTrigger here = blindWhile(blind);
        here.seen(cluster);
        workers.runDue();

        // when
        blind.set(true);
        here.gone(namespace, "c1", cluster.uid());
        workers.runDue();
        blind.set(false);
        workers.advance(Duration.ofMinutes(10));

        // then
        assertThat(flows.latest(cluster.uid())).extracting(flow -> flow.state()).containsExactly(FlowState.RUNNING);
    }

    @Test
    void aFlowThatEndedByAFalseAlarmIsStartedAgain() {
        // given
        KubeObject cluster = create("c1", false);
        AtomicBoolean blind = new AtomicBoolean();
        InitTrigger here = blindWhile(blind);
        here.seen(cluster);
        workers.runDue();
        blind.set(true);
        here.gone(namespace, "c1", cluster.uid());
        workers.advance(Duration.ofSeconds(6));
        assertThat(flows.active(cluster.uid())).isEmpty();

        // when
        blind.set(false);
        here.seen(cluster);
        workers.runDue();

        // then
        assertThat(flows.active(cluster.uid())).extracting(flow -> flow.id()).containsExactly("flow-2");
    }

    /** A trigger that reads what is there, or is told that nothing is. */
    private InitTrigger blindWhile(AtomicBoolean blind) {
        LiveReader reader = (LiveReader) Proxy.newProxyInstance(
                LiveReader.class.getClassLoader(),
                new Class<?>[] {LiveReader.class},
                (proxy, method, arguments) -> blind.get() && method.getName().equals("get")
                        ? Optional.empty()
                        : method.invoke(CLIENT, arguments));
        return new InitTrigger(
                flows, reader, DeletionTriggers.of(flows, CLIENT, workers), List.of(namespace), workers, workers);
    }

    @Test
    void startsInitForRealWhenADryRunIsSwitchedOff() {
        // given
        KubeObject cluster = create("c1", false, true);
        trigger.seen(cluster);
        workers.runDue();
        flows.end("flow-1", FlowState.COMPLETED, "Planned");
        aTrigger().seen(read("c1"));
        workers.runDue();
        assertThat(flows.active(cluster.uid())).isEmpty();

        // when
        api.merge(path("c1"), "{\"spec\": {\"dryRun\": false}}");
        aTrigger().seen(read("c1"));
        workers.runDue();

        // then
        assertThat(flows.active(cluster.uid())).extracting(flow -> flow.id()).containsExactly("flow-2");
    }

    private InitTrigger aTrigger() {
        return new InitTrigger(
                flows, CLIENT, DeletionTriggers.of(flows, CLIENT, workers), List.of(namespace), workers, workers);
    }

    private KubeObject create(String name, boolean withFinalizer) {
        return create(name, withFinalizer, false);
    }

    private KubeObject create(String name, boolean withFinalizer, boolean dryRun) {
        return new KubeObject(api.create(
                        "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters",
                        manifest(name, withFinalizer, dryRun))
                .orElseThrow());
    }

    private static ObjectNode manifest(String name, boolean withFinalizer, boolean dryRun) {
        String finalizers = withFinalizer ? ", \"finalizers\": [\"slipway.dev/workload-cluster\"]" : "";
        return JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                + " \"metadata\": {\"name\": \"" + name + "\"" + finalizers + "},"
                + " \"spec\": {\"version\": \"v1.36.3\", \"dryRun\": " + dryRun
                + ", \"topology\": {\"class\": \"any\"}}}");
    }

    private KubeObject read(String name) {
        return new KubeObject(api.get(path(name)).orElseThrow());
    }

    private String path(String name) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/" + name;
    }
}
