package dev.slipway.faults;

import static dev.slipway.faults.Calls.name;
import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static dev.slipway.faults.Calls.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Failure;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.BufferedSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each fault arrives as what it is said to be, and the server did, or did not, what it is said to have done. */
class FaultInjectorIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final ResourceType SECRETS = ResourceType.SECRETS;

    private final String namespace = CONTROL_PLANE.newNamespace("faults");
    private final FaultInjector faults = FaultInjector.before(CONTROL_PLANE);
    private final KubeClient direct = KubeClient.of(CONTROL_PLANE.apiClient());
    private final KubeClient client = KubeClient.of(faults.apiClient(), Duration.ofSeconds(3));

    @AfterEach
    void close() {
        faults.close();
    }

    @Test
    void passesEverythingWithoutRules() {
        // when
        KubeObject created = client.create(SECRETS, secret("a")).orElseThrow();

        // then
        assertThat(direct.get(SECRETS, namespace, "a").orElseThrow().uid()).isEqualTo(created.uid());
        assertThat(client.list(SECRETS, namespace, Map.of()))
                .extracting(KubeObject::name)
                .containsExactly("a");
        assertThat(faults.calls()).containsEntry("create", 1L).containsEntry("list", 1L);
        assertThat(faults.injected()).isEmpty();
    }

    @Test
    void letsNobodyInWithoutACertificate() {
        // given
        ApiClient stranger = new ClientBuilder()
                .setBasePath(faults.server())
                .setCertificateAuthority(faults.authority().getBytes(StandardCharsets.UTF_8))
                .build();
        ApiClient withToken = new ClientBuilder()
                .setBasePath(faults.server())
                .setCertificateAuthority(faults.authority().getBytes(StandardCharsets.UTF_8))
                .setAuthentication(new AccessTokenAuthentication("made-up"))
                .build();

        // when
        Failure nobody = failure(() -> KubeClient.of(stranger).list(SECRETS, namespace, Map.of()));
        Failure token = failure(() -> KubeClient.of(withToken).list(SECRETS, namespace, Map.of()));

        // then
        assertThat(nobody.code()).isEqualTo("Unauthorized");
        assertThat(token.code()).isEqualTo("Unauthorized");
        assertThat(faults.calls())
                .as("only the token is for the API server to judge")
                .containsEntry("list", 1L);
    }

    @Test
    void losesTheAnswerAfterTheServerActed() {
        // given
        faults.on(verb("create"), resource("secrets"), namespace(namespace))
                .times(1)
                .loseAnswer();

        // when
        Failure failure = failure(() -> client.create(SECRETS, secret("a")));

        // then
        assertThat(failure.code()).isEqualTo("ApiUnreachable");
        assertThat(direct.get(SECRETS, namespace, "a")).isPresent();
        assertThat(client.create(SECRETS, secret("a"))).as("exists already").isEmpty();
        assertThat(faults.injected()).containsExactly(Map.entry(FaultKind.ANSWER_LOST, 1L));
    }

    @Test
    void resetsBeforeTheServerActs() {
        // given
        faults.on(writes()).times(1).reset();

        // when
        Failure failure = failure(() -> client.create(SECRETS, secret("a")));

        // then
        assertThat(failure.code()).isEqualTo("ApiUnreachable");
        assertThat(failure.message()).containsIgnoringCase("reset");
        assertThat(direct.get(SECRETS, namespace, "a")).isEmpty();
        assertThat(faults.injected()).containsExactly(Map.entry(FaultKind.RESET, 1L));
    }

    @Test
    void answersInTheServersPlace() {
        // given
        direct.create(SECRETS, secret("a"));
        faults.on(verb("patch")).conflict();
        faults.on(name("b")).overload(Duration.ofSeconds(7));
        faults.on(name("c")).serverError(504);
        faults.on(name("d")).proxyError(502);
        faults.on(verb("list")).gone();

        // when
        Failure conflict = failure(() -> client.apply(SECRETS, secret("a")));
        Failure overload = failure(() -> client.get(SECRETS, namespace, "b"));
        Failure error = failure(() -> client.get(SECRETS, namespace, "c"));
        Failure proxy = failure(() -> client.get(SECRETS, namespace, "d"));
        Failure gone = failure(() -> client.list(SECRETS, namespace, Map.of()));

        // then
        assertThat(conflict.code()).isEqualTo("Conflict");
        assertThat(overload.code()).isEqualTo("TooManyRequests");
        assertThat(overload.retryAfter()).contains(Duration.ofSeconds(7));
        assertThat(error.code()).isEqualTo("ServerError");
        assertThat(error.message()).contains("504").contains("etcdserver");
        assertThat(proxy.code()).isEqualTo("ServerError");
        assertThat(proxy.message()).contains("502").doesNotContain("etcdserver");
        assertThat(gone.code()).isEqualTo("Expired");
        assertThat(faults.injected())
                .containsEntry(FaultKind.CONFLICT, 5L)
                .containsEntry(FaultKind.OVERLOAD, 1L)
                .containsEntry(FaultKind.SERVER_ERROR, 1L)
                .containsEntry(FaultKind.PROXY_ERROR, 1L)
                .containsEntry(FaultKind.GONE, 4L);
    }

    @Test
    void holdsTheAnswerBackLongerThanTheDeadline() {
        // given
        faults.on(verb("create")).times(1).slowHead(Duration.ofSeconds(20));

        // when
        Failure failure = failure(() -> client.create(SECRETS, secret("a")));

        // then
        assertThat(failure.code()).isEqualTo("ApiTimeout");
        assertThat(direct.get(SECRETS, namespace, "a")).isPresent();
    }

    @Test
    void dribblesABodyLongerThanTheDeadline() {
        // given
        direct.create(SECRETS, secret("a"));
        faults.on(verb("get")).times(1).slowBody(Duration.ofSeconds(20));
        faults.on(verb("get")).slowBody(Duration.ofMillis(100));

        // when
        Failure failure = failure(() -> client.get(SECRETS, namespace, "a"));

        // then
        assertThat(failure.code()).isEqualTo("ApiTimeout");
        assertThat(client.get(SECRETS, namespace, "a")).isPresent();
        assertThat(faults.injected()).containsExactly(Map.entry(FaultKind.SLOW_BODY, 3L));
    }

    @Test
    void refusesConnectionsForAWhile() {
        // given
        client.create(SECRETS, secret("a"));

        // when
        faults.refuse();
        Failure failure = failure(() -> client.get(SECRETS, namespace, "a"));
        faults.accept();

        // then
        assertThat(failure.code()).isEqualTo("ApiUnreachable");
        assertThat(failure.message()).containsIgnoringCase("connect");
        assertThat(client.get(SECRETS, namespace, "a")).isPresent();
    }

    @Test
    void rewritesWhatIsRead() {
        // given
        direct.create(SECRETS, secret("a"));
        faults.on(verb("get"), name("a")).rewrite(object -> {
            object.putObject("status").put("phase", "Failed");
            return object;
        });

        // when
        KubeObject read = client.get(SECRETS, namespace, "a").orElseThrow();

        // then
        assertThat(read.text("status", "phase")).contains("Failed");
    }

    @Test
    void strikesEachNthCallAndWithAChanceDrawnFromTheSeed() {
        // given
        Rule third = faults.on(verb("get"), name("a")).every(3).serverError(503);
        Rule half = faults.on(verb("get"), name("b")).chance(0.5).serverError(500);

        // when
        List<Boolean> failed = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            failed.add(fails(() -> direct(client, "a")));
        }
        List<Boolean> drawn = draws(client);

        // then
        assertThat(failed).containsExactly(false, false, true, false, false, true);
        assertThat(third.injected()).isEqualTo(2);
        assertThat(half.injected()).isBetween(5, 35);
        try (FaultInjector again = FaultInjector.before(CONTROL_PLANE)) {
            again.on(verb("get"), name("a")).every(3).serverError(503);
            again.on(verb("get"), name("b")).chance(0.5).serverError(500);
            assertThat(draws(KubeClient.of(again.apiClient()))).isEqualTo(drawn);
        }
    }

    @Test
    void readsTheStateOfAWhileAgo() {
        // given
        direct.create(SECRETS, secret("old"));
        Rule lag = faults.on(resource("secrets")).stale(Duration.ofSeconds(1));
        await().untilAsserted(
                        () -> assertThat(client.get(SECRETS, namespace, "old")).isPresent());

        // when
        KubeObject changed = secret("old");
        changed.json().putObject("data").put("key", "bmV3");
        direct.apply(SECRETS, changed);
        direct.create(SECRETS, secret("new"));

        // then
        assertThat(client.get(SECRETS, namespace, "new")).isEmpty();
        assertThat(client.list(SECRETS, namespace, Map.of()))
                .extracting(KubeObject::name)
                .containsExactly("old");
        assertThat(client.get(SECRETS, namespace, "old").orElseThrow().text("data", "key"))
                .isEmpty();
        await().untilAsserted(
                        () -> assertThat(client.get(SECRETS, namespace, "new")).isPresent());
        assertThat(client.get(SECRETS, namespace, "old").orElseThrow().text("data", "key"))
                .contains("bmV3");
        assertThat(lag.injected()).isGreaterThan(4);
    }

    @Test
    void delaysEventsAndKeepsTheirOrder() {
        // given
        faults.on(resource("secrets")).delayEvents(Duration.ofMillis(500));

        // when
        Watched watched = watchSecrets();
        create("a", "b", "c", "d", "e");

        // then
        await().untilAsserted(() -> assertThat(watched.names()).containsExactly("a", "b", "c", "d", "e"));
        assertThat(faults.injected()).containsExactly(Map.entry(FaultKind.WATCH_DELAYED, 1L));
    }

    @Test
    void letsEventsOvertakeEachOtherAndLosesNone() {
        // given
        faults.on(resource("secrets")).reorderEvents();
        String[] names = "abcdefghijklmnop".split("");

        // when
        Watched watched = watchSecrets();
        create(names);

        // then
        await().untilAsserted(() -> assertThat(watched.names()).containsExactlyInAnyOrder(names));
        assertThat(watched.names()).isNotEqualTo(List.of(names));
    }

    @Test
    void cutsAWatch() {
        // given
        faults.on(resource("secrets")).cutWatch(Duration.ofMillis(300));

        // when
        Watched watched = watchSecrets();

        // then
        await().until(() -> !watched.problem.isEmpty());
        assertThat(watched.problem.get(0)).containsIgnoringCase("reset");
    }

    @Test
    void keepsAWatchOpenAndSilent() {
        // given
        faults.on(resource("secrets")).times(1).silence(Duration.ofMillis(1));
        Watched silent = watchSecrets();
        await().untilAsserted(() -> assertThat(faults.injected()).containsEntry(FaultKind.WATCH_SILENT, 1L));
        Watched good = watchSecrets();

        // when
        create("a");

        // then
        await().untilAsserted(() -> assertThat(good.names()).containsExactly("a"));
        assertThat(silent.names()).isEmpty();
        assertThat(silent.open).containsExactly(true);
    }

    @Test
    void endsAWatchWithAnEventThatItsPlaceExpired() {
        // given
        faults.on(resource("secrets")).expireWatch(Duration.ofMillis(200));

        // when
        Watched watched = watchSecrets();

        // then
        await().until(() -> watched.open.size() == 2);
        ObjectNode last = watched.events.get(watched.events.size() - 1);
        assertThat(last.path("type").asText()).isEqualTo("ERROR");
        assertThat(last.path("object").path("code").asInt()).isEqualTo(410);
        assertThat(watched.problem).isEmpty();
    }

    @Test
    void rewritesEventsOfAWatch() {
        // given
        faults.on(verb("watch")).rewrite(event -> {
            event.withObject("/object/metadata/labels").put("forced", "yes");
            return event;
        });

        // when
        Watched watched = watchSecrets();
        create("a");

        // then
        await().until(() -> !watched.events.isEmpty());
        assertThat(watched.events.get(0).at("/object/metadata/labels/forced").asText())
                .isEqualTo("yes");
    }

    @Test
    void passesEverythingAgainOnceCleared() {
        // given
        faults.on(Calls.all()).serverError(500);
        failure(() -> client.get(SECRETS, namespace, "a"));

        // when
        faults.clear();

        // then
        assertThat(client.get(SECRETS, namespace, "a")).isEmpty();
    }

    private List<Boolean> draws(KubeClient through) {
        List<Boolean> drawn = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            drawn.add(fails(() -> direct(through, "b")));
        }
        return drawn;
    }

    private void direct(KubeClient through, String name) {
        through.get(SECRETS, namespace, name);
    }

    private static boolean fails(Runnable call) {
        try {
            call.run();
            return false;
        } catch (Failure e) {
            return true;
        }
    }

    private static Failure failure(Runnable call) {
        Failure failure = catchThrowableOfType(Failure.class, call::run);
        assertThat(failure).as("the call fails").isNotNull();
        return failure;
    }

    private void create(String... names) {
        for (String name : names) {
            direct.create(SECRETS, secret(name));
        }
    }

    private KubeObject secret(String name) {
        return KubeObject.named(SECRETS, namespace, name);
    }

    /** Opens a watch as it is on the wire, and waits until it is open. */
    private Watched watchSecrets() {
        OkHttpClient http = faults.apiClient()
                .getHttpClient()
                .newBuilder()
                .readTimeout(Duration.ZERO)
                .build();
        Watched watched = new Watched();
        String version = CONTROL_PLANE
                .json()
                .get("/api/v1/namespaces/" + namespace + "/secrets")
                .orElseThrow()
                .at("/metadata/resourceVersion")
                .asText();
        Request request = new Request.Builder()
                .url(faults.server() + "/api/v1/namespaces/" + namespace + "/secrets?watch=true&resourceVersion="
                        + version)
                .build();
        Thread reader = new Thread(() -> watched.read(http, request), "watched");
        reader.setDaemon(true);
        reader.start();
        await().until(() -> !watched.open.isEmpty());
        return watched;
    }

    /** What a watch brought; its second entry of "open" says that it ended. */
    private static final class Watched {

        private final List<ObjectNode> events = new CopyOnWriteArrayList<>();
        private final List<String> problem = new CopyOnWriteArrayList<>();
        private final List<Boolean> open = new CopyOnWriteArrayList<>();

        List<String> names() {
            return events.stream()
                    .map(event -> event.at("/object/metadata/name").asText())
                    .toList();
        }

        private void read(OkHttpClient http, Request request) {
            try (Response response = http.newCall(request).execute()) {
                open.add(true);
                BufferedSource lines = response.body().source();
                for (String line = lines.readUtf8Line(); line != null; line = lines.readUtf8Line()) {
                    events.add(JsonApi.parse(line));
                }
            } catch (IOException e) {
                problem.add(e.toString());
            }
            open.add(false);
        }
    }
}
