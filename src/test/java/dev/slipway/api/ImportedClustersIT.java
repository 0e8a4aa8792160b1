package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.api.CredentialsController.Credentials;
import dev.slipway.api.CredentialsController.CredentialsResult;
import dev.slipway.audit.AuditInMemory;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import dev.slipway.kernel.StuckGroup;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.ClusterRef;
import java.security.Principal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;

/** What people ask for about Clusters of Cluster API, on a real API server. */
class ImportedClustersIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final KubeClient CLIENT = KubeClient.of(CONTROL_PLANE.apiClient());
    private static final Principal ALICE = () -> "alice";

    private final JsonApi api = CONTROL_PLANE.json();
    private final String namespace = CONTROL_PLANE.newNamespace("imported");
    private final FlowsInMemory flows = new FlowsInMemory();
    private final Recorded decisions = new Recorded();
    private final ClusterResolver resolver = new ClusterResolver(CLIENT, new ClusterApi(CLIENT));
    private final FlowStarts starts = new FlowStarts(flows, (action, namespace, name) -> {});
    private final CredentialsController credentials =
            new CredentialsController(resolver, starts, flows, decisions, new AuditInMemory());

    private ClusterRef cluster;

    @BeforeEach
    void aClusterWithASecret() {
        String uid = api.create(
                        "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters",
                        JsonApi.parse("{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Cluster\","
                                + " \"metadata\": {\"name\": \"c1\"},"
                                + " \"spec\": {\"controlPlaneEndpoint\": {\"host\": \"h\", \"port\": 1}}}"))
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
        cluster = new ClusterRef(namespace, "c1", uid);
        secret("good", "value");
        secret("odd", "kubeconfig");
    }

    // Flows

    @Test
    void startsTheImportOfACluster() {
        // when
        start(StartFlow.of("import", null));

        // then
        assertThat(flows.active(cluster.uid())).singleElement().satisfies(flow -> {
            assertThat(flow.kind()).isEqualTo("import");
            assertThat(flow.startedBy()).isEqualTo("alice");
        });
        assertThat(flows.facts("flow-1")).isEmpty();
    }

    @Test
    void startsItAnewFromNothingIfAskedFor() {
        // when
        start(StartFlow.of("import", true));
        flows.end("flow-1", FlowState.COMPLETED, "Imported");
        start(StartFlow.of("import", true));

        // then
        String first = flows.facts("flow-1").get("directive.RESET_IMPORT");
        assertThat(first).isNotEmpty();
        assertThat(flows.facts("flow-2").get("directive.RESET_IMPORT"))
                .isNotEmpty()
                .isNotEqualTo(first);
    }

    @Test
    void onlyTheImportCanBeReset() {
        assertThatThrownBy(() -> start(StartFlow.of("init", true)))
                .isInstanceOfSatisfying(ApiProblem.class, problem -> {
                    assertThat(problem.status()).isEqualTo(HttpStatus.BAD_REQUEST);
                    assertThat(problem.body().getProperties()).containsEntry("field", "reset");
                });
    }

    @Test
    void whatSlipwayDoesNotBuildHasNoInit() {
        assertThatThrownBy(() -> start(StartFlow.of("init", null)))
                .isInstanceOfSatisfying(
                        ApiProblem.class, problem -> assertThat(problem.code()).isEqualTo("NotDeclared"));
        assertThat(flows.latestOfAll()).isEmpty();
    }

    @Test
    void aRetryAfterAnAbortStartsTheImportAgain() {
        // given
        start(StartFlow.of("import", null));
        flows.end("flow-1", FlowState.ABORTED, "Aborted");

        // when
        String started =
                controller().retry(namespace, "c1", null, ALICE).getBody().flow();

        // then
        assertThat(flows.find(started)).get().satisfies(flow -> assertThat(flow.kind())
                .isEqualTo("import"));
    }

    // Credentials

    @Test
    @Tag("T27")
    void newCredentialsStartTheImportWhileNoneIsActive() {
        // when
        CredentialsResult result = replace("good");

        // then
        assertThat(result.decision()).isNull();
        assertThat(result.flow().kind()).isEqualTo("import");
        assertThat(flows.facts(result.flow().id())).isEqualTo(Map.of("directive.SUPPLY_CREDENTIALS", "good"));
    }

    @Test
    @Tag("T27")
    void newCredentialsAreADecisionAboutTheImportThatWaitsForThem() {
        // given
        start(StartFlow.of("import", null));
        flows.phases(
                "flow-1", waiting("EnsureControlPlaneReachable", List.of(Choice.RETRY, Choice.SUPPLY_CREDENTIALS)));

        // when
        CredentialsResult result = replace("good");

        // then
        assertThat(result.flow()).isNull();
        assertThat(decisions.wishes).singleElement().satisfies(wish -> {
            assertThat(wish.choice()).isEqualTo(Choice.SUPPLY_CREDENTIALS);
            assertThat(wish.argument()).isEqualTo("good");
        });
        assertThat(flows.latestOfAll()).hasSize(1);
    }

    @Test
    void anImportThatTakesNoCredentialsNowIsNotDisturbed() {
        // given
        start(StartFlow.of("import", null));
        flows.phases("flow-1", waiting("EnsureSentry", List.of(Choice.RETRY)));

        // when, then
        assertThatThrownBy(() -> replace("good"))
                .isInstanceOfSatisfying(
                        ApiProblem.class, problem -> assertThat(problem.code()).isEqualTo("FlowActive"));
        assertThat(decisions.wishes).isEmpty();
    }

    @Test
    void aSecretThatCannotBeUsedIsRefusedByItsName() {
        assertProblem("absent", HttpStatus.UNPROCESSABLE_ENTITY, "does not exist");
        assertProblem("odd", HttpStatus.UNPROCESSABLE_ENTITY, "has no key value");
        assertProblem("Not A Name", HttpStatus.BAD_REQUEST, "is no name of a Secret");
        assertProblem(null, HttpStatus.BAD_REQUEST, "is missing");
        assertThat(flows.latestOfAll()).isEmpty();
    }

    private void assertProblem(String secret, HttpStatus status, String message) {
        assertThatThrownBy(() -> replace(secret))
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(ApiProblem.class, problem -> {
                    assertThat(problem.status()).isEqualTo(status);
                    assertThat(problem.body().getProperties()).containsEntry("field", "secretName");
                });
    }

    private CredentialsResult replace(String secret) {
        return credentials
                .replace(namespace, "c1", new Credentials(secret, null), ALICE)
                .getBody();
    }

    private void start(StartFlow body) {
        controller().start(namespace, "c1", body, ALICE);
    }

    private ClustersController controller() {
        // Lists, shows and deletes nothing here.
        return new ClustersController(null, resolver, starts, null, flows);
    }

    private static PhaseView waiting(String name, List<Choice> choices) {
        PhaseView phase = FlowsInMemory.phase(name, PhaseState.WAITING, 1, "Waiting", "for something");
        return new PhaseView(
                phase.name(),
                phase.title(),
                phase.elementId(),
                phase.state(),
                phase.stuck(),
                phase.attempt(),
                phase.since(),
                phase.until(),
                phase.reason(),
                phase.message(),
                phase.lastErrorCode(),
                phase.lastError(),
                phase.lastCheck(),
                phase.nextCheck(),
                phase.stuckAt(),
                phase.actions(),
                phase.run(),
                phase.cause(),
                choices);
    }

    private void secret(String name, String key) {
        api.create(
                "/api/v1/namespaces/" + namespace + "/secrets",
                JsonApi.parse("{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"metadata\": {\"name\": \"" + name
                        + "\"}, \"data\": {\"" + key + "\": \"eA==\"}}"));
    }

    /** Notes what is decided. */
    private static final class Recorded implements Decisions {

        private final List<Decision.Wish> wishes = new ArrayList<>();

        @Override
        public Decision decide(String runId, Decision.Wish wish, String by) {
            wishes.add(wish);
            return new Decision(
                    "d-1",
                    "flow-1",
                    new ClusterRef("n", "c", "u"),
                    runId,
                    "phase",
                    wish,
                    by,
                    Instant.EPOCH,
                    Decision.State.OPEN,
                    null,
                    null);
        }

        @Override
        public Decision decideForFlow(String flowId, Decision.Wish wish, String by) {
            throw new UnsupportedOperationException("A phase waits");
        }

        @Override
        public List<Decision> ofCluster(String clusterUid) {
            return List.of();
        }

        @Override
        public List<StuckGroup> stuck() {
            return List.of();
        }

        @Override
        public List<Decision> retryAll(String phase, String reason, String by, String why) {
            return List.of();
        }
    }
}
