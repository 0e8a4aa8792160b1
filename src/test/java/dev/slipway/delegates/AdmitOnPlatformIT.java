package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.cluster.ClusterLab;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.phase.Outcome;
import dev.slipway.platform.PlatformApi;
import dev.slipway.platform.PlatformSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Names of clusters where a platform knows them without a namespace: an API server of its own has that kind. */
class AdmitOnPlatformIT {

    private static final String SPEC = "version: v1.36.3\ntopology: {class: none}\n";
    private static ControlPlane plane;

    @BeforeAll
    static void aPlatform() {
        plane = ControlPlane.builder().etcd(ControlPlane.shared().etcd()).start();
        plane.installCrds();
        plane.json()
                .applyYaml(
                        """
                        apiVersion: apiextensions.k8s.io/v1
                        kind: CustomResourceDefinition
                        metadata: {name: clusters.platform.tkestack.io}
                        spec:
                          group: platform.tkestack.io
                          scope: Cluster
                          names: {plural: clusters, singular: cluster, kind: Cluster, listKind: ClusterList}
                          versions:
                            - name: v1
                              served: true
                              storage: true
                              schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                        """,
                        "");
    }

    @AfterAll
    static void end() {
        plane.close();
    }

    @Test
    void theFirstOfANameKeepsIt() {
        // given
        ClusterLab one = ClusterLab.open(plane, "one");
        ClusterLab two = ClusterLab.open(plane, "two");
        WorkloadCluster first = one.declare("twin", SPEC);
        WorkloadCluster second = two.declare("twin", SPEC);
        // Both may have been made in the same second: then the UID decides.
        boolean inOrder = !first.object().created().equals(second.object().created())
                || first.uid().compareTo(second.uid()) < 0;
        WorkloadCluster keeps = inOrder ? first : second;
        WorkloadCluster loses = inOrder ? second : first;

        // then
        assertThat(problems(one, keeps)).doesNotContain("metadata.name");
        assertThat(problems(two, loses))
                .contains("metadata.name: the platform knows clusters by name only, and " + keeps.namespace()
                        + "/twin has this one");
    }

    @Test
    void wherePlatformsAreNotUsedANameIsThatOfItsNamespace() {
        // given
        ClusterLab one = ClusterLab.open(plane, "one");
        ClusterLab two = ClusterLab.open(plane, "two");
        WorkloadCluster first = one.declare("same", SPEC);
        WorkloadCluster second = two.declare("same", SPEC);

        // then
        assertThat(problems(one, first, PlatformSettings.Api.OFF)).doesNotContain("metadata.name");
        assertThat(problems(two, second, PlatformSettings.Api.OFF)).doesNotContain("metadata.name");
    }

    private static String problems(ClusterLab lab, WorkloadCluster cluster) {
        return problems(lab, cluster, PlatformSettings.Api.AUTO);
    }

    private static String problems(ClusterLab lab, WorkloadCluster cluster, PlatformSettings.Api api) {
        PlatformApi platforms = new PlatformApi(lab.client(), lab.client(), new PlatformSettings(api));
        Outcome outcome = new Admit(lab.clusters(), lab.admission(platforms)).run(lab.context(cluster));
        assertThat(outcome).isInstanceOf(Outcome.Blocked.class);
        return ((Outcome.Blocked) outcome).message();
    }
}
