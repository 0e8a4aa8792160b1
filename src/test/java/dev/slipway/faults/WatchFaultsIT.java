package dev.slipway.faults;

import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.BufferedSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each fault of a watch arrives on the wire as what it is said to be. */
class WatchFaultsIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();

    private final String namespace = CONTROL_PLANE.newNamespace("watch-faults");
    private final FaultInjector faults = FaultInjector.before(CONTROL_PLANE);
    private final KubeClient direct = KubeClient.of(CONTROL_PLANE.apiClient());

    @AfterEach
    void close() {
        faults.close();
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

    private void create(String... names) {
        for (String name : names) {
            direct.create(ResourceType.SECRETS, KubeObject.named(ResourceType.SECRETS, namespace, name));
        }
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
