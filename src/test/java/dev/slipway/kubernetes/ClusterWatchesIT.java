package dev.slipway.kubernetes;

import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.faults.FaultInjector;
import dev.slipway.faults.FaultKind;
import io.kubernetes.client.openapi.ApiClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** All watches together: what wakes a cluster, and what does not. */
class ClusterWatchesIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final ResourceType CLUSTERS = ResourceType.WORKLOAD_CLUSTERS;

    private final KubeClient client = KubeClient.of(CONTROL_PLANE.apiClient());
    private final String namespace = CONTROL_PLANE.newNamespace("watches");
    private final Heard heard = new Heard();
    private final ClusterWatches watches = watches(List.of(heard), List.of(heard));

    @AfterEach
    void stop() {
        watches.stop();
    }

    @Test
    void tellsOfClustersThatAreThereAndThatCome() {
        // given
        client.create(CLUSTERS, cluster("there"));

        // when
        start(watches);
        KubeObject comes = client.create(CLUSTERS, cluster("comes")).orElseThrow();

        // then
        await().untilAsserted(() ->
                assertThat(heard.seen).extracting(KubeObject::name).containsExactly("there", "comes"));
        assertThat(heard.seen.get(1).text("spec", "version")).contains("v1.36.3");
        assertThat(heard.wakes).contains("there", "comes");

        // when
        client.delete(CLUSTERS, namespace, "comes", comes.uid());

        // then
        await().untilAsserted(() -> assertThat(heard.gone).containsExactly("comes@" + comes.uid()));
    }

    @Test
    void ignoresItsOwnStatusWritesButNotChangesOfTheSpec() {
        // given
        start(watches);
        KubeObject created = client.create(CLUSTERS, cluster("a")).orElseThrow();
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a"));

        // when
        created.json().putObject("status").put("phase", "Provisioning");
        client.applyStatus(CLUSTERS, created);
        client.mergePatch(
                CLUSTERS,
                namespace,
                "a",
                TestCrds.object("{\"spec\": {\"paused\": true}}").json());

        // then
        await().untilAsserted(() -> assertThat(heard.seen).hasSize(3));
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a", "a"));
    }

    @Test
    void wakesTheClusterOfEveryKindThatItsPhasesLookAt() {
        // given
        start(watches);

        // when
        client.create(type("cluster.x-k8s.io", "Cluster"), capiCluster("from-cluster"));
        client.create(
                type("cluster.x-k8s.io", "Machine"),
                labelled(
                        type("cluster.x-k8s.io", "Machine"),
                        "from-machine",
                        """
                        {"clusterName": "from-machine", "bootstrap": {"dataSecretName": "x"},
                         "infrastructureRef": {"apiGroup": "infrastructure.cluster.x-k8s.io",
                          "kind": "DevMachine", "name": "x"}}
                        """));
        client.create(ResourceType.SECRETS, labelled(ResourceType.SECRETS, "from-secret", null));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).contains("from-cluster", "from-machine", "from-secret"));
        assertThat(watches.health()).allMatch(health -> health.state() == WatchHealth.State.WATCHING);
    }

    @Test
    void canBeStoppedAndStartedAgain() {
        // given
        start(watches);
        watches.stop();
        watches.stop();
        assertThat(watches.isRunning()).isFalse();
        assertThat(watches.health()).isEmpty();
        client.create(CLUSTERS, cluster("unheard"));

        // when
        start(watches);
        watches.start();

        // then
        await().untilAsserted(() ->
                assertThat(heard.seen).extracting(KubeObject::name).containsExactly("unheard"));
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("watch-Machine-" + namespace))
                .hasSize(1);
    }

    @Test
    void aListenerThatFailsKeepsNobodyFromHearing() {
        // given
        ClusterWakeup failing = (ns, name) -> {
            throw new IllegalStateException("thrown by the test");
        };
        ClusterWatches broken = watches(List.of(failing, heard), List.of(heard));
        start(broken);

        // when
        client.create(CLUSTERS, cluster("a"));
        client.create(CLUSTERS, cluster("b"));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a", "b"));
        broken.stop();
    }

    @Test
    void hearsOfEveryClusterWhateverHappensToItsWatches() {
        try (FaultInjector faults = FaultInjector.before(CONTROL_PLANE)) {
            // given
            faults.on(verb("watch")).every(2).cutWatch(Duration.ofMillis(300));
            faults.on(verb("watch")).every(3).expireWatch(Duration.ofMillis(300));
            faults.on(verb("watch")).every(5).silence(Duration.ofMillis(100));
            faults.on(verb("watch")).reorderEvents();
            faults.on(verb("list")).every(3).serverError(503);
            ClusterWatches shaken = watches(faults.apiClient(), Duration.ofSeconds(2), List.of(heard), List.of(heard));
            shaken.start();

            // when
            List<String> names = List.of("a", "b", "c", "d", "e", "f", "g", "h");
            for (String name : names) {
                client.create(CLUSTERS, cluster(name));
                await().atMost(Duration.ofSeconds(40))
                        .untilAsserted(() -> assertThat(heard.wakes).contains(name));
            }
            KubeObject first = client.get(CLUSTERS, namespace, "a").orElseThrow();
            client.delete(CLUSTERS, namespace, "a", first.uid());

            // then
            await().untilAsserted(() -> assertThat(heard.gone).containsExactly("a@" + first.uid()));
            assertThat(heard.seen).extracting(KubeObject::name).containsAll(names);
            assertThat(faults.injected())
                    .containsKeys(FaultKind.WATCH_DROPPED, FaultKind.WATCH_EXPIRED, FaultKind.WATCH_SILENT);
            shaken.stop();
        }
    }

    private ClusterWatches watches(List<ClusterWakeup> wakeups, List<WorkloadClusterEvents> listeners) {
        return watches(CONTROL_PLANE.apiClient(), Duration.ofMinutes(5), wakeups, listeners);
    }

    private ClusterWatches watches(
            ApiClient api, Duration timeout, List<ClusterWakeup> wakeups, List<WorkloadClusterEvents> listeners) {
        RestClient rest = new RestClient(api, CallSettings.DEFAULTS, ErrorClassifier.standard());
        WatchSource source = WatchSource.of(
                rest,
                new Discovery(rest, Clock.systemUTC()),
                new KubernetesProperties.Watch(true, timeout, Duration.ofMillis(100)),
                Duration.ofSeconds(1));
        return new ClusterWatches(
                List.of(namespace),
                source,
                () -> wakeups,
                () -> listeners,
                () -> List.of(),
                () -> List.of(),
                Clock.systemUTC());
    }

    private static void start(ClusterWatches watches) {
        watches.start();
        await().until(watches::health, health -> health.stream()
                .allMatch(h -> h.state() == WatchHealth.State.WATCHING));
    }

    private ResourceType type(String group, String kind) {
        return client.find(group, kind).orElseThrow();
    }

    private KubeObject cluster(String name) {
        KubeObject cluster = KubeObject.named(CLUSTERS, namespace, name);
        cluster.json()
                .putObject("spec")
                .put("version", "v1.36.3")
                .putObject("topology")
                .put("class", "any");
        return cluster;
    }

    private KubeObject capiCluster(String name) {
        KubeObject cluster = KubeObject.named(type("cluster.x-k8s.io", "Cluster"), namespace, name);
        cluster.json()
                .putObject("spec")
                .putObject("infrastructureRef")
                .put("apiGroup", "infrastructure.cluster.x-k8s.io")
                .put("kind", "DevCluster")
                .put("name", name);
        return cluster;
    }

    private KubeObject labelled(ResourceType type, String cluster, String spec) {
        KubeObject object = KubeObject.named(type, namespace, "of-" + cluster);
        object.json().withObject("metadata").putObject("labels").put(WatchTarget.CLUSTER_LABEL, cluster);
        if (spec != null) {
            object.json().set("spec", Json.parse(spec));
        }
        return object;
    }
}
