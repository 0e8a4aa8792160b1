package dev.slipway.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsServer;
import dev.slipway.MovedClock;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.Kubeconfig;
import dev.slipway.controlplane.Pki;
import dev.slipway.helm.InstalledRelease.Status;
import dev.slipway.helm.Progress.Done;
import dev.slipway.helm.Progress.Underway;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.TestTls;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Charts from a real repository, installed by Helm on a real API server. */
class HelmReleasesIT {

    private static final ResourceType DEPLOYMENTS = new ResourceType("apps", "v1", "deployments", "Deployment", true);

    private final Workload workload = HelmLab.workload();
    private final String namespace = ControlPlane.shared().newNamespace("helm");
    private final ReleaseTarget target = HelmLab.target(workload, namespace);
    private final HelmRuns runs = new HelmRuns(HelmLab.runtime(), HelmLab.PATIENT);
    private final HelmReleases releases = new HelmReleases(runs, Clock.systemUTC());

    private ChartRepository repository;

    @BeforeEach
    void openTheRepository() throws Exception {
        repository = ChartRepository.open().with("web", "1.0.0", HelmLab.WEB).with("web", "1.1.0", HelmLab.WEB);
    }

    @AfterEach
    void close() {
        runs.close();
        repository.close();
    }

    @Test
    void aChartIsInstalledFromAnHttpsRepositoryWhoseCaIsPrivate() {
        // when
        ChartSource chart = releases.resolve(repository.source("web", "^1.0"));
        Progress progress = releases.install(target, chart, HelmLab.values("greeting: servus"));

        // then
        assertThat(chart.version()).isEqualTo("1.1.0");
        assertThat(progress).isEqualTo(new Done());
        assertThat(greeting()).contains("servus");
        assertThat(releases.find(target)).hasValueSatisfying(release -> {
            assertThat(release.chart()).isEqualTo("web");
            assertThat(release.chartVersion()).isEqualTo("1.1.0");
            assertThat(release.revision()).isEqualTo(1);
            assertThat(release.status()).isEqualTo(Status.DEPLOYED);
        });
    }

    @Test
    void nothingIsDoneWhenTheReleaseIsAsWanted() {
        // given
        ChartSource chart = repository.source("web", "1.0.0");
        releases.install(target, chart, HelmLab.values("greeting: a"));
        int asked = repository.requests().size();

        // when
        Progress again = releases.install(target, chart, HelmLab.values("greeting: a"));

        // then
        assertThat(again).isEqualTo(new Done());
        assertThat(repository.requests()).hasSize(asked);
        assertThat(releases.find(target)).map(InstalledRelease::revision).contains(1);
    }

    @Test
    void otherValuesOrAnotherVersionUpgradeTheRelease() {
        // given
        releases.install(target, repository.source("web", "1.0.0"), HelmLab.values("greeting: a"));

        // when
        releases.install(target, repository.source("web", "1.0.0"), HelmLab.values("greeting: b"));
        releases.install(target, repository.source("web", "1.1.0"), HelmLab.values("greeting: b"));

        // then
        assertThat(greeting()).contains("b");
        assertThat(releases.find(target)).hasValueSatisfying(release -> {
            assertThat(release.revision()).isEqualTo(3);
            assertThat(release.chartVersion()).isEqualTo("1.1.0");
        });
    }

    @Test
    void laterValuesOverrideEarlierOnes() {
        // given
        Values values = new Values(List.of(
                new Values.Part("a ConfigMap", "greeting: weak\nreplicas: 2", false),
                new Values.Part("inline", "greeting: strong", false)));

        // when
        releases.install(target, repository.source("web", "1.0.0"), values);

        // then
        assertThat(greeting()).contains("strong");
        assertThat(deployment().at("spec", "replicas").asInt()).isEqualTo(2);
    }

    @Test
    void aPlanNamesObjectsAndFieldsAndChangesNothing() {
        // given
        releases.install(target, repository.source("web", "1.0.0"), HelmLab.values("greeting: a"));

        // when
        Plan plan = releases.plan(target, repository.source("web", "1.1.0"), HelmLab.values("greeting: b\napp: other"));

        // then
        assertThat(plan.changes())
                .contains(new Plan.Change(
                        Plan.Kind.CHANGE, new ObjectId("", "ConfigMap", namespace, "web"), List.of("data.greeting")));
        assertThat(plan.problems()).singleElement().asString().contains("spec.selector", "immutable");
        assertThat(greeting()).contains("a");
        assertThat(releases.find(target)).map(InstalledRelease::revision).contains(1);
    }

    @Test
    void aPlanOfWhatIsNotThereAddsEverything() {
        // given
        ReleaseTarget elsewhere = HelmLab.target(workload, namespace + "-new");

        // when
        Plan plan = releases.plan(elsewhere, repository.source("web", "1.0.0"), Values.NONE);

        // then
        assertThat(plan.changes()).hasSize(2).allMatch(change -> change.kind() == Plan.Kind.ADD);
        assertThat(plan.problems()).isEmpty();
        assertThat(workload.reader().get(ResourceType.NAMESPACES, "", namespace + "-new"))
                .isEmpty();
    }

    @Test
    void uninstallingRemovesObjectsAndRecordAndMayBeRepeated() {
        // given
        releases.install(target, repository.source("web", "1.0.0"), Values.NONE);

        // when
        Progress first = releases.uninstall(target);
        Progress second = releases.uninstall(target);

        // then
        assertThat(List.of(first, second)).containsOnly(new Done());
        assertThat(releases.find(target)).isEmpty();
        assertThat(greeting()).isEmpty();
    }

    @Test
    void aRepositoryWhoseCaIsNotGivenIsNotTrusted() {
        // given
        ChartSource source = new ChartSource(repository.url(), "web", "1.0.0", ChartAccess.PUBLIC);

        // then
        assertFails(() -> releases.resolve(source), ErrorClass.TRUST, "RepositoryCaUnknown", repository.url());
        assertFails(
                () -> releases.install(target, source, Values.NONE),
                ErrorClass.TRUST,
                "RepositoryCaUnknown",
                repository.url());
    }

    @Test
    void wrongCredentialsOfARepositoryAreAuthAndRightOnesInstall() throws Exception {
        try (ChartRepository closed =
                ChartRepository.protectedBy("robot", "pass-word-1").with("web", "1.0.0", HelmLab.WEB)) {
            // given
            ChartSource right = source(closed, "pass-word-1");
            ChartSource wrong = source(closed, "wrong-pass-2");

            // then
            assertFails(() -> releases.resolve(wrong), ErrorClass.AUTH, "RepositoryUnauthorized", closed.url());
            assertThat(releases.install(target, right, Values.NONE)).isEqualTo(new Done());
            assertThat(right.toString() + HelmCall.show(right)).doesNotContain("pass-word-1");
        }
    }

    @Test
    void anAbsentChartOrVersionIsInvalidAndNamesWhatIsThere() {
        assertFails(
                () -> releases.resolve(repository.source("web", "^2.0")),
                ErrorClass.INVALID,
                "ChartAbsent",
                "It has the versions 1.1.0, 1.0.0.");
        assertFails(
                () -> releases.install(target, repository.source("wep", "1.0.0"), Values.NONE),
                ErrorClass.INVALID,
                "ChartAbsent",
                "It has the charts web.");
    }

    @Test
    void aRepositoryThatIsDownIsTransient() {
        // given
        ChartSource source = repository.source("web", "1.0.0");
        repository.refuseWith(503);

        // then
        assertFails(() -> releases.resolve(source), ErrorClass.TRANSIENT, "RepositoryUnreachable", "503");
        repository.close();
        assertFails(() -> releases.resolve(source), ErrorClass.TRANSIENT, "RepositoryUnreachable", "refused");
    }

    @Test
    void valuesThatDoNotFitTheSchemaAreInvalid() {
        assertFails(
                () -> releases.install(target, repository.source("web", "1.0.0"), HelmLab.values("replicas: many")),
                ErrorClass.INVALID,
                "ValuesInvalid",
                "replicas");
    }

    @Test
    void anImmutableFieldIsInvalidAndTheReleaseCanBeRepaired() {
        // given
        ChartSource chart = repository.source("web", "1.0.0");
        releases.install(target, chart, Values.NONE);

        // then
        assertFails(
                () -> releases.install(target, chart, HelmLab.values("app: other")),
                ErrorClass.INVALID,
                "ImmutableField",
                "spec.selector");
        assertThat(releases.find(target)).map(InstalledRelease::status).contains(Status.FAILED);
        assertThat(releases.install(target, chart, HelmLab.values("greeting: again")))
                .isEqualTo(new Done());
        assertThat(greeting()).contains("again");
    }

    @Test
    void anotherChartOfThatReleaseNameIsNeverReplaced() {
        // given
        repository.with("other", "1.0.0", HelmLab.WEB);
        releases.install(target, repository.source("other", "1.0.0"), Values.NONE);

        // then
        assertFails(
                () -> releases.install(target, repository.source("web", "1.0.0"), Values.NONE),
                ErrorClass.IDENTITY,
                "ReleaseNameTaken",
                "other");
    }

    @Test
    void anObjectOfSomebodyElseIsNotTaken() {
        // given
        workload.writer()
                .create(ResourceType.CONFIG_MAPS, KubeObject.named(ResourceType.CONFIG_MAPS, namespace, "web"));

        // then
        assertFails(
                () -> releases.install(target, repository.source("web", "1.0.0"), Values.NONE),
                ErrorClass.IDENTITY,
                "ObjectTaken",
                "ConfigMap");
    }

    @Test
    void aSecretValueInHelmsErrorIsHidden() {
        // given
        Values values = new Values(List.of(new Values.Part("a Secret", "app: 'geheim geheim'", true)));

        // then
        assertThatThrownBy(() -> releases.install(target, repository.source("web", "1.0.0"), values))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.errorClass()).isEqualTo(ErrorClass.INVALID);
                    assertThat(failure.message()).contains("(hidden)").doesNotContain("geheim");
                });
        assertThat(values.toString() + values.parts()).doesNotContain("geheim");
    }

    @Test
    void anInstallationThatWasKilledIsTakenUpAgain() {
        // given: a hook that never ends, because nobody runs Jobs here
        Map<String, String> hooked = new HashMap<>(HelmLab.WEB);
        hooked.put("templates/hook.yaml", HOOK);
        repository.with("web", "2.0.0", hooked);
        HelmRuns killed =
                new HelmRuns(HelmLab.runtime(), new HelmRuns.Limits(1, Duration.ofSeconds(2), Duration.ofMinutes(5)));
        MovedClock clock = new MovedClock();
        HelmReleases first = new HelmReleases(killed, Clock.systemUTC());
        ChartSource stuck = repository.source("web", "2.0.0");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            first.install(target, stuck, Values.NONE);
            return first.find(target).map(InstalledRelease::status).equals(Optional.of(Status.PENDING_INSTALL));
        });
        killed.close();

        // then: as long as it may still be worked on, it is left alone
        ChartSource good = repository.source("web", "1.0.0");
        assertThat(releases.install(target, good, Values.NONE)).isInstanceOf(Underway.class);

        // when
        Instant since = releases.find(target).orElseThrow().since();
        clock.move(Duration.between(clock.instant(), since)
                .plus(HelmLab.PATIENT.longest().multipliedBy(2)));
        Progress later = new HelmReleases(runs, clock).install(target, good, Values.NONE);

        // then
        assertThat(later).isEqualTo(new Done());
        assertThat(releases.find(target)).map(InstalledRelease::status).contains(Status.DEPLOYED);
    }

    @Test
    void aWebhooksNoIsAdmissionWithItsName() {
        // given
        repository.with("web", "3.0.0", Map.of("templates/denied.yaml", DENIED));
        deny();

        // then
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertFails(
                        () -> releases.install(target, repository.source("web", "3.0.0"), Values.NONE),
                        ErrorClass.ADMISSION,
                        "AdmissionDenied",
                        namespace + "-policy"));
    }

    @Test
    void anApiServerThatNeverAnswersHoldsNobodyUpAndItsProcessIsKilled() throws Exception {
        // given
        CompletableFuture<Void> end = new CompletableFuture<>();
        TestTls.Identity ca = TestTls.authority("Silent CA");
        HttpsServer silent =
                TestTls.https(TestTls.serving(ca, "127.0.0.1", Duration.ofDays(1)), null, exchange -> end.join());
        try (HelmRuns impatient = new HelmRuns(HelmLab.runtime(), HelmLab.IMPATIENT)) {
            String url = "https://127.0.0.1:" + silent.getAddress().getPort();
            Pki.Pem client = Pki.client(Pki.authority("Clients CA"), "somebody", "");
            Workload dead = HelmLab.open(Kubeconfig.of("silent", url, ca.pem(), client));
            HelmCall call = HelmCall.release(
                    "install", HelmLab.target(dead, namespace), repository.source("web", "1.0.0"), Values.NONE, 60);

            // when
            Optional<HelmAnswer> running = impatient.change("dead", call);

            // then
            assertThat(running).isEmpty();
            assertThat(impatient.running("dead")).isTrue();
            assertFails(
                    () -> impatient.ask(HelmCall.show(repository.source("web", "1.0.0"))),
                    ErrorClass.TRANSIENT,
                    "HelmTimeout",
                    "busy");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertFails(
                            () -> impatient.collect("dead"), ErrorClass.TRANSIENT, "HelmDied", "install the release"));
        } finally {
            end.complete(null);
            silent.stop(0);
        }
    }

    @Test
    void anApiServerThatIsDownIsTransient() throws IOException {
        // given
        int free;
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        Workload dead = HelmLab.open(ControlPlane.shared()
                .adminKubeconfig()
                .replace(ControlPlane.shared().server(), "https://127.0.0.1:" + free));
        HelmCall call = HelmCall.uninstall(HelmLab.target(dead, namespace));

        // then
        assertFails(() -> runs.change("down", call), ErrorClass.TRANSIENT, "ApiUnreachable", "refused");
    }

    @Test
    void anAccountWithoutRightsIsAuth() {
        // given
        Workload powerless = HelmLab.open(ControlPlane.shared().kubeconfigFor("nobody", ""));
        HelmCall call = HelmCall.release(
                "install", HelmLab.target(powerless, namespace), repository.source("web", "1.0.0"), Values.NONE, 60);

        // then
        assertFails(() -> runs.change("powerless", call), ErrorClass.AUTH, "Forbidden", "nobody");
    }

    @Test
    void oldRevisionsGoAndTheDeployedOneStays() {
        // given: Helm's records of the past, older than what is installed
        ChartSource chart = repository.source("web", "1.0.0");
        releases.install(target, chart, Values.NONE);
        KubeObject installed = record("sh.helm.release.v1.web.v1").orElseThrow();
        for (int revision = 2; revision <= 13; revision++) {
            KubeObject copy = KubeObject.named(ResourceType.SECRETS, namespace, "sh.helm.release.v1.web.v" + revision);
            copy.json().put("type", "helm.sh/release.v1").set("data", installed.at("data"));
            copy.json()
                    .withObject("metadata")
                    .putObject("labels")
                    .put("owner", "helm")
                    .put("name", "web")
                    .put("status", "superseded")
                    .put("version", Integer.toString(revision));
            workload.writer().create(ResourceType.SECRETS, copy);
        }

        // when
        releases.install(target, chart, Values.NONE);

        // then
        assertThat(record("sh.helm.release.v1.web.v1")).isPresent();
        assertThat(record("sh.helm.release.v1.web.v3")).isEmpty();
        assertThat(record("sh.helm.release.v1.web.v4")).isPresent();
    }

    private Optional<KubeObject> record(String name) {
        return workload.reader().get(ResourceType.SECRETS, namespace, name);
    }

    private void deny() {
        String name = namespace + "-policy";
        ResourceType policies = new ResourceType(
                "admissionregistration.k8s.io",
                "v1",
                "validatingadmissionpolicies",
                "ValidatingAdmissionPolicy",
                false);
        ResourceType bindings = new ResourceType(
                "admissionregistration.k8s.io",
                "v1",
                "validatingadmissionpolicybindings",
                "ValidatingAdmissionPolicyBinding",
                false);
        workload.writer()
                .create(
                        policies,
                        ManifestYaml.parse("the test", POLICY.formatted(name, namespace))
                                .get(0));
        workload.writer()
                .create(
                        bindings,
                        ManifestYaml.parse("the test", BINDING.formatted(name)).get(0));
    }

    private static final String POLICY =
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata:
              name: %1$s
            spec:
              matchConstraints:
                namespaceSelector:
                  matchLabels: {kubernetes.io/metadata.name: %2$s}
                resourceRules:
                - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}
              validations:
              - expression: "false"
                message: "not here"
            """;

    private static final String BINDING =
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata:
              name: %1$s
            spec:
              policyName: %1$s
              validationActions: [Deny]
            """;

    private static final String DENIED =
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: denied-{{ .Release.Revision }}
            """;

    private static final String HOOK =
            """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: hook
              annotations: {helm.sh/hook: pre-install}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: hook, image: hook}]
            """;

    private static ChartSource source(ChartRepository repository, String password) {
        return new ChartSource(
                repository.url(), "web", "1.0.0", new ChartAccess("robot", password, repository.authorityPem()));
    }

    private static void assertFails(ThrowingCallable call, ErrorClass errorClass, String code, String words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.code()).as(failure.message()).isEqualTo(code);
            assertThat(failure.errorClass()).isEqualTo(errorClass);
            assertThat(failure.message()).contains(words).doesNotContain("pass-");
            assertThat(failure.actions()).isNotEmpty();
        });
    }

    private Optional<String> greeting() {
        return workload.reader()
                .get(ResourceType.CONFIG_MAPS, namespace, "web")
                .flatMap(map -> map.text("data", "greeting"));
    }

    private KubeObject deployment() {
        return workload.reader().get(DEPLOYMENTS, namespace, "web").orElseThrow();
    }
}
