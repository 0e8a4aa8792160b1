package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import io.kubernetes.client.openapi.ApiClient;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writes to a real API server that lose nothing that others wrote. */
class KubeWriterIT {

    private static final ResourceType CONFIG_MAPS = ResourceType.CONFIG_MAPS;

    private final ApiClient api = ControlPlane.shared().apiClient();
    private final Wire wire = Wire.into(api);
    private final KubeClient client = KubeClient.of(api);
    private final KubeClient other = KubeClient.of(ControlPlane.shared().apiClient());
    private final String namespace = ControlPlane.shared().newNamespace("writer");

    @Test
    void createsOnceAndSaysEmptyTheSecondTime() {
        // when
        Optional<KubeObject> first = client.create(CONFIG_MAPS, configMap("a", "1"));
        Optional<KubeObject> second = client.create(CONFIG_MAPS, configMap("a", "2"));

        // then
        assertThat(first).map(KubeObject::uid).hasValueSatisfying(uid -> assertThat(uid)
                .isNotEmpty());
        assertThat(second).isEmpty();
        assertThat(value("a")).isEqualTo("1");
    }

    @Test
    @Tag("T47")
    void aCreateWhoseAnswerWasLostIsHarmlessToRepeat() {
        // given
        wire.loseNextAnswerOf("POST");

        // when
        assertThatThrownBy(() -> client.create(CONFIG_MAPS, configMap("lost", "1")))
                .isInstanceOfSatisfying(Failure.class, f -> {
                    assertThat(f.code()).isEqualTo("ApiUnreachable");
                    assertThat(f.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
                });
        Optional<KubeObject> again = client.create(CONFIG_MAPS, configMap("lost", "1"));

        // then
        assertThat(again).isEmpty();
        assertThat(value("lost")).isEqualTo("1");
    }

    @Test
    void saysNamespaceAbsentWhenCreatingOrApplyingInAnAbsentNamespace() {
        // given
        KubeObject homeless = KubeObject.named(CONFIG_MAPS, "no-such-namespace", "a");

        // then
        assertNamespaceAbsent(() -> client.create(CONFIG_MAPS, homeless));
        assertNamespaceAbsent(() -> client.apply(CONFIG_MAPS, homeless));
    }

    @Test
    void applyingTwiceLeavesTheResourceVersionUnchanged() {
        // when
        KubeObject first = client.apply(CONFIG_MAPS, configMap("a", "1"));
        KubeObject second = client.apply(CONFIG_MAPS, configMap("a", "1"));

        // then
        assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
    }

    @Test
    void applyTakesItsFieldsAndLeavesThoseOfOthers() {
        // given
        KubeObject theirs = configMap("a", "theirs");
        theirs.json().withObject("data").put("other", "kept");
        other.create(CONFIG_MAPS, theirs);

        // when
        KubeObject applied = client.apply(CONFIG_MAPS, configMap("a", "ours"));

        // then
        assertThat(applied.text("data", "key")).contains("ours");
        assertThat(applied.text("data", "other")).contains("kept");
        assertThat(applied.at("metadata", "managedFields"))
                .anyMatch(m -> m.path("manager").asText().equals("slipway")
                        && m.path("operation").asText().equals("Apply"));
    }

    @Test
    void appliesAnObjectThatWasReadBefore() {
        // given
        client.apply(CONFIG_MAPS, configMap("a", "1"));
        KubeObject read = client.get(CONFIG_MAPS, namespace, "a").orElseThrow();
        other.mergePatch(CONFIG_MAPS, namespace, "a", object("{\"data\": {\"other\": \"x\"}}"));

        // when
        KubeObject applied = client.apply(CONFIG_MAPS, read);

        // then
        assertThat(applied.text("data", "other")).contains("x");
    }

    @Test
    void applyOfAnObjectWhoseUidChangedIsAnIdentityFailure() {
        // given
        KubeObject old = client.create(CONFIG_MAPS, configMap("a", "1")).orElseThrow();
        client.delete(CONFIG_MAPS, namespace, "a", old.uid());
        client.create(CONFIG_MAPS, configMap("a", "2"));

        // then
        assertThatThrownBy(() -> client.apply(CONFIG_MAPS, old)).isInstanceOfSatisfying(Failure.class, f -> {
            assertThat(f.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(f.code()).isEqualTo("UidChanged");
        });
    }

    @Test
    void appliesOnlyTheStatusThroughTheSubresource() {
        // given
        TestCrds.install(client, "status.slipway.dev", "Gadget");
        ResourceType gadgets = TestCrds.type("status.slipway.dev", "Gadget");
        KubeObject gadget = KubeObject.named(gadgets, namespace, "g");
        gadget.json().putObject("spec").put("size", 1);
        KubeObject created = client.create(gadgets, gadget).orElseThrow();
        created.json().withObject("spec").put("size", 99);
        created.json().putObject("status").put("phase", "Ready");

        // when
        KubeObject first = client.applyStatus(gadgets, created);
        KubeObject second = client.applyStatus(gadgets, created);

        // then
        assertThat(first.text("status", "phase")).contains("Ready");
        assertThat(first.at("spec", "size").asInt()).isEqualTo(1);
        assertThat(first.generation()).isEqualTo(1);
        assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
    }

    @Test
    void patchesOnlyTheStatusThroughTheSubresource() {
        // given
        TestCrds.install(client, "patched.slipway.dev", "Widget");
        ResourceType widgets = TestCrds.type("patched.slipway.dev", "Widget");
        KubeObject widget = KubeObject.named(widgets, namespace, "w");
        widget.json().putObject("spec").put("size", 1);
        client.create(widgets, widget);

        // when
        KubeObject patched = client.mergePatchStatus(
                widgets, namespace, "w", object("{\"spec\": {\"size\": 2}, \"status\": {\"phase\": \"Ready\"}}"));

        // then
        assertThat(patched.text("status", "phase")).contains("Ready");
        assertThat(patched.at("spec", "size").asInt()).isEqualTo(1);
    }

    @Test
    void dryRunStoresNothingAndNamesUnknownAndWrongFields() {
        // given
        TestCrds.install(client, "dryrun.slipway.dev", "Gizmo");
        ResourceType gizmos = TestCrds.type("dryrun.slipway.dev", "Gizmo");
        KubeObject good = KubeObject.named(gizmos, namespace, "good");
        good.json().putObject("spec").put("size", 1);
        KubeObject wrong = KubeObject.named(gizmos, namespace, "wrong");
        wrong.json().putObject("spec").put("size", -1);
        KubeObject misspelt = KubeObject.named(gizmos, namespace, "misspelt");
        misspelt.json().putObject("spec").put("sice", 1);

        // when
        KubeObject validated = client.dryRunApply(gizmos, good);

        // then
        assertThat(validated.at("spec", "size").asInt()).isEqualTo(1);
        assertThat(client.get(gizmos, namespace, "good")).isEmpty();
        assertThatThrownBy(() -> client.dryRunApply(gizmos, wrong))
                .isInstanceOfSatisfying(
                        Failure.class, f -> assertThat(f.message()).contains("fields spec.size"));
        assertThatThrownBy(() -> client.dryRunApply(gizmos, misspelt))
                .isInstanceOfSatisfying(
                        Failure.class, f -> assertThat(f.message()).contains("sice"));
    }

    @Test
    void mergePatchesTheGivenFieldsOnly() {
        // given
        client.create(CONFIG_MAPS, configMap("a", "1"));

        // when
        KubeObject patched = client.mergePatch(
                CONFIG_MAPS, namespace, "a", object("{\"metadata\": {\"annotations\": {\"x\": \"y\"}}}"));

        // then
        assertThat(patched.annotations()).containsEntry("x", "y");
        assertThat(patched.text("data", "key")).contains("1");
    }

    @Test
    void patchingAnAbsentObjectSaysSo() {
        assertThatThrownBy(() -> client.mergePatch(CONFIG_MAPS, namespace, "none", object("{\"data\": {}}")))
                .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.code()).isEqualTo("ObjectAbsent"));
    }

    @Test
    @Tag("T09")
    void addsAFinalizerBesideThoseThatOthersAddAtTheSameTime() {
        // given
        client.create(CONFIG_MAPS, configMap("a", "1"));
        AtomicInteger interruptions = new AtomicInteger();
        wire.before("PATCH", () -> {
            // Another controller wins the race twice: once on the empty list, once on a filled one.
            int n = interruptions.incrementAndGet();
            if (n <= 2) {
                other.addFinalizer(CONFIG_MAPS, stored(), "example.com/other-" + n);
            }
        });

        // when
        KubeObject patched = client.addFinalizer(CONFIG_MAPS, stored(), "slipway.dev/test");

        // then
        assertThat(patched.finalizers())
                .containsExactly("example.com/other-1", "example.com/other-2", "slipway.dev/test");
        assertThat(interruptions).hasValue(3);
    }

    @Test
    void anObjectThatTookTheNameMeanwhileGetsNoFinalizer() {
        // given
        KubeObject read = client.create(CONFIG_MAPS, configMap("a", "1")).orElseThrow();
        AtomicInteger patches = new AtomicInteger();
        wire.before("PATCH", () -> {
            if (patches.incrementAndGet() == 1) {
                other.delete(CONFIG_MAPS, namespace, "a", read.uid());
                other.create(CONFIG_MAPS, configMap("a", "2"));
            }
        });

        // then
        assertThatThrownBy(() -> client.addFinalizer(CONFIG_MAPS, read, "slipway.dev/test"))
                .isInstanceOfSatisfying(Failure.class, f -> {
                    assertThat(f.code()).isEqualTo("UidChanged");
                    assertThat(f.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                });
        assertThat(stored().finalizers()).isEmpty();
    }

    @Test
    void addingAFinalizerThatIsThereWritesNothing() {
        // given
        client.create(CONFIG_MAPS, configMap("a", "1"));
        KubeObject first = client.addFinalizer(CONFIG_MAPS, stored(), "slipway.dev/test");

        // when
        KubeObject second = client.addFinalizer(CONFIG_MAPS, stored(), "slipway.dev/test");

        // then
        assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
        assertThat(wire.requests()).filteredOn(r -> r.startsWith("PATCH")).hasSize(1);
    }

    @Test
    @Tag("T12")
    void removesItsFinalizerAndLeavesThoseOfOthersInPlace() {
        // given
        client.create(CONFIG_MAPS, configMap("a", "1"));
        client.addFinalizer(CONFIG_MAPS, stored(), "example.com/first");
        client.addFinalizer(CONFIG_MAPS, stored(), "slipway.dev/test");
        client.addFinalizer(CONFIG_MAPS, stored(), "example.com/last");
        AtomicInteger patches = new AtomicInteger();
        wire.before("PATCH", () -> {
            if (patches.incrementAndGet() == 1) {
                // Now ours stands at another place than it was read.
                other.removeFinalizer(CONFIG_MAPS, namespace, "a", "example.com/first");
            }
        });

        // when
        client.removeFinalizer(CONFIG_MAPS, namespace, "a", "slipway.dev/test");
        client.removeFinalizer(CONFIG_MAPS, namespace, "a", "slipway.dev/test");

        // then
        assertThat(client.get(CONFIG_MAPS, namespace, "a").orElseThrow().finalizers())
                .containsExactly("example.com/last");
        assertThat(patches).hasValue(2);
    }

    @Test
    @Tag("T60")
    void removingAFinalizerFromAnAbsentObjectIsFine() {
        client.removeFinalizer(CONFIG_MAPS, namespace, "none", "slipway.dev/test");

        assertThat(wire.requests()).noneMatch(r -> r.startsWith("PATCH"));
    }

    @Test
    void removesTheLastFinalizerOfADeletedObject() {
        // given
        KubeObject created = client.create(CONFIG_MAPS, configMap("a", "1")).orElseThrow();
        client.addFinalizer(CONFIG_MAPS, stored(), "slipway.dev/test");
        client.delete(CONFIG_MAPS, namespace, "a", created.uid());
        assertThat(client.get(CONFIG_MAPS, namespace, "a").orElseThrow().deleting())
                .isTrue();

        // when
        client.removeFinalizer(CONFIG_MAPS, namespace, "a", "slipway.dev/test");

        // then
        assertThat(client.get(CONFIG_MAPS, namespace, "a")).isEmpty();
    }

    @Test
    @Tag("T09")
    void givesUpAfterFiveConflictsWithAFailureThatPasses() {
        // given
        client.create(CONFIG_MAPS, configMap("a", "1"));
        AtomicInteger n = new AtomicInteger();
        wire.before(
                "PATCH", () -> other.addFinalizer(CONFIG_MAPS, stored(), "example.com/other-" + n.incrementAndGet()));

        // then
        assertThatThrownBy(() -> client.addFinalizer(CONFIG_MAPS, stored(), "slipway.dev/test"))
                .isInstanceOfSatisfying(Failure.class, f -> {
                    assertThat(f.code()).isEqualTo("Conflict");
                    assertThat(f.errorClass()).isEqualTo(ErrorClass.CONTENTION);
                });
        assertThat(n).hasValue(5);
    }

    @Test
    @Tag("T04")
    void deletesOnlyTheObjectOfThatUid() {
        // given
        KubeObject first = client.create(CONFIG_MAPS, configMap("a", "1")).orElseThrow();
        client.delete(CONFIG_MAPS, namespace, "a", first.uid());
        KubeObject second = client.create(CONFIG_MAPS, configMap("a", "2")).orElseThrow();

        // when
        client.delete(CONFIG_MAPS, namespace, "a", first.uid());

        // then
        assertThat(client.get(CONFIG_MAPS, namespace, "a")).map(KubeObject::uid).contains(second.uid());
    }

    @Test
    @Tag("T60")
    void deletingWhatIsAbsentOrAlreadyGoingIsFine() {
        // given
        KubeObject created = client.create(CONFIG_MAPS, configMap("a", "1")).orElseThrow();
        client.addFinalizer(CONFIG_MAPS, stored(), "slipway.dev/test");

        // when
        client.delete(CONFIG_MAPS, namespace, "none", "no-such-uid");
        client.delete(CONFIG_MAPS, namespace, "a", created.uid());
        client.delete(CONFIG_MAPS, namespace, "a", created.uid());

        // then
        assertThat(client.get(CONFIG_MAPS, namespace, "a").orElseThrow().deleting())
                .isTrue();
        assertThatThrownBy(() -> client.delete(CONFIG_MAPS, namespace, "a", ""))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDeleteWhoseAnswerWasLostIsHarmlessToRepeat() {
        // given
        KubeObject created = client.create(CONFIG_MAPS, configMap("a", "1")).orElseThrow();
        wire.loseNextAnswerOf("DELETE");
        assertThatThrownBy(() -> client.delete(CONFIG_MAPS, namespace, "a", created.uid()))
                .isInstanceOf(Failure.class);

        // when
        client.delete(CONFIG_MAPS, namespace, "a", created.uid());

        // then
        assertThat(client.get(CONFIG_MAPS, namespace, "a")).isEmpty();
    }

    private String value(String name) {
        return client.get(CONFIG_MAPS, namespace, name)
                .orElseThrow()
                .text("data", "key")
                .orElse("");
    }

    private KubeObject configMap(String name, String value) {
        KubeObject object = KubeObject.named(CONFIG_MAPS, namespace, name);
        object.json().putObject("data").put("key", value);
        return object;
    }

    private static ObjectNode object(String json) {
        return TestCrds.object(json).json();
    }

    private KubeObject stored() {
        return other.get(CONFIG_MAPS, namespace, "a").orElseThrow();
    }

    private static void assertNamespaceAbsent(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Failure.class, f -> {
            assertThat(f.code()).isEqualTo("NamespaceAbsent");
            assertThat(f.message()).contains("no-such-namespace");
        });
    }
}
