package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.MovedClock;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.FlowsInMemory;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Failure;
import dev.slipway.receipt.Head;
import dev.slipway.receipt.ReceiptsInMemory;
import dev.slipway.storage.Slice;
import io.kubernetes.client.openapi.ApiClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What lists show, also while the management cluster does not answer. */
class FleetViewIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();

    private final JsonApi api = CONTROL_PLANE.json();
    private final FlowsInMemory flows = new FlowsInMemory();
    private final ReceiptsInMemory receipts = new ReceiptsInMemory();
    private final String namespace = CONTROL_PLANE.newNamespace("fleet");
    private final MovedClock clock = new MovedClock();

    @Test
    void asksTheApiServerSeldomHoweverOftenItIsAsked() {
        // given
        FleetView fleet = view(KubeClient.of(CONTROL_PLANE.apiClient()));
        create("c1");
        assertThat(fleet.list(FleetQuery.ALL, Slice.first(100)).items()).hasSize(1);

        // when
        create("c2");

        // then
        assertThat(fleet.list(FleetQuery.ALL, Slice.first(100)).items()).hasSize(1);
        clock.move(Duration.ofSeconds(30));
        assertThat(fleet.list(FleetQuery.ALL, Slice.first(100)).items()).hasSize(2);
    }

    @Test
    void showsAClusterThatHasNoFlowYet() {
        // given
        create("c1");

        // when
        ClusterInfo.Page page = view(KubeClient.of(CONTROL_PLANE.apiClient())).list(FleetQuery.ALL, Slice.first(100));

        // then
        assertThat(page.warning()).isNull();
        assertThat(page.items()).singleElement().satisfies(cluster -> {
            assertThat(cluster.phase()).isEqualTo("Pending");
            assertThat(cluster.flow()).isNull();
            assertThat(cluster.version()).isEqualTo("v1.36.3");
        });
    }

    @Test
    void leavesOutClustersThatAreGone() {
        // given
        flows.start("init", new ClusterRef(namespace, "gone", "uid-of-gone"), "slipway", null);

        // when, then
        assertThat(view(KubeClient.of(CONTROL_PLANE.apiClient()))
                        .list(FleetQuery.ALL, Slice.first(100))
                        .items())
                .isEmpty();
    }

    @Test
    void showsClustersWithoutAWorkloadClusterThatAreImportedOrMeantToBe() {
        // given
        create("both");
        createOfClusterApi("both", "c1-cluster", "candidate", "imported", "nobodys");
        String uid = api.get(clusters() + "/imported")
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
        String flow = flows.start("import", new ClusterRef(namespace, "imported", uid), "slipway", null)
                .id();
        flows.end(flow, FlowState.COMPLETED, "Imported");
        FleetView fleet = view(KubeClient.of(CONTROL_PLANE.apiClient()));

        // when
        List<ClusterInfo> items = fleet.list(FleetQuery.ALL, Slice.first(100)).items();

        // then
        assertThat(items)
                .extracting(one -> one.name() + " " + one.origin().text() + " " + one.phase() + " " + one.ready())
                .containsExactly(
                        "both WorkloadCluster Pending false",
                        "candidate Cluster Pending false",
                        "imported Cluster Ready true");
        ClusterInfo.Details details = fleet.details(namespace, "imported");
        assertThat(details.cluster().uid()).isEqualTo(uid);
        assertThat(details.flows()).singleElement().satisfies(one -> assertThat(one.kind())
                .isEqualTo("import"));
        assertThat(details.conditions().findValuesAsText("type"))
                .containsExactly("Ready", "Imported", "Stuck", "ManualInterventionRequired");
        assertThat(fleet.details(namespace, "nobodys").cluster().phase()).isEqualTo("Pending");
        assertThatThrownBy(() -> fleet.details(namespace, "absent"))
                .isInstanceOf(ApiProblem.class)
                .hasMessage("There is neither a WorkloadCluster nor a Cluster " + namespace + "/absent");
    }

    @Test
    void showsWhatTheDatabaseKnowsWithAWarningWhileNobodyAnswers() {
        // given
        FleetView fleet = view(nobody());
        String flow = flows.start("init", new ClusterRef(namespace, "c1", "uid-1"), "slipway", null)
                .id();
        flows.end(flow, FlowState.COMPLETED, "Ready");

        // when
        ClusterInfo.Page page = fleet.list(FleetQuery.ALL, Slice.first(100));
        ClusterInfo.Details details = fleet.details(namespace, "c1");

        // then
        assertThat(page.warning()).contains("does not answer");
        assertThat(page.items()).singleElement().satisfies(cluster -> {
            assertThat(cluster.phase()).isEqualTo("Ready");
            assertThat(cluster.version()).isNull();
        });
        assertThat(details.warning()).contains("does not answer");
        assertThat(details.flows()).hasSize(1);
        assertThatThrownBy(() -> fleet.details(namespace, "unknown")).isInstanceOf(Failure.class);
    }

    @Test
    void showsADeclaredClusterThatIsBeingDeletedWithItsReceiptAndNoWorkItems() {
        // given
        create("c1");
        String uid = api.get("/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/c1")
                .orElseThrow()
                .at("/metadata/uid")
                .asText();
        ClusterRef ref = new ClusterRef(namespace, "c1", uid);
        FlowView deletion = flows.start("delete", ref, "alice", null);
        flows.start("work-item-install", new ClusterRef(namespace, "item", "uid-of-item"), "slipway", null);
        receipts.open(new Head(deletion.id(), "delete", ref, "Full", "alice", deletion.startedAt()));
        receipts.open(new Head("x", "work-item-delete", ref, null, "alice", deletion.startedAt()));

        // then
        ClusterInfo.Details details =
                view(KubeClient.of(CONTROL_PLANE.apiClient())).details(namespace, "c1");
        assertThat(details.cluster().phase()).isEqualTo("Deleting");
        assertThat(details.conditions().findValuesAsText("type")).contains("Deleting");
        assertThat(details.receipt()).satisfies(receipt -> {
            assertThat(receipt.flow()).isEqualTo(deletion.id());
            assertThat(receipt.mode()).isEqualTo("Full");
            assertThat(receipt.result()).isNull();
        });
        assertThat(view(nobody()).list(FleetQuery.ALL, Slice.first(100)).items())
                .extracting(ClusterInfo::name)
                .containsExactly("c1");
    }

    @Test
    void hearsOfChangesWithoutAskingAgainWhileItIsWatched() {
        // given
        create("c1");
        createOfClusterApi("candidate");
        ClusterResolver resolver = resolver(KubeClient.of(CONTROL_PLANE.apiClient()));
        FleetIndex index = new FleetIndex(resolver, List.of(namespace), () -> true, clock);
        assertThat(names(index)).containsExactlyInAnyOrder("c1", "candidate");

        // when: nobody tells
        create("c2");
        createOfClusterApi("c3");
        clock.move(Duration.ofSeconds(30));

        // then
        assertThat(names(index)).containsExactlyInAnyOrder("c1", "candidate");

        // when: the watches tell
        index.seen(read("/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/c2"));
        index.clusterSeen(read(clusters() + "/c3"));
        KubeObject gone = read(clusters() + "/candidate");
        index.clusterGone(namespace, "candidate", gone.uid());
        index.gone(namespace, "c1", "another-uid");

        // then
        assertThat(names(index)).containsExactlyInAnyOrder("c1", "c2", "c3");

        // when: it is time to make sure
        clock.move(Duration.ofSeconds(31));

        // then
        assertThat(names(index)).containsExactlyInAnyOrder("c1", "c2", "c3", "candidate");
    }

    @Test
    void doesNotGoBackToWhatItHeardBefore() {
        // given
        create("c1");
        String path = "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters/c1";
        KubeObject before = read(path);
        api.merge(path, JsonApi.parse("{\"metadata\": {\"labels\": {\"a\": \"b\"}}}"));
        ClusterResolver resolver = resolver(KubeClient.of(CONTROL_PLANE.apiClient()));
        FleetIndex index = new FleetIndex(resolver, List.of(namespace), () -> true, clock);
        index.contents();

        // when
        index.seen(before);

        // then
        assertThat(index.contents().clusters())
                .singleElement()
                .satisfies(cluster -> assertThat(cluster.object().labels()).containsEntry("a", "b"));
    }

    private KubeObject read(String path) {
        return new KubeObject((ObjectNode) api.get(path).orElseThrow());
    }

    private static List<String> names(FleetIndex index) {
        return index.contents().clusters().stream()
                .map(cluster -> cluster.ref().name())
                .toList();
    }

    private static ClusterResolver resolver(KubeClient client) {
        return new ClusterResolver(client, new ClusterApi(client));
    }

    private void createOfClusterApi(String... names) {
        for (String name : names) {
            assertThat(api.create(
                            clusters(),
                            JsonApi.parse("{\"apiVersion\": \"cluster.x-k8s.io/v1beta2\", \"kind\": \"Cluster\","
                                    + " \"metadata\": {\"name\": \"" + name + "\"},"
                                    + " \"spec\": {\"controlPlaneEndpoint\": {\"host\": \"h\", \"port\": 1}}}")))
                    .isPresent();
        }
    }

    private String clusters() {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters";
    }

    private FleetView view(KubeClient client) {
        ClusterResolver resolver = resolver(client);
        return new FleetView(
                resolver,
                new FleetIndex(resolver, List.of(namespace), () -> false, clock),
                cluster -> cluster.name().equals("candidate"),
                flows,
                receipts,
                clock);
    }

    /** Port 1: every connection is refused. */
    private static KubeClient nobody() {
        ApiClient client = new ApiClient();
        client.setBasePath("http://127.0.0.1:1");
        return KubeClient.of(client);
    }

    private void create(String name) {
        assertThat(api.create(
                        "/apis/slipway.dev/v1alpha1/namespaces/" + namespace + "/workloadclusters",
                        JsonApi.parse("{\"apiVersion\": \"slipway.dev/v1alpha1\", \"kind\": \"WorkloadCluster\","
                                + " \"metadata\": {\"name\": \"" + name + "\"},"
                                + " \"spec\": {\"version\": \"v1.36.3\", \"topology\": {\"class\": \"any\"}}}")))
                .isPresent();
    }
}
