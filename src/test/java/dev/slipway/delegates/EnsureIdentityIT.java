package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.imports.IdentityRecords;
import dev.slipway.imports.ImportedCluster;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformLab;
import dev.slipway.platform.PlatformSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which cluster answers under a name: a real workload cluster, and what is recorded of it beside a platform. */
class EnsureIdentityIT {

    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final String ANNOTATION = "slipway.dev/cluster-id";
    private static final String RECORDS = "/apis/platform.tkestack.io/v1/clusters/";
    private static final String MARKS = "/api/v1/namespaces/kube-system/configmaps";

    private final ControlPlane workload = ControlPlane.shared();
    private final JsonApi json = PlatformLab.plane().json();
    private final String name = "identity-" + COUNTER.incrementAndGet();
    private final String id = workload.json()
            .get("/api/v1/namespaces/kube-system")
            .orElseThrow()
            .at("/metadata/uid")
            .asText();
    private final ImportedCluster cluster =
            ImportedCluster.create(name, ImportedCluster.BUILT).kubeconfig(workload.adminKubeconfig());
    private final List<String> made = new ArrayList<>();

    @AfterEach
    void removeRecordsAndMark() {
        made.forEach(record -> json.delete(RECORDS + record));
        cluster.patch("metadata: {finalizers: [], labels: null}");
        if (workload.json().get(MARKS + "/tke").isPresent()) {
            workload.json().delete(MARKS + "/tke");
        }
    }

    @Test
    void aFirstImportRecordsTheIdentityOnTheCluster() {
        assertThat(run()).isEqualTo(is(id));
        assertThat(recorded()).isEqualTo(id);
        assertThat(cluster.writes()).hasSize(1);
    }

    @Test
    @Tag("T38")
    void anIdentityThatAnotherNameHasIsRefusedNamingIt() {
        // given
        record("the-first", id);

        // then
        Failure failure = fails("IdentityTaken");
        assertThat(failure.message()).contains(id).contains("as 'the-first'");
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    @Tag("T38")
    void aClusterWhoseImportHasBegunHoldsItsIdentityBeforeThePlatformKnowsIt() {
        // given
        ImportedCluster first = ImportedCluster.create(name + "-first", ImportedCluster.BUILT)
                .patch("metadata: {finalizers: [capi.cpaas.io/imported], annotations: {" + ANNOTATION + ": '" + id
                        + "'}}");

        // then
        assertThat(fails("IdentityTaken").message()).contains("as '" + name + "-first'");
        first.patch("metadata: {finalizers: []}");
    }

    @Test
    @Tag("T39")
    void aNameWithAnotherIdentityIsRefusedAndItsRecordStays() {
        // given
        record(name, "another-cluster");
        String before = version();

        // then
        assertThat(fails("IdentityChanged").message())
                .contains("another-cluster")
                .contains(id);
        assertThat(version()).isEqualTo(before);
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    @Tag("T39")
    void theIdentityOnTheClusterCountsWhereThePlatformHasNoRecord() {
        // given
        cluster.patch("metadata: {annotations: {" + ANNOTATION + ": another-cluster}}");

        // then
        assertThat(fails("IdentityChanged").message()).contains("another-cluster");
    }

    @Test
    @Tag("T40")
    void aRepeatedImportWritesNothing() {
        // given
        record(name, id);
        cluster.patch("metadata: {annotations: {" + ANNOTATION + ": '" + id + "'}}");
        mark();
        String before = version();

        // then
        assertThat(run()).isEqualTo(is(id));
        assertThat(run()).isEqualTo(is(id));
        assertThat(cluster.writes()).isEmpty();
        assertThat(version()).isEqualTo(before);
        assertThat(workload.json().get(MARKS + "/tke")).as("its own mark").isPresent();
    }

    @Test
    @Tag("T41")
    void anIdentityIsReplacedOnlyByTheOneThatAnOperatorNamed() {
        // given
        record(name, "before-it-was-rebuilt");
        cluster.patch("metadata: {annotations: {" + ANNOTATION + ": before-it-was-rebuilt}}");

        // when
        cluster.decide(Directive.REPLACE_IDENTITY, "a-third-one");

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(blocked.code()).isEqualTo("IdentityChanged");
            assertThat(blocked.message()).contains("a-third-one").contains(id);
        });
        assertThat(cluster.writes()).isEmpty();

        // when
        cluster.decide(Directive.REPLACE_IDENTITY, id);

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("in place of before-it-was-rebuilt"));
        assertThat(recorded()).isEqualTo(id);
        var record = json.get(RECORDS + name).orElseThrow();
        assertThat(record.path("metadata").path("annotations").path(ANNOTATION).asText())
                .isEqualTo(id);
        assertThat(record.at("/metadata/annotations/kept").asText()).isEqualTo("yes");
        assertThat(record.at("/spec/displayName").asText()).isEqualTo("kept");
        int written = cluster.writes().size();
        assertThat(run()).isEqualTo(is(id));
        assertThat(cluster.writes()).hasSize(written);
    }

    @Test
    @Tag("T41")
    void anIdentityThatIsTakenReplacesNone() {
        // given
        record(name, "before-it-was-rebuilt");
        record("the-first", id);
        cluster.decide(Directive.REPLACE_IDENTITY, id);

        // then
        fails("IdentityTaken");
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    @Tag("T43")
    void aMarkOfARegistrationThatNobodyKnowsIsRemovedOnlyByDecision() {
        // given
        mark();

        // then
        assertThat(run()).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> {
            assertThat(blocked.errorClass()).isEqualTo(ErrorClass.IDENTITY);
            assertThat(blocked.code()).isEqualTo("AlreadyMarked");
            assertThat(blocked.message()).contains("ConfigMap kube-system/tke, made 20");
            assertThat(blocked.actions()).anyMatch(action -> action.contains("TAKE_OVER_MARK"));
        });
        assertThat(cluster.writes()).isEmpty();
        assertThat(workload.json().get(MARKS + "/tke")).isPresent();

        // when
        cluster.decide(Directive.TAKE_OVER_MARK, "");

        // then
        assertThat(run()).isEqualTo(is(id));
        assertThat(workload.json().get(MARKS + "/tke")).isEmpty();
    }

    @Test
    @Tag("T43")
    void theMarkOfAnotherRegistrationIsNotTakenOver() {
        // given
        mark();
        record("the-first", id);
        cluster.decide(Directive.TAKE_OVER_MARK, "");

        // then
        fails("IdentityTaken");
        assertThat(workload.json().get(MARKS + "/tke")).isPresent();
    }

    @Test
    void aRecordThatSomebodyElseMadeUnderTheNameIsLeftAsItIs() {
        // given
        record(name, "");
        mark();
        String before = version();

        // then
        assertThat(run()).isEqualTo(is(id));
        assertThat(version()).isEqualTo(before);
        assertThat(recorded()).isEqualTo(id);
    }

    private Outcome run() {
        return new EnsureIdentity(
                        cluster.targets(),
                        cluster.access(),
                        cluster.platforms(PlatformSettings.Api.REQUIRED),
                        new IdentityRecords(cluster.client(), cluster.marks()))
                .run(cluster.context());
    }

    private Failure fails(String code) {
        Failure failure = catchThrowableOfType(Failure.class, this::run);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
        return failure;
    }

    private Outcome is(String identity) {
        return Outcome.done(cluster.display() + " is the cluster " + identity).with("clusterIdentity", identity);
    }

    private void record(String record, String identity) {
        made.add(record);
        cluster.apply("apiVersion: platform.tkestack.io/v1\nkind: Cluster\nmetadata: {name: " + record
                + ", annotations: {kept: 'yes', " + ANNOTATION + ": '" + identity
                + "'}}\nspec: {type: Imported, displayName: kept}\n");
    }

    private void mark() {
        workload.json().create(MARKS, JsonApi.parse("{\"metadata\":{\"name\":\"tke\"}}"));
    }

    private String version() {
        return json.get(RECORDS + name)
                .orElseThrow()
                .at("/metadata/resourceVersion")
                .asText();
    }

    private String recorded() {
        return cluster.object().annotations().getOrDefault(ANNOTATION, "");
    }
}
