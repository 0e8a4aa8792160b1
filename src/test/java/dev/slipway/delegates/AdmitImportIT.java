package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.imports.ImportFacts;
import dev.slipway.imports.ImportedCluster;
import dev.slipway.imports.NameClaims;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformLab;
import dev.slipway.platform.PlatformSettings;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an import does with a Cluster, decided without a write. */
class AdmitImportIT {

    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final String THIRD_PARTY = "{controlPlaneEndpoint: {host: 10.1.2.3, port: 6443}}";

    private ImportedCluster cluster;

    @AfterEach
    void nothingWasWritten() {
        assertThat(cluster.writes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {ImportedCluster.BUILT, THIRD_PARTY, "{topology: {classRef: {name: x}, version: v1.36.3}}"})
    void aClusterThatIsBuiltOrThatOthersBuiltIsImported(String spec) {
        // given
        cluster = ImportedCluster.create(name(), spec);

        // then
        assertThat(run()).isEqualTo(mode("import", cluster.display() + " can be imported"));
    }

    @ParameterizedTest
    @CsvSource({"controlPlaneRef, infrastructureRef", "infrastructureRef, controlPlaneRef"})
    void oneReferenceAloneIsRefused(String there, String missing) {
        // given
        cluster = ImportedCluster.create(
                name(), "{" + there + ": {apiGroup: controlplane.cluster.x-k8s.io, kind: Any, name: c}}");

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(blocked.code()).isEqualTo("OriginUndecidable");
            assertThat(blocked.message()).contains("has spec." + there + " but no spec." + missing);
        });
    }

    @Test
    void aClusterThatStaysOutIsNot() {
        // given
        cluster = ImportedCluster.create(name(), ImportedCluster.BUILT)
                .patch("metadata: {annotations: {slipway.dev/import: 'false'}}");

        // then
        assertThat(modeOf(run())).isEqualTo("off");
    }

    @Test
    void aWorkloadClusterThatStaysOutIsNot() {
        // given
        String uid = declare("annotations: {slipway.dev/import: 'false'}");

        // then
        assertThat(cluster.ref().uid()).isEqualTo(uid);
        assertThat(modeOf(run())).isEqualTo("off");
    }

    @Test
    void aWorkloadClusterThatIsBeingDeletedIsNotThoughItsClusterStillLives() {
        // given
        declare("finalizers: [test.slipway.dev/hold]");
        String path = "/apis/slipway.dev/v1alpha1/namespaces/" + cluster.ref().namespace() + "/workloadclusters/"
                + cluster.ref().name();
        assertThat(modeOf(run())).isEqualTo("import");

        // when
        PlatformLab.plane().json().delete(path);

        // then
        assertThat(modeOf(run())).isEqualTo("off");
        PlatformLab.plane().json().merge(path, "{\"metadata\": {\"finalizers\": null}}");
    }

    /** A Cluster that was built for a WorkloadCluster with that metadata, and the UID of that. */
    private String declare(String metadata) {
        String name = name();
        cluster = ImportedCluster.create(name, ImportedCluster.BUILT);
        var declared = cluster.apply("apiVersion: slipway.dev/v1alpha1\nkind: WorkloadCluster\nmetadata: {name: " + name
                        + ", " + metadata + "}\nspec: {version: v1.36.3, topology: {class: none}}\n")
                .get(0);
        String uid = declared.at("/metadata/uid").asText();
        cluster.patch("metadata: {ownerReferences: [{apiVersion: slipway.dev/v1alpha1, kind: WorkloadCluster, name: "
                + name + ", uid: " + uid + "}]}");
        cluster.readRef();
        return uid;
    }

    @Test
    void aClusterThatIsBeingDeletedIsNot() {
        // given
        cluster = ImportedCluster.create(name(), ImportedCluster.BUILT)
                .patch("metadata: {finalizers: [test.slipway.dev/hold]}");
        cluster.delete();

        // then
        assertThat(modeOf(run())).isEqualTo("off");
        cluster.patch("metadata: {finalizers: []}");
    }

    @Test
    void withoutAPlatformThereIsNothingToDoUnlessItIsRequired() {
        // given
        cluster = ImportedCluster.create(name(), ImportedCluster.BUILT);
        KubeClient bare = KubeClient.of(ControlPlane.shared().apiClient());

        // then
        assertThat(modeOf(run(new PlatformApi(bare, bare, new PlatformSettings(PlatformSettings.Api.AUTO)))))
                .isEqualTo("off");
        assertThat(modeOf(run(cluster.platforms(PlatformSettings.Api.OFF)))).isEqualTo("off");
        Failure failure = catchThrowableOfType(
                Failure.class,
                () -> run(new PlatformApi(bare, bare, new PlatformSettings(PlatformSettings.Api.REQUIRED))));
        assertThat(failure.code()).isEqualTo("PlatformAbsent");
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
    }

    @ParameterizedTest
    @Tag("T70")
    @ValueSource(ints = {61, 63})
    void aNameThatIsTooLongIsRefusedWithTheLimit(int length) {
        // given
        cluster = ImportedCluster.create("a".repeat(length), ImportedCluster.BUILT);

        // when
        Failure failure = catchThrowableOfType(Failure.class, this::run);

        // then
        assertThat(failure.code()).isEqualTo("NameInvalid");
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
        assertThat(failure.message()).contains("the limit is 60").contains("cc-<name>");
    }

    @Test
    @Tag("T71")
    void aNameWithADotIsRefused() {
        // given
        cluster = ImportedCluster.create("a.b", ImportedCluster.BUILT);

        // then
        assertThat(catchThrowableOfType(Failure.class, this::run).message()).contains("'a.b' is not an RFC 1123 label");
    }

    @ParameterizedTest
    @Tag("T75")
    @ValueSource(
            strings = {
                "metadata: {labels: {capi.cpaas.io/imported: ''}}",
                "metadata: {finalizers: [capi.cpaas.io/imported]}"
            })
    void anImportedClusterOfTheNameInAnotherNamespaceKeepsIt(String mark) {
        // given
        String name = name();
        cluster = ImportedCluster.create(name, ImportedCluster.BUILT);
        ImportedCluster first = ImportedCluster.create(name, THIRD_PARTY).patch(mark);

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(blocked.code()).isEqualTo("NameTaken");
            assertThat(blocked.message()).contains("'" + name + "' is " + first.namespace() + "/" + name);
        });
        assertThat(modeOf(phase(first).run(first.context()))).isEqualTo("import");
        first.patch("metadata: {finalizers: []}");
    }

    @Test
    @Tag("T75")
    void theClusterThatThePlatformRecordsKeepsItsName() {
        // given
        String name = name();
        ImportedCluster first = ImportedCluster.create(name, ImportedCluster.BUILT);
        cluster = ImportedCluster.create(name, ImportedCluster.BUILT)
                .patch("metadata: {labels: {capi.cpaas.io/imported: ''}}");
        first.apply("apiVersion: platform.tkestack.io/v1\nkind: Cluster\nmetadata: {name: " + name
                + ", annotations: {slipway.dev/flow: '" + first.ref().businessKey() + "'}}\nspec: {type: Imported}\n");

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.message())
                .contains(first.namespace() + "/" + name));
    }

    @Test
    @Tag("T75")
    void ofTwoNewClustersOfOneNameJustOneIsImported() {
        // given
        String name = name();
        cluster = ImportedCluster.create(name, ImportedCluster.BUILT);
        ImportedCluster other = ImportedCluster.create(name, ImportedCluster.BUILT);

        // then
        boolean mine = run() instanceof Outcome.Done;
        boolean theirs = phase(other).run(other.context()) instanceof Outcome.Done;
        assertThat(mine).isNotEqualTo(theirs);

        // when
        (mine ? cluster : other).patch("metadata: {annotations: {slipway.dev/import: 'false'}}");

        // then
        ImportedCluster free = mine ? other : cluster;
        assertThat(modeOf(phase(free).run(free.context()))).isEqualTo("import");
    }

    @Test
    void aResetIsDoneOncePerDecision() {
        // given
        cluster = ImportedCluster.create(name(), ImportedCluster.BUILT).decide(Directive.RESET_IMPORT, "d1");

        // then
        assertThat(modeOf(run())).isEqualTo("reset");
        cluster.fact(ImportFacts.RESET_DONE, "d1");
        assertThat(modeOf(run())).isEqualTo("import");
        cluster.decide(Directive.RESET_IMPORT, "d2");
        assertThat(modeOf(run())).isEqualTo("reset");
    }

    private Outcome run() {
        return run(cluster.platforms(PlatformSettings.Api.REQUIRED));
    }

    private Outcome run(PlatformApi platforms) {
        return new AdmitImport(cluster.client(), cluster.targets(), platforms, new NameClaims(cluster.client()))
                .run(cluster.context());
    }

    private static AdmitImport phase(ImportedCluster cluster) {
        return new AdmitImport(
                cluster.client(),
                cluster.targets(),
                cluster.platforms(PlatformSettings.Api.REQUIRED),
                new NameClaims(cluster.client()));
    }

    private static Outcome mode(String mode, String message) {
        return Outcome.done(message).with("importMode", mode);
    }

    private static String modeOf(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done) outcome).facts().getOrDefault("importMode", "");
    }

    private static String name() {
        return "admit-" + COUNTER.incrementAndGet();
    }
}
