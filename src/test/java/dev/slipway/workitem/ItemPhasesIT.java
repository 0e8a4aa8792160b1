package dev.slipway.workitem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpsServer;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.helm.ChartRepository;
import dev.slipway.kubernetes.TestTls;
import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.receipt.Entry;
import dev.slipway.receipt.Fate;
import dev.slipway.workitem.ItemProgress.Progress;
import dev.slipway.workitem.ItemProgress.Stage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What each phase of a work item refuses, waits for, and leaves alone. */
class ItemPhasesIT {

    private static final Map<String, String> CHART = Map.of(
            "templates/config.yaml",
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: {{ .Release.Name }}
            data:
              greeting: {{ .Values.greeting | default "hello" | quote }}
            """);

    private final ItemLab lab = ItemLab.open();
    private final ItemScene scene = lab.scene;

    // Admission

    @Test
    void refusesDependenciesThatLeadBack() {
        // given
        ObjectNode one = scene.manifestItem("one", ", \"dependsOn\": [\"two\"]");
        scene.manifestItem("two", ", \"dependsOn\": [\"one\"]");

        // then
        assertRefused(lab.admit, one, ErrorClass.INVALID, "DependencyCycle", "one → two");
    }

    @Test
    void refusesAReleaseThatAnOlderWorkItemHas() {
        // given
        ObjectNode older = scene.manifestItem("older", ", \"releaseName\": \"same\"");
        ObjectNode younger = scene.manifestItem("younger", ", \"releaseName\": \"same\"");

        // then
        assertThat(lab.run(lab.admit, older)).isInstanceOf(Outcome.Done.class);
        assertRefused(lab.admit, younger, ErrorClass.IDENTITY, "ReleaseNameTaken", "older");
    }

    @Test
    void setsTheFinalizerBeforeItWaitsForADependency() {
        // given
        lab.progress.put("base", new Progress(Stage.INSTALLING, "Release ready: not yet"));
        scene.manifestItem("base", "");
        ObjectNode item = scene.manifestItem("web", ", \"dependsOn\": [\"base\"]");

        // when
        Outcome outcome = lab.run(lab.admit, item);

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("WaitingForDependency");
            assertThat(waiting.message()).contains("base is not installed: Release ready: not yet");
        });
        assertThat(scene.item("web").orElseThrow().at("/metadata/finalizers/0").asText())
                .isEqualTo(WorkItem.FINALIZER);
    }

    @Test
    void waitsForAClusterThatIsNotThere() {
        // given
        scene.deleteCluster();
        ObjectNode item = scene.manifestItem("web", "");

        // then
        assertThat(lab.run(lab.admit, item))
                .isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.reason())
                        .isEqualTo("WaitingForCluster"));
    }

    // Inputs

    @Test
    void namesTheFieldWhoseSecretIsAbsent() {
        // given
        ObjectNode item = scene.item(
                "web",
                "{\"chart\": {\"repository\": \"https://127.0.0.1:1\", \"name\": \"web\", \"version\": \"^1\","
                        + " \"caSecretRef\": {\"name\": \"nowhere\"}}}");

        // then
        assertRefused(lab.plan, item, ErrorClass.TRANSIENT, "InputAbsent", "spec.chart.caSecretRef", "nowhere");
    }

    @Test
    void doesNotTrustARepositoryWithoutItsCaAndStopsAtWrongCredentials() throws Exception {
        try (ChartRepository closed =
                ChartRepository.protectedBy("robot", "right-password").with("web", "1.0.0", CHART)) {
            // given
            scene.secret("wrong", Map.of("username", "robot", "password", "wrong-password"));
            scene.secret("right", Map.of("username", "robot", "password", "right-password"));
            ObjectNode distrusting = scene.item(
                    "distrusting",
                    "{\"chart\": {\"repository\": \"" + closed.url() + "\", \"name\": \"web\", \"version\": \"^1\"}}");
            ObjectNode refused = scene.chartItem("refused", closed, "^1", "");
            scene.patch("refused", "{\"spec\": {\"chart\": {\"credentialsSecretRef\": {\"name\": \"wrong\"}}}}");

            // then
            assertRefused(lab.plan, distrusting, ErrorClass.TRUST, "RepositoryCaUnknown", closed.url());
            assertRefused(lab.plan, refused, ErrorClass.AUTH, "RepositoryUnauthorized", closed.url());

            // when
            scene.patch("refused", "{\"spec\": {\"chart\": {\"credentialsSecretRef\": {\"name\": \"right\"}}}}");

            // then
            assertThat(lab.run(lab.plan, refused))
                    .isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.facts())
                            .containsEntry("item.chartVersion", "1.0.0")
                            .containsEntry("dryRun", "false"));
        }
    }

    @Test
    void takesManifestsFromAUrlOnlyIfTheyAreWhatWasMeant() throws Exception {
        // given
        byte[] yaml = ItemScene.manifest("fetched").replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
        String right =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(yaml));
        TestTls.Identity authority = TestTls.authority("Files CA");
        HttpsServer server =
                TestTls.https(TestTls.serving(authority, "127.0.0.1", Duration.ofDays(1)), null, exchange -> {
                    exchange.sendResponseHeaders(200, yaml.length);
                    exchange.getResponseBody().write(yaml);
                    exchange.close();
                });
        try {
            scene.configMap("files-ca", "ca.crt", authority.pem());
            String url = "https://127.0.0.1:" + server.getAddress().getPort() + "/m.yaml";
            ObjectNode item = scene.item("fetched", manifests(url, "0".repeat(64), "files-ca"));
            ObjectNode distrusting = scene.item("distrusting", manifests(url, right, null));
            lab.done(item, lab.plan);

            // then
            assertRefused(lab.install, item, ErrorClass.INVALID, "ChecksumMismatch", right);
            lab.forget();
            lab.done(distrusting, lab.plan);
            assertRefused(lab.install, distrusting, ErrorClass.TRUST, "ManifestsServerNotTrusted", url);

            // when
            scene.patch("fetched", "{\"spec\": {\"manifests\": {\"sha256\": \"" + right + "\"}}}");
            lab.done(item, lab.install, lab.ready);

            // then
            assertThat(scene.installed("fetched")).isPresent();
        } finally {
            server.stop(0);
        }
    }

    // Installation

    @Test
    void goesBackToThePlanWhenTheVersionAskedForHasChanged() throws Exception {
        try (ChartRepository repository =
                ChartRepository.open().with("web", "1.0.0", CHART).with("web", "2.0.0", CHART)) {
            // given
            ObjectNode item = scene.chartItem("web", repository, "1.0.0", "");
            lab.done(item, lab.plan, lab.install);
            scene.patch("web", "{\"spec\": {\"chart\": {\"version\": \"2.0.0\"}}}");

            // when
            Outcome outcome = lab.run(lab.install, item);

            // then
            assertThat(outcome).isInstanceOfSatisfying(Outcome.Back.class, back -> assertThat(back.phase())
                    .isEqualTo("EnsureItemPlanned"));
        }
    }

    @Test
    void makesAnObjectOfAChartAgainThatSomebodyDeleted() throws Exception {
        try (ChartRepository repository = ChartRepository.open().with("web", "1.0.0", CHART)) {
            // given
            ObjectNode item = scene.chartItem("web", repository, "1.0.0", "");
            lab.done(item, lab.plan, lab.install, lab.ready);
            assertThat(scene.item("web")
                            .orElseThrow()
                            .at("/status/release/revision")
                            .asInt())
                    .isEqualTo(1);
            scene.remove("web");

            // when
            lab.done(item, lab.install, lab.ready);

            // then
            assertThat(scene.installed("web")).isPresent();
        }
    }

    @Test
    void asksSomebodyWhenWhatIsInstalledDoesNotBecomeReadyInTime() {
        // given
        String pod =
                "apiVersion: v1\\nkind: Pod\\nmetadata: {name: slow}\\nspec: {containers: [{name: a, image: a}]}\\n";
        ObjectNode item = scene.item(
                "slow",
                "{\"manifests\": {\"inline\": \"" + pod + "\"}, \"namespace\": \"default\", \"timeout\": \"1h\"}");
        lab.done(item, lab.plan, lab.install);
        assertThat(lab.run(lab.ready, item))
                .isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.message())
                        .contains("Release not ready: Pod default/slow: its condition Ready is not True"));

        // when
        scene.patch("slow", "{\"spec\": {\"timeout\": \"0h\"}}");
        Outcome outcome = lab.run(lab.ready, item);

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Blocked.class, blocked -> assertThat(blocked.code())
                .isEqualTo("ReleaseNotReady"));
        lab.done(item, lab.admitDeletion);
        scene.workload.delete("/api/v1/namespaces/default/pods/slow");
    }

    // Removal

    @Test
    void leavesAReleaseThatSlipwayDidNotInstall() throws Exception {
        try (ChartRepository repository = ChartRepository.open().with("web", "1.0.0", CHART)) {
            // given
            ObjectNode item = scene.chartItem("web", repository, "1.0.0", "");
            lab.done(item, lab.plan, lab.install);
            scene.forgetWhoInstalled("web");

            // when
            lab.done(item, lab.admitDeletion, lab.uninstall, lab.gone);

            // then
            assertThat(scene.installed("web")).isPresent();
            assertThat(lab.receipts.entries("flow-1"))
                    .extracting(Entry::what, Entry::fate)
                    .containsExactly(tuple("Release " + scene.target + "/web", Fate.KEPT));
        }
    }

    @Test
    void waitsForAFinalizerInTheWorkloadClusterAndShowsIt() {
        // given
        ObjectNode item = scene.manifestItem("held", "");
        lab.done(item, lab.plan, lab.install);
        scene.hold("held", "example.com/hold");

        // when
        lab.done(item, lab.admitDeletion);
        Outcome outcome = lab.run(lab.uninstall, item);

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.message())
                .contains("held"));
        assertThat(lab.receipts.entries("flow-1")).extracting(Entry::fate).containsOnly(Fate.LEFT);

        // when
        scene.letGo("held");
        lab.done(item, lab.uninstall, lab.gone);

        // then
        assertThat(lab.receipts.entries("flow-1")).extracting(Entry::fate).containsOnly(Fate.DELETED);
    }

    @Test
    void removesNothingWhileADryRunIsAskedForUnlessItMaySkip() {
        // given
        ObjectNode item = scene.manifestItem("tried", "");
        lab.done(item, lab.plan, lab.install);
        scene.patch("tried", "{\"spec\": {\"dryRun\": true}}");
        lab.done(item, lab.admitDeletion);

        // when
        Outcome outcome = lab.run(lab.dryRunOff, item);

        // then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> {
            assertThat(waiting.reason()).isEqualTo("DryRun");
            assertThat(waiting.message()).contains("remove ConfigMap " + scene.target + "/tried");
        });

        // when
        lab.fact(Directive.SKIP_REMOTE.fact(), "");
        lab.done(item, lab.dryRunOff, lab.uninstall, lab.gone);

        // then
        assertThat(scene.installed("tried")).isPresent();
        assertThat(lab.receipts.entries("flow-1")).extracting(Entry::fate).containsExactly(Fate.SKIPPED);
    }

    @Test
    void doesNotWaitForAClusterThatNeverRan() {
        // given
        ObjectNode item = scene.manifestItem("early", "");
        scene.makeUnfinished();

        // when
        lab.done(item, lab.admitDeletion, lab.uninstall, lab.gone);

        // then
        assertThat(lab.receipts.entries("flow-1")).extracting(Entry::fate).containsExactly(Fate.GONE);
    }

    @Test
    void goesOnWithoutTheObjectByWhatWasRecorded() {
        // given
        ObjectNode item = scene.manifestItem("forced", "");
        lab.done(item, lab.admit, lab.plan, lab.install, lab.admitDeletion);
        scene.patch("forced", "{\"metadata\": {\"finalizers\": null}}");
        scene.delete("forced");
        scene.awaitGone("forced");

        // when
        lab.done(item, lab.mark, lab.dryRunOff, lab.uninstall, lab.gone, lab.release);

        // then
        assertThat(scene.installed("forced")).isEmpty();
    }

    // The work items of a cluster

    @Test
    void makesTheDeclaredWorkItemsWaitsForThoseThatBlockAndDropsTheOthers() {
        // given
        ObjectNode cluster = scene.declareCluster(
                "[{\"name\": \"a\", \"manifests\": {\"inline\": \"x: y\"}},"
                        + " {\"name\": \"b\", \"dependsOn\": [\"a\"], \"blocking\": false, \"manifests\": {\"inline\": \"x: y\"}}]");
        lab.progress.put("prod-a", new Progress(Stage.INSTALLING, "Release ready: Deployment a/b: 0 of 1"));
        lab.progress.put("prod-b", new Progress(Stage.STUCK, "it cannot"));

        // when
        Outcome first = lab.run(lab.workItems, cluster);

        // then
        assertThat(first).isInstanceOfSatisfying(Outcome.Waiting.class, waiting -> assertThat(waiting.message())
                .contains("0 of 2", "prod-a: Release ready: Deployment a/b: 0 of 1"));
        assertThat(scene.item("prod-b").orElseThrow().at("/spec/dependsOn/0").asText())
                .isEqualTo("prod-a");
        assertThat(scene.item("prod-a").orElseThrow().at("/metadata/ownerReferences/0/uid"))
                .isEqualTo(cluster.at("/metadata/uid"));

        // when
        lab.progress.remove("prod-a");
        String version = scene.item("prod-a")
                .orElseThrow()
                .at("/metadata/resourceVersion")
                .asText();
        Outcome second = lab.run(lab.workItems, cluster);

        // then
        assertThat(second).isInstanceOfSatisfying(Outcome.Done.class, done -> assertThat(done.message())
                .contains("1 of 2", "it does not block", "it cannot"));
        assertThat(scene.item("prod-a")
                        .orElseThrow()
                        .at("/metadata/resourceVersion")
                        .asText())
                .isEqualTo(version);

        // when
        scene.redeclare("[]");
        lab.run(lab.workItems, cluster);

        // then
        assertThat(List.of(scene.item("prod-a"), scene.item("prod-b"))).allMatch(item -> item.isEmpty());
    }

    @Test
    void doesNotTakeOverAWorkItemOfSomebodyElse() {
        // given
        scene.manifestItem("prod-a", "");
        ObjectNode cluster = scene.declareCluster("[{\"name\": \"a\", \"manifests\": {\"inline\": \"x: y\"}}]");

        // then
        assertRefused(lab.workItems, cluster, ErrorClass.IDENTITY, "WorkItemNotOurs", "prod-a");
    }

    private static String manifests(String url, String sha256, String ca) {
        String trust = ca == null ? "" : ", \"caConfigMapRef\": {\"name\": \"" + ca + "\"}";
        return JsonApi.parse("{\"manifests\": {\"url\": \"" + url + "\", \"sha256\": \"" + sha256 + "\"" + trust + "}}")
                .toString();
    }

    private void assertRefused(Phase phase, ObjectNode object, ErrorClass errorClass, String code, String... said) {
        Failure failure = catchThrowableOfType(Failure.class, () -> lab.run(phase, object));
        assertThat(failure).isNotNull();
        assertThat(failure.errorClass()).isEqualTo(errorClass);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.message()).contains(said);
    }
}
