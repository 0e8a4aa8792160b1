package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.phase.ClusterRef;
import dev.slipway.queue.ManualWorkers;
import dev.slipway.receipt.ReceiptsInMemory;
import java.security.Principal;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpStatus;

/** Deletions that people ask for, on a real API server. */
class DeletionRequestsIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();
    private static final KubeClient CLIENT = KubeClient.of(CONTROL_PLANE.apiClient());
    private static final Principal ALICE = () -> "alice";

    private final JsonApi api = CONTROL_PLANE.json();
    private final String namespace = CONTROL_PLANE.newNamespace("deletions");
    private final FlowsInMemory flows = new FlowsInMemory();
    private final ReceiptsInMemory receipts = new ReceiptsInMemory();
    private final FlowStarts starts = new FlowStarts(flows, (action, namespace, name) -> {});
    private final ClustersController clusters = new ClustersController(
            null,
            new ClusterResolver(CLIENT, new ClusterApi(CLIENT)),
            starts,
            new DeletionRequests(starts, flows, receipts, Clock.fixed(new ManualWorkers().instant(), ZoneOffset.UTC)),
            flows);

    private ClusterRef declared;

    @BeforeEach
    void aWorkloadCluster() {
        declared = workloadCluster("c1");
    }

    @Test
    void startWithWhoAndHowAndEndWhatBuilds() {
        // given
        FlowView init = flows.start("init", declared, "slipway", null);

        // when
        FlowInfo flow = start(new StartFlow("delete", null, "Full", "c1", " the project has ended ", null));

        // then
        assertThat(flow.kind()).isEqualTo("delete");
        assertThat(flow.startedBy()).isEqualTo("alice");
        assertThat(flows.facts(flow.id()))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("deletion.by", "alice", "deletion.subject", "WorkloadCluster", "deletion.mode", "Full"));
        assertThat(flows.find(init.id()).orElseThrow().state()).isEqualTo(FlowState.INTERRUPTED);
        assertThat(receipts.find(flow.id())).hasValueSatisfying(receipt -> {
            assertThat(receipt.reason()).isEqualTo("the project has ended");
            assertThat(receipt.head().startedBy()).isEqualTo("alice");
            assertThat(receipt.head().cluster()).isEqualTo(declared);
        });
    }

    @Test
    void ofAClusterThatNobodyDeclaredAreAboutTheCluster() {
        // given
        cluster("foreign");

        // when
        FlowInfo flow = clusters.start(
                        namespace, "foreign", new StartFlow("delete", null, null, "foreign", null, null), ALICE)
                .getBody();

        // then
        assertThat(flows.facts(flow.id())).containsEntry("deletion.subject", "Cluster");
        assertThat(flows.facts(flow.id())).doesNotContainKey("deletion.mode");
        assertThat(receipts.find(flow.id())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "NotConfirmed, confirm, Full,, because",
        "NotConfirmed, confirm, Full, c2, because",
        "InvalidField, mode, full, c1, because",
    })
    void areRefusedWithoutTheRightFields(String code, String field, String mode, String confirm, String reason) {
        assertThatThrownBy(() -> start(new StartFlow("delete", null, mode, confirm, reason, null)))
                .isInstanceOfSatisfying(ApiProblem.class, problem -> {
                    assertThat(problem.status()).isEqualTo(HttpStatus.BAD_REQUEST);
                    assertThat(problem.code()).isEqualTo(code);
                    assertThat(problem.body().getProperties()).containsEntry("field", field);
                    assertThat(problem.body().getProperties().get("remedy").toString())
                            .isNotEmpty();
                });
        assertThat(flows.latestOfAll()).isEmpty();
    }

    @Test
    void neverAreAboutTheManagementCluster() {
        // given
        cluster("global");

        // then
        assertThatThrownBy(() -> clusters.start(
                        namespace, "global", new StartFlow("delete", null, "Forget", "global", null, null), ALICE))
                .isInstanceOfSatisfying(
                        ApiProblem.class, problem -> assertThat(problem.code()).isEqualTo("ManagementCluster"));
    }

    @Test
    void goOnThoughTheObjectIsBeingDeletedAndStartAgainOnlyWithTheName() {
        // given
        api.merge(path("c1"), "{\"metadata\": {\"finalizers\": [\"slipway.dev/workload-cluster\"]}}");
        api.delete(path("c1"));
        FlowInfo first = start(confirmed());
        flows.end(first.id(), FlowState.ABORTED, "Aborted");

        // then
        assertThatThrownBy(() -> clusters.retry(namespace, "c1", null, ALICE))
                .isInstanceOfSatisfying(
                        ApiProblem.class, problem -> assertThat(problem.code()).isEqualTo("NotConfirmed"));
        assertThat(start(confirmed()).id()).isNotEqualTo(first.id());
        assertThatThrownBy(() -> start(confirmed()))
                .isInstanceOfSatisfying(
                        ApiProblem.class, problem -> assertThat(problem.code()).isEqualTo("FlowActive"));
    }

    @Test
    void asADryRunEndNothing() {
        // given
        StartFlow dryRun = new StartFlow("delete", null, null, "c1", "just looking", true);
        FlowView init = flows.start("init", declared, "slipway", null);

        // then
        assertThatThrownBy(() -> start(dryRun))
                .isInstanceOfSatisfying(
                        ApiProblem.class, problem -> assertThat(problem.code()).isEqualTo("FlowActive"));
        assertThat(flows.find(init.id()).orElseThrow().state()).isEqualTo(FlowState.RUNNING);

        // when
        flows.end(init.id(), FlowState.COMPLETED, "Ready");
        FlowInfo flow = start(dryRun);

        // then
        assertThat(flows.facts(flow.id())).containsEntry("deletion.dryRun", "true");
        assertThat(receipts.find(flow.id())).isEmpty();
    }

    @Test
    void otherFlowsDoNotKnowItsFieldsAndThoseOfWorkItemsAreNoFlowsOfClusters() {
        assertThatThrownBy(() -> start(new StartFlow("init", null, null, "c1", null, null)))
                .isInstanceOfSatisfying(
                        ApiProblem.class,
                        problem -> assertThat(problem.body().getProperties()).containsEntry("field", "confirm"));
        assertThatThrownBy(() -> start(StartFlow.of("work-item-delete", null)))
                .isInstanceOfSatisfying(
                        ApiProblem.class, problem -> assertThat(problem.code()).isEqualTo("UnknownFlow"));
    }

    private static StartFlow confirmed() {
        return new StartFlow("delete", null, null, "c1", null, null);
    }

    private FlowInfo start(StartFlow body) {
        return clusters.start(namespace, "c1", body, ALICE).getBody();
    }

    private void cluster(String name) {
        api.create(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters",
                JsonApi.parse("{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Cluster\","
                        + " \"metadata\": {\"name\": \"" + name + "\"},"
                        + " \"spec\": {\"controlPlaneEndpoint\": {\"host\": \"h\", \"port\": 1}}}"));
    }

    private ClusterRef workloadCluster(String name) {
        String uid = api.create(
                        path(name).replace("/" + name, ""),
                        JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                + " \"metadata\": {\"name\": \"" + name + "\"},"
                                + " \"spec\": {\"version\": \"v1.36.3\", \"topology\": {\"class\": \"any\"}}}"))
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
        return new ClusterRef(namespace, name, uid);
    }

    private String path(String name) {
        return "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/" + name;
    }
}
