package dev.slipway.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportTargets;
import dev.slipway.imports.LabelSelector;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.RealWorkloads;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ClusterRef;
import dev.slipway.platform.ClusterCredential;
import dev.slipway.platform.Platform;
import dev.slipway.platform.PlatformCluster;
import dev.slipway.platform.PlatformLab;
import dev.slipway.platform.PlatformSettings.Api;
import dev.slipway.platform.WorkloadIdentity;
import dev.slipway.sentry.SentryInspection;
import dev.slipway.sentry.SentrySettings;
import dev.slipway.sentry.SentrySettings.TokenKind;
import dev.slipway.status.ClusterEvents;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The drift watch on a real API server, which is management cluster, platform and workload cluster in one. */
class DriftWatchIT {

    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final ImportScene scene = ImportScene.withPlatform();
    private final String name = ImportScene.name();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Platform platform = PlatformLab.open(scene.client);
    private final String sentryNamespace = scene.namespace;

    private ClusterRef cluster;
    private DriftWatch watch;

    @BeforeEach
    void anImportedClusterIsWatched() {
        scene.provisioned(name);
        cluster =
                ImportScene.ref(scene.patch(name, "{\"metadata\": {\"labels\": {\"capi.cpaas.io/imported\": \"\"}}}"));
        importByHand();
        scene.flows.start("import", cluster, "slipway", cluster.uid() + "/import/created");
        scene.flows.end("flow-1", FlowState.COMPLETED, "Imported", scene.workers.instant());
        watch = watch(TokenKind.SECRET);
        watch.imported(cluster);
    }

    @Test
    @Tag("T40")
    void whatHoldsIsLeftAlone() {
        // given
        String before = everything();

        // when
        scene.workers.advance(Duration.ofHours(2));

        // then
        assertThat(scene.flows.latestOfAll()).extracting(FlowView::id).containsExactly("flow-1");
        assertThat(everything()).isEqualTo(before);
        assertThat(meters.find("slipway.import.drift").counter()).isNull();
    }

    @Test
    void aLostServiceAccountStartsTheImport() {
        // given
        scene.json.delete(accountPath());

        // when
        scene.workers.advance(INTERVAL);

        // then
        assertStarted("Sentry", "the ServiceAccount sentry is absent");
    }

    @Test
    void aLostPlatformClusterStartsTheImport() {
        // given
        scene.json.delete(platformPath("clusters", name));

        // when
        scene.workers.advance(INTERVAL);

        // then
        assertStarted("PlatformCluster", "the platform Cluster " + name + " does not exist");
    }

    @Test
    void aSecondCredentialStartsTheImport() {
        // given
        scene.json.create(
                "/apis/platform.tkestack.io/v1/clustercredentials",
                JsonApi.parse(
                        """
                        {"apiVersion": "platform.tkestack.io/v1", "kind": "ClusterCredential",
                         "metadata": {"name": "cc-other-%1$s", "labels": {"cluster.x-k8s.io/cluster-name": "%1$s"}}}"""
                                .formatted(name)));

        // when
        scene.workers.advance(INTERVAL);

        // then
        assertStarted("SingleCredential", "2 credentials instead of one");
    }

    @Test
    void aTokenThatIsRefusedStartsTheImport() {
        // given
        scene.json.merge(platformPath("clustercredentials", "cc-" + name), "{\"token\": \"void\"}");

        // when
        scene.workers.advance(INTERVAL);

        // then
        assertStarted("Token", "does not accept the credential's token");
    }

    @Test
    void aTokenNearItsEndStartsTheImport() {
        // given
        DriftWatch requesting = watch(TokenKind.REQUEST);
        requesting.imported(cluster);
        tokenLife("2025-12-31T00:00:00Z", "2026-01-03T00:00:00Z");
        scene.workers.advance(Duration.ofHours(1));
        assertThat(scene.flows.latestOfAll())
                .as("much of it is left")
                .hasSize(1)
                .allMatch(DriftWatchIT::ended);

        // when
        tokenLife("2025-12-31T00:00:00Z", "2026-01-01T02:00:00Z");
        scene.workers.advance(Duration.ofMinutes(15));

        // then
        assertStarted("Token", "ends at 2026-01-01T02:00:00Z: less than a fifth of its life is left");
    }

    @Test
    void anotherClusterBehindTheNameStartsTheImportAndIsJudgedByNothingElse() {
        // given
        scene.json.merge(
                platformPath("clusters", name),
                "{\"metadata\": {\"annotations\": {\"slipway.dev/cluster-id\": \"somebody-else\"}}}");
        scene.json.delete(accountPath());

        // when
        scene.workers.advance(INTERVAL);

        // then
        assertStarted("Identity", "registered is somebody-else");
    }

    @Test
    void aWorkloadClusterThatDoesNotAnswerIsNoDrift() {
        // given
        kubeconfig(PlatformLab.plane().adminKubeconfig().replaceAll("server: .*", "server: https://127.0.0.1:1"));

        // when
        scene.workers.advance(Duration.ofHours(1));

        // then
        assertThat(scene.flows.latestOfAll()).extracting(FlowView::id).containsExactly("flow-1");

        // when
        scene.json.delete(platformPath("clusters", name));
        scene.workers.advance(INTERVAL.multipliedBy(2));

        // then
        assertStarted("PlatformCluster", "does not exist");
    }

    @Test
    @Tag("T31")
    void whatBreaksAgainAndAgainIsRepairedEverSlower() {
        // given
        scene.json.delete(accountPath());

        // when
        int starts = 0;
        for (int minute = 0; minute < 6 * 60; minute++) {
            scene.workers.advance(Duration.ofMinutes(1));
            for (FlowView flow : scene.flows.active(cluster.uid())) {
                starts++;
                scene.flows.end(flow.id(), FlowState.COMPLETED, "Imported", scene.workers.instant());
            }
        }

        // then
        assertThat(starts).isBetween(7, 9);
        assertThat(count("Sentry")).isBetween(30.0, 45.0);
        assertThat(event().at("/count").asInt()).isEqualTo((int) count("Sentry"));
    }

    @Test
    void nothingIsLookedAtWhileAFlowRuns() {
        // given
        scene.flows.start("import", cluster, "alice", null);
        scene.json.delete(accountPath());

        // when
        scene.workers.advance(INTERVAL.multipliedBy(2));

        // then
        assertThat(meters.find("slipway.import.drift").counter()).isNull();
    }

    @Test
    void anAbortHoldsForTheWatchToo() {
        // given
        scene.flows.start("import", cluster, "alice", null);
        scene.flows.end("flow-2", FlowState.ABORTED, "Aborted", scene.workers.instant());
        scene.json.delete(accountPath());

        // when
        scene.workers.advance(Duration.ofHours(5));

        // then
        assertThat(scene.flows.active(cluster.uid())).isEmpty();
        assertThat(count("Sentry")).isGreaterThan(10);
    }

    @Test
    void whoOptedOutIsNotRepaired() {
        // given
        scene.annotate(name, "slipway.dev/import", "false");
        scene.json.delete(accountPath());

        // when
        scene.workers.advance(INTERVAL.multipliedBy(2));

        // then
        assertThat(scene.flows.active(cluster.uid())).isEmpty();
    }

    @Test
    void severalNodesRepairItOnce() {
        // given
        scene.json.delete(accountPath());
        watch(TokenKind.SECRET).imported(cluster);

        // when
        scene.workers.advance(INTERVAL.multipliedBy(3));

        // then
        assertThat(scene.flows.active(cluster.uid())).extracting(FlowView::id).containsExactly("flow-2");
        assertThat(count("Sentry")).isEqualTo(1);
    }

    @Test
    void aClusterWithoutTheMarkIsTheTriggersBusiness() {
        // given
        scene.patch(name, "{\"metadata\": {\"labels\": {\"capi.cpaas.io/imported\": null}}}");
        scene.json.delete(accountPath());

        // when
        scene.workers.advance(Duration.ofHours(1));

        // then
        assertThat(scene.flows.active(cluster.uid())).isEmpty();

        // when
        scene.patch(name, "{\"metadata\": {\"labels\": {\"capi.cpaas.io/imported\": \"\"}}}");
        watch.imported(cluster);
        scene.workers.advance(INTERVAL);

        // then
        assertThat(scene.flows.active(cluster.uid())).hasSize(1);
    }

    private void assertStarted(String invariant, String message) {
        assertThat(scene.flows.active(cluster.uid())).singleElement().satisfies(flow -> {
            assertThat(flow.kind()).isEqualTo("import");
            assertThat(flow.startedBy()).isEqualTo("slipway");
        });
        assertThat(count(invariant)).isEqualTo(1);
        assertThat(meters.find("slipway.import.drift").counters()).hasSize(1);
        assertThat(event().at("/message").asText()).contains(message);
        assertThat(event().at("/type").asText()).isEqualTo("Warning");
        assertThat(event().at("/involvedObject/kind").asText()).isEqualTo("Cluster");
        assertThat(event().at("/involvedObject/uid").asText()).isEqualTo(cluster.uid());
    }

    private double count(String invariant) {
        return Optional.ofNullable(meters.find("slipway.import.drift")
                        .tag("invariant", invariant)
                        .counter())
                .map(Counter::count)
                .orElse(0.0);
    }

    private ObjectNode event() {
        return scene.json.list("/api/v1/namespaces/" + scene.namespace + "/events").stream()
                .filter(event -> event.at("/reason").asText().equals("ImportDrift"))
                .findFirst()
                .orElseThrow();
    }

    /** What a look could have changed. */
    private String everything() {
        return scene.read(name).resourceVersion()
                + scene.json.get(platformPath("clusters", name))
                + scene.json.get(platformPath("clustercredentials", "cc-" + name))
                + scene.json.get(accountPath());
    }

    private static boolean ended(FlowView flow) {
        return flow.state() != FlowState.RUNNING;
    }

    private DriftWatch watch(TokenKind kind) {
        PlatformPresence presence = scene.presence(Api.AUTO);
        presence.check();
        ImportTrigger.Policy policy = new ImportTrigger.Policy(true, LabelSelector.parse(""), presence);
        return new DriftWatch(
                new DriftWatch.Scope(
                        new ImportTargets(new ClusterApi(scene.client)), scene.platform(Api.AUTO), policy, INTERVAL),
                scene.flows,
                scene.starts,
                new DriftCheck(
                        new ImportAccess(scene.client, RealWorkloads.clusters()),
                        new SentryInspection(settings(kind)),
                        scene.workers),
                new DriftWatch.Telling(new ClusterEvents(scene.client, scene.client, scene.workers), meters),
                () -> 0.5,
                scene.workers);
    }

    private SentrySettings settings(TokenKind kind) {
        return new SentrySettings(
                sentryNamespace,
                "sentry",
                "cluster-admin",
                List.of("* *.*"),
                kind,
                "sentry-token",
                Duration.ofHours(1));
    }

    /** What the phases of the import bring about. */
    private void importByHand() {
        KubeObject secret = kubeconfig(PlatformLab.plane().adminKubeconfig());
        Workload workload = RealWorkloads.clusters().open(cluster.uid(), secret);
        scene.client.create(
                ResourceType.SERVICE_ACCOUNTS,
                KubeObject.named(ResourceType.SERVICE_ACCOUNTS, sentryNamespace, "sentry"));
        KubeObject holder = scene.client
                .create(
                        ResourceType.SECRETS,
                        KubeObject.named(ResourceType.SECRETS, sentryNamespace, "sentry-token-requested"))
                .orElseThrow();
        String token = workload.requestToken("sentry", Duration.ofHours(1), holder)
                .token()
                .value();
        String identity = WorkloadIdentity.read(workload.reader()).id();
        platform.create(new ClusterCredential.Spec(
                name, "", "-----BEGIN CERTIFICATE-----", token, identity, cluster.businessKey()));
        platform.create(new PlatformCluster.Spec(name, "", name, "cc-" + name, identity, cluster.businessKey()));
    }

    private KubeObject kubeconfig(String text) {
        ObjectNode secret = JsonApi.parse(
                """
                {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "%s-kubeconfig"}, "data": {"value": "%s"}}"""
                        .formatted(name, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
        return new KubeObject(
                scene.json.apply("/api/v1/namespaces/" + scene.namespace + "/secrets/" + name + "-kubeconfig", secret));
    }

    private void tokenLife(String issued, String expires) {
        scene.json.merge(
                "/api/v1/namespaces/" + sentryNamespace + "/secrets/sentry-token-requested",
                "{\"metadata\": {\"annotations\": {\"slipway.dev/token-issued\": \"" + issued
                        + "\", \"slipway.dev/token-expires\": \"" + expires + "\"}}}");
    }

    private String accountPath() {
        return "/api/v1/namespaces/" + sentryNamespace + "/serviceaccounts/sentry";
    }

    private static String platformPath(String plural, String name) {
        return "/apis/platform.tkestack.io/v1/" + plural + "/" + name;
    }
}
