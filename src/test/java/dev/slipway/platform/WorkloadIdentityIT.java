package dev.slipway.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.controlplane.JsonApi;
import dev.slipway.kubernetes.KubeClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who a real workload cluster is. */
class WorkloadIdentityIT {

    private static final String CRD =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/clusterproperties.about.k8s.io";
    private static final String PROPERTIES = "/apis/about.k8s.io/v1/clusterproperties";

    private final ControlPlane plane = PlatformLab.plane();
    private final KubeClient client = PlatformLab.client();
    private final String uid = plane.json()
            .get("/api/v1/namespaces/kube-system")
            .orElseThrow()
            .path("metadata")
            .path("uid")
            .asText();

    @AfterEach
    void removeTheAboutApi() {
        if (plane.json().get(CRD).isPresent()) {
            plane.json().delete(CRD);
        }
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> plane.json().get(PROPERTIES).isEmpty());
    }

    @Test
    void isTheUidOfKubeSystemWithoutTheAboutApi() {
        assertThat(WorkloadIdentity.read(client)).isEqualTo(new WorkloadIdentity(uid, uid));
    }

    @Test
    void isTheClusterPropertyWhereOneIsSet() {
        // given
        installTheAboutApi();
        assertThat(WorkloadIdentity.read(client)).as("served, but not set").isEqualTo(new WorkloadIdentity(uid, uid));

        // when
        plane.json()
                .create(
                        PROPERTIES,
                        JsonApi.parse(
                                """
                                {"apiVersion": "about.k8s.io/v1", "kind": "ClusterProperty",
                                 "metadata": {"name": "cluster.clusterset.k8s.io"}, "spec": {"value": "east-1"}}"""));

        // then
        assertThat(WorkloadIdentity.read(client)).isEqualTo(new WorkloadIdentity("east-1", uid));
    }

    private void installTheAboutApi() {
        plane.json()
                .applyYaml(
                        """
                        apiVersion: apiextensions.k8s.io/v1
                        kind: CustomResourceDefinition
                        metadata:
                          name: clusterproperties.about.k8s.io
                          annotations: {api-approved.kubernetes.io: "unapproved, for tests"}
                        spec:
                          group: about.k8s.io
                          scope: Cluster
                          names: {plural: clusterproperties, singular: clusterproperty, kind: ClusterProperty,
                                  listKind: ClusterPropertyList}
                          versions:
                            - name: v1
                              served: true
                              storage: true
                              schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                        """,
                        "");
        // The server answers 429 while it makes room for a new kind.
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> plane.json().get(PROPERTIES).isPresent());
    }
}
