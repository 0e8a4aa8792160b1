package dev.slipway.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a credential when somebody deletes the platform's record, with a real garbage collector. */
class DeletedRecordIT {

    private static ControlPlane plane;

    @BeforeAll
    static void start() {
        plane = ControlPlane.builder()
                .etcd(ControlPlane.shared().etcd())
                .controllers(true)
                .start();
        plane.installCrds();
        plane.installCrds("classpath:platform/crds/*.yaml");
    }

    @AfterAll
    static void end() {
        plane.close();
    }

    @Test
    @Tag("T17")
    void theCredentialGoesWithTheRecordOfItsCluster() {
        try (ImportLab lab = ImportLab.open(plane)) {
            // given
            lab.kubeconfig(ImportLab.workloadPlane().adminKubeconfig());
            lab.done(
                    "admitImport",
                    "ensureControlPlaneReachable",
                    "ensureIdentity",
                    "ensureImportFinalizer",
                    "ensureWorkloadNamespace",
                    "ensureSentry",
                    "ensureSentryToken");
            lab.imported();
            assertThat(known(lab)).containsExactly("cc-" + lab.name());

            // when
            lab.management().delete(lab.recordPath());

            // then
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(known(lab)).isEmpty());
        }
    }

    /** The names of the credentials that any mark says are the cluster's. */
    private static List<String> known(ImportLab lab) {
        return lab.management().list(lab.credentialPath("")).stream()
                .filter(credential -> marks(credential).contains(lab.name()))
                .map(credential -> credential.at("/metadata/name").asText())
                .toList();
    }

    private static List<String> marks(ObjectNode credential) {
        var labels = credential.at("/metadata/labels");
        return List.of(
                labels.path("cluster.x-k8s.io/cluster-name").asText(),
                labels.path("tkestack.io/cluster-name").asText(),
                credential.path("clusterName").asText());
    }
}
