package dev.slipway.kubernetes;

import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.faults.FaultInjector;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One watch of a real API server, and everything that breaks it. */
class WatchLoopIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final WatchTarget SECRETS = new WatchTarget("", "Secret", WatchTarget.Naming.LABEL, false);

    private final KubeClient client = KubeClient.of(CONTROL_PLANE.apiClient());
    private final String namespace = CONTROL_PLANE.newNamespace("watch");
    private final FaultInjector faults = FaultInjector.before(CONTROL_PLANE);
    private final Heard heard = new Heard();
    private WatchLoop loop;

    @AfterEach
    void stop() {
        loop.stop();
        faults.close();
    }

    @Test
    void wakesTheClusterOfTheLabelAndNeverSeesWhatASecretHolds() {
        // given
        client.create(ResourceType.SECRETS, secret("before", "a"));
        watch(SECRETS, Duration.ofMinutes(5));

        // when
        client.create(ResourceType.SECRETS, secret("after", "b"));
        client.create(ResourceType.SECRETS, KubeObject.named(ResourceType.SECRETS, namespace, "unlabelled"));
        client.create(ResourceType.SECRETS, secret("last", "c"));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a", "b", "c"));
        assertThat(heard.seen).extracting(KubeObject::name).containsExactly("before", "after", "last");
        assertThat(heard.seen).noneMatch(object -> object.json().has("data"));
    }

    @Test
    void wakesBothClustersWhenALabelMoves() {
        // given
        client.create(ResourceType.SECRETS, secret("moving", "a"));
        watch(SECRETS, Duration.ofMinutes(5));

        // when
        client.apply(ResourceType.SECRETS, secret("moving", "b"));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a", "b", "a"));
    }

    @Test
    void tellsWhatWentAndWakesItsCluster() {
        // given
        KubeObject created =
                client.create(ResourceType.SECRETS, secret("going", "a")).orElseThrow();
        watch(SECRETS, Duration.ofMinutes(5));

        // when
        client.delete(ResourceType.SECRETS, namespace, "going", created.uid());

        // then
        await().untilAsserted(() -> assertThat(heard.gone).containsExactly("going@" + created.uid()));
        assertThat(heard.wakes).containsExactly("a", "a");
    }

    @Test
    void goesOnWhereItStoodWhenTheConnectionIsCut() {
        // given
        watch(SECRETS, Duration.ofMinutes(5));
        Instant listed = loop.health().lastList();

        // when
        faults.refuse();
        faults.accept();
        client.create(ResourceType.SECRETS, secret("meanwhile", "a"));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a"));
        assertThat(loop.health().lastList()).isEqualTo(listed);
    }

    @Test
    void noticesAConnectionThatIsHalfOpen() {
        // given
        faults.on(verb("watch")).times(1).silence(Duration.ZERO);
        watch(SECRETS, Duration.ofSeconds(2));

        // when
        client.create(ResourceType.SECRETS, secret("unheard", "a"));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a"));
        assertThat(loop.health().breaks()).isPositive();
        assertThat(loop.health().lastFailure()).isEqualTo("ApiTimeout");
    }

    @Test
    void aWatchThatTheServerEndsIsNoBreak() {
        // given
        watch(SECRETS, Duration.ofSeconds(2));

        // when
        long watches = watches();
        await().until(() -> watches() > watches);
        client.create(ResourceType.SECRETS, secret("later", "a"));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a"));
        assertThat(loop.health().breaks()).isZero();
    }

    @Test
    void listsAgainWhenItsPlaceExpiredAndTellsWhatItMissed() {
        // given
        KubeObject missed =
                client.create(ResourceType.SECRETS, secret("missed", "a")).orElseThrow();
        client.create(ResourceType.SECRETS, secret("kept", "b"));
        faults.on(verb("watch")).times(1).silence(Duration.ZERO);
        faults.on(verb("watch")).every(2).times(1).gone();
        watch(SECRETS, Duration.ofSeconds(2));

        // when
        client.delete(ResourceType.SECRETS, namespace, "missed", missed.uid());
        client.create(ResourceType.SECRETS, secret("new", "c"));

        // then
        await().untilAsserted(() -> assertThat(heard.gone).containsExactly("missed@" + missed.uid()));
        await().untilAsserted(() ->
                // Nothing changed in b: no second wake.
                assertThat(heard.wakes).containsExactlyInAnyOrder("a", "b", "a", "c"));
    }

    @Test
    void listsAgainWhenTheWatchSaysThatItsPlaceExpired() {
        // given
        faults.on(verb("watch")).times(1).expireWatch(Duration.ofMillis(100));
        watch(SECRETS, Duration.ofMinutes(5));
        Instant listed = loop.health().lastList();

        // when
        await().until(() -> loop.health().breaks() > 0);
        client.create(ResourceType.SECRETS, secret("later", "a"));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a"));
        assertThat(loop.health().lastList()).isAfter(listed);
        assertThat(loop.health().lastFailure()).isEqualTo("Expired");
    }

    @Test
    void hearsOfEverythingThoughEventsComeLateAndOutOfOrder() {
        // given
        faults.on(verb("watch")).delayEvents(Duration.ofMillis(300));
        faults.on(verb("watch")).reorderEvents();
        watch(SECRETS, Duration.ofMinutes(5));

        // when
        for (String name : List.of("a", "b", "c", "d", "e", "f")) {
            client.create(ResourceType.SECRETS, secret("of-" + name, name));
        }

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactlyInAnyOrder("a", "b", "c", "d", "e", "f"));
    }

    @Test
    void waitsForAKindThatIsInstalledLaterAndOutlivesItsRemoval() {
        // given
        String group = "later.slipway.dev";
        ResourceType type = TestCrds.type(group, "Latecomer");
        start(new WatchTarget(group, "Latecomer", WatchTarget.Naming.OWN_NAME, true), Duration.ofMinutes(5));
        await().until(() -> loop.health().state() == WatchHealth.State.KIND_ABSENT);

        // when
        TestCrds.install(client, group, "Latecomer");
        client.create(type, KubeObject.named(type, namespace, "first"));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("first"));

        // when
        TestCrds.remove(client, group, "Latecomer");

        // then
        await().until(() -> loop.health().state() == WatchHealth.State.KIND_ABSENT);
        assertThat(heard.gone).hasSize(1);
    }

    @Test
    void notesBookmarksAndEvents() {
        // given
        // The server says so shortly before it ends a watch, if that lasts long enough.
        watch(SECRETS, Duration.ofSeconds(6));

        // when
        client.create(ResourceType.SECRETS, secret("one", "a"));

        // then
        await().until(() -> loop.health().lastEvent() != null && loop.health().lastBookmark() != null);
        assertThat(loop.health().objects()).isEqualTo(1);
    }

    private void watch(WatchTarget target, Duration timeout) {
        start(target, timeout);
        await().until(() -> loop.health().state() == WatchHealth.State.WATCHING);
    }

    private void start(WatchTarget target, Duration timeout) {
        RestClient rest = new RestClient(faults.apiClient(), CallSettings.DEFAULTS, ErrorClassifier.standard());
        WatchSource source = WatchSource.of(
                rest,
                new Discovery(rest, Clock.systemUTC()),
                new KubernetesProperties.Watch(true, timeout, Duration.ofMillis(100)),
                Duration.ofSeconds(1));
        loop = new WatchLoop(target, namespace, source, heard, Clock.systemUTC());
        Thread thread = new Thread(loop, "watch-test");
        thread.setDaemon(true);
        thread.start();
    }

    private long watches() {
        return faults.calls().getOrDefault("watch", 0L);
    }

    private KubeObject secret(String name, String cluster) {
        KubeObject secret = KubeObject.named(ResourceType.SECRETS, namespace, name);
        secret.json().withObject("metadata").putObject("labels").put(WatchTarget.CLUSTER_LABEL, cluster);
        secret.json().putObject("data").put("key", "c2VjcmV0");
        return secret;
    }
}
