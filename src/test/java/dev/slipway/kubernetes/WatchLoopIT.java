package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.controlplane.ControlPlane;
import io.kubernetes.client.openapi.ApiClient;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One watch of a real API server, and everything that breaks it. */
class WatchLoopIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final WatchTarget SECRETS = new WatchTarget("", "Secret", WatchTarget.Naming.LABEL, false);

    private final KubeClient client = KubeClient.of(CONTROL_PLANE.apiClient());
    private final String namespace = CONTROL_PLANE.newNamespace("watch");
    private final TcpProxy proxy =
            TcpProxy.to(URI.create(CONTROL_PLANE.server()).getPort());
    private final ApiClient api = CONTROL_PLANE.apiClient().setBasePath("https://127.0.0.1:" + proxy.port());
    private final Wire wire = Wire.into(api);
    private final Heard heard = new Heard();
    private WatchLoop loop;

    @AfterEach
    void stop() {
        loop.stop();
        proxy.close();
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
        proxy.cut();
        client.create(ResourceType.SECRETS, secret("meanwhile", "a"));

        // then
        await().untilAsserted(() -> assertThat(heard.wakes).containsExactly("a"));
        assertThat(loop.health().lastList()).isEqualTo(listed);
    }

    @Test
    void noticesAConnectionThatIsHalfOpen() {
        // given
        watch(SECRETS, Duration.ofSeconds(2));

        // when
        proxy.swallowPresent();
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
        int watches = watches();
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
        AtomicBoolean expired = new AtomicBoolean();
        wire.interfere((request, chain) -> {
            if (request.url().queryParameter("watch") == null || !expired.compareAndSet(false, true)) {
                return chain.proceed(request);
            }
            client.delete(ResourceType.SECRETS, namespace, "missed", missed.uid());
            client.create(ResourceType.SECRETS, secret("new", "c"));
            return expired(request);
        });

        // when
        watch(SECRETS, Duration.ofMinutes(5));

        // then
        await().untilAsserted(() -> assertThat(heard.gone).containsExactly("missed@" + missed.uid()));
        await().untilAsserted(() ->
                // Nothing changed in b: no second wake.
                assertThat(heard.wakes).containsExactlyInAnyOrder("a", "b", "a", "c"));
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
        RestClient rest = new RestClient(api, CallSettings.DEFAULTS, ErrorClassifier.standard());
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

    private int watches() {
        return (int) wire.requests().stream()
                .filter(request -> request.contains("watch=true"))
                .count();
    }

    private KubeObject secret(String name, String cluster) {
        KubeObject secret = KubeObject.named(ResourceType.SECRETS, namespace, name);
        secret.json().withObject("metadata").putObject("labels").put(WatchTarget.CLUSTER_LABEL, cluster);
        secret.json().putObject("data").put("key", "c2VjcmV0");
        return secret;
    }

    private static Response expired(Request request) {
        String event =
                """
                {"type": "ERROR", "object": {"kind": "Status", "code": 410, "reason": "Expired", "message": "too old"}}
                """;
        return new Response.Builder()
                .request(request)
                .protocol(Protocol.HTTP_1_1)
                .code(200)
                .message("OK")
                .body(ResponseBody.create(event, MediaType.get("application/json")))
                .build();
    }
}
