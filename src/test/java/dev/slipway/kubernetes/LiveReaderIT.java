package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import io.kubernetes.client.openapi.ApiClient;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Live reads of a real API server. */
class LiveReaderIT {

    private final ApiClient api = ControlPlane.shared().apiClient();
    private final Wire wire = Wire.into(api);
    private final KubeClient client = KubeClient.of(api);

    @Test
    void getsAnObjectWithoutAResourceVersion() {
        // given
        String namespace = ControlPlane.shared().newNamespace("get");
        client.create(ResourceType.CONFIG_MAPS, configMap(namespace, "a"));

        // when
        Optional<KubeObject> found = client.get(ResourceType.CONFIG_MAPS, namespace, "a");

        // then
        assertThat(found).map(KubeObject::kind).contains("ConfigMap");
        assertThat(wire.requests()).last().isEqualTo("GET /api/v1/namespaces/" + namespace + "/configmaps/a");
    }

    @Test
    void saysEmptyForAnAbsentObjectAndForOneInAnAbsentNamespace() {
        // given
        String namespace = ControlPlane.shared().newNamespace("absent");

        // when
        Optional<KubeObject> object = client.get(ResourceType.SECRETS, namespace, "none");
        Optional<KubeObject> inAbsentNamespace = client.get(ResourceType.SECRETS, "no-such-namespace", "none");

        // then
        assertThat(object).isEmpty();
        assertThat(inAbsentNamespace).isEmpty();
    }

    @Test
    void saysKindAbsentForAKindThatIsNotServed() {
        // given
        ResourceType unknownGroup = TestCrds.type("absent.slipway.dev", "Ghost");
        ResourceType unknownKind = new ResourceType("", "v1", "ghosts", "Ghost", true);

        // then
        assertKindAbsent(() -> client.get(unknownGroup, "default", "a"));
        assertKindAbsent(() -> client.list(unknownGroup, "", Map.of()));
        assertKindAbsent(() -> client.get(unknownKind, "default", "a"));
        assertKindAbsent(() -> client.list(unknownKind, "default", Map.of()));
        assertKindAbsent(() -> client.create(unknownKind, KubeObject.named(unknownKind, "default", "a")));
        assertKindAbsent(() -> client.delete(unknownKind, "default", "a", "some-uid"));
    }

    @Test
    void knowsWhichSubresourcesAKindHas() {
        assertThat(client.hasSubresource(ResourceType.NAMESPACES, "finalize")).isTrue();
        assertThat(client.hasSubresource(ResourceType.NAMESPACES, "scale")).isFalse();
        assertThat(client.hasSubresource(ResourceType.CONFIG_MAPS, "status")).isFalse();
        assertThat(client.hasSubresource(TestCrds.type("absent.slipway.dev", "Ghost"), "status"))
                .isFalse();
    }

    @Test
    void listsThroughAllPagesAndNamesWhatItemsAre() {
        // given
        String namespace = ControlPlane.shared().newNamespace("pages");
        IntStream.range(0, 7).forEach(i -> client.create(ResourceType.CONFIG_MAPS, configMap(namespace, "page-" + i)));
        KubeClient paging = KubeClient.of(api, CallSettings.DEFAULTS.withPageSize(3));

        // when
        var objects = paging.list(ResourceType.CONFIG_MAPS, namespace, Map.of());

        // then
        assertThat(objects)
                .extracting(KubeObject::name)
                .containsExactly("page-0", "page-1", "page-2", "page-3", "page-4", "page-5", "page-6");
        assertThat(objects)
                .allMatch(o -> o.kind().equals("ConfigMap") && o.apiVersion().equals("v1"));
        assertThat(wire.requests())
                .filteredOn(r -> r.contains("limit=3"))
                .hasSize(3)
                .noneMatch(r -> r.contains("resourceVersion"));
    }

    @Test
    void listsAgainFromTheStartWhenThePlaceInTheListExpired() {
        // given
        String namespace = ControlPlane.shared().newNamespace("expired");
        IntStream.range(0, 4).forEach(i -> client.create(ResourceType.CONFIG_MAPS, configMap(namespace, "page-" + i)));
        KubeClient paging = KubeClient.of(api, CallSettings.DEFAULTS.withPageSize(2));
        AtomicBoolean expired = new AtomicBoolean();
        wire.interfere((request, chain) -> {
            boolean continues = request.url().queryParameter("continue") != null;
            return continues && expired.compareAndSet(false, true) ? gone(request) : chain.proceed(request);
        });

        // when
        var objects = paging.list(ResourceType.CONFIG_MAPS, namespace, Map.of());

        // then
        assertThat(objects).hasSize(4);
        assertThat(expired).isTrue();
    }

    @Test
    void listsByLabels() {
        // given
        String namespace = ControlPlane.shared().newNamespace("labels");
        KubeObject labelled = configMap(namespace, "mine");
        labelled.json()
                .withObject("metadata")
                .putObject("labels")
                .put("example.com/cluster", "a")
                .put("role", "x");
        client.create(ResourceType.CONFIG_MAPS, labelled);
        client.create(ResourceType.CONFIG_MAPS, configMap(namespace, "other"));

        // when
        var objects = client.list(ResourceType.CONFIG_MAPS, namespace, Map.of("example.com/cluster", "a", "role", "x"));

        // then
        assertThat(objects).extracting(KubeObject::name).containsExactly("mine");
    }

    @Test
    void aGroupThatIsGoneIsForgottenWithAllItsKinds() {
        // given
        String group = "gone.slipway.dev";
        TestCrds.install(client, group, "Widget");
        TestCrds.install(client, group, "Gadget");
        client.find(group, "Widget");
        client.find(group, "Gadget");
        KubeClient another = KubeClient.of(ControlPlane.shared().apiClient());
        TestCrds.remove(another, group, "Widget");
        TestCrds.remove(another, group, "Gadget");
        Awaitility.await().until(() -> another.find(group, "Gadget").isEmpty());

        // when
        assertThat(client.hasSubresource(TestCrds.type(group, "Widget"), "status"))
                .isFalse();

        // then
        assertThat(client.find(group, "Widget")).isEmpty();
        assertThat(client.find(group, "Gadget")).isEmpty();
    }

    @Test
    void findsKindsInTheirPreferredVersionAndRemembersOnlyWhatIsThere() {
        // given
        String group = "find.slipway.dev";
        assertThat(client.find(group, "Widget")).isEmpty();

        // when
        TestCrds.install(client, group, "Widget");

        // then
        assertThat(client.find(group, "Widget")).contains(TestCrds.type(group, "Widget"));
        assertThat(client.find("", "Secret")).contains(ResourceType.SECRETS);
        assertThat(client.find("", "Ghost")).isEmpty();
        int asked = wire.requests().size();
        assertThat(client.find(group, "Widget")).isPresent();
        assertThat(wire.requests()).hasSize(asked);

        // when
        TestCrds.remove(client, group, "Widget");

        // then
        assertThat(client.find(group, "Widget")).isEmpty();
    }

    @Test
    void refusesNamesThatWouldLeadToAnotherPath() {
        assertThatThrownBy(() -> client.get(ResourceType.SECRETS, "default", "../configmaps/a"))
                .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.code()).isEqualTo("NameInvalid"));
        assertThatThrownBy(() -> client.get(ResourceType.SECRETS, "..", "a"))
                .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.code()).isEqualTo("NameInvalid"));
        assertThatThrownBy(() -> client.get(ResourceType.SECRETS, "default", ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.get(ResourceType.SECRETS, "", "a"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertKindAbsent(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Failure.class, f -> {
            assertThat(f.code()).isEqualTo("KindAbsent");
            assertThat(f.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(f.message()).contains("does not serve ghosts");
        });
    }

    private static Response gone(Request request) {
        String status =
                """
                {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Expired", "code": 410,
                 "message": "The provided continue parameter is too old"}
                """;
        return new Response.Builder()
                .request(request)
                .protocol(Protocol.HTTP_1_1)
                .code(410)
                .message("Gone")
                .body(ResponseBody.create(status, MediaType.get("application/json")))
                .build();
    }

    private static KubeObject configMap(String namespace, String name) {
        return KubeObject.named(ResourceType.CONFIG_MAPS, namespace, name);
    }
}
