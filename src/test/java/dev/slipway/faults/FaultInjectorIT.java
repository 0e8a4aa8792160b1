package dev.slipway.faults;

import static dev.slipway.faults.Calls.name;
import static dev.slipway.faults.Calls.namespace;
import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static dev.slipway.faults.Calls.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Failure;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    void letsSomebodyElseActBetweenAReadAndAWrite() {
        // given
        direct.create(SECRETS, secret("a"));
        faults.on(verb("patch"), name("a")).times(1).overtakenBy(() -> {
            KubeObject theirs = secret("a");
            theirs.json().putObject("data").put("key", "dGhlaXJz");
            direct.apply(SECRETS, theirs);
        });

        // when
        KubeObject patched =
                client.addFinalizer(SECRETS, direct.get(SECRETS, namespace, "a").orElseThrow(), "slipway.dev/test");

        // then
        assertThat(patched.text("data", "key")).contains("dGhlaXJz");
        assertThat(patched.finalizers()).containsExactly("slipway.dev/test");
        assertThat(faults.injected()).containsExactly(Map.entry(FaultKind.OVERTAKEN, 1L));
    }

    @Test
    void refusesCredentials() {
        // given
        faults.on(verb("get")).times(1).unauthorized();

        // when
        Failure failure = failure(() -> client.get(SECRETS, namespace, "a"));

        // then
        assertThat(failure.code()).isEqualTo("Unauthorized");
    }

    @Test
    void writesCallsDownUntilCleared() {
        // given
        Recording recording = faults.record(namespace(namespace), resource("secrets"));
        faults.on(verb("create")).times(1).reset();

        // when
        failure(() -> client.create(SECRETS, secret("a")));
        client.get(SECRETS, namespace, "a");
        client.list(ResourceType.WORKLOAD_CLUSTERS, namespace, Map.of());
        faults.clear();
        client.get(SECRETS, namespace, "b");

        // then
        assertThat(recording.calls()).extracting(ApiCall::verb).containsExactly("create", "get");
        assertThat(recording.calls(writes())).hasSize(1);
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

    private KubeObject secret(String name) {
        return KubeObject.named(SECRETS, namespace, name);
    }
}
