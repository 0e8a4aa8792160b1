package dev.slipway.delegates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.deletion.DeletionLab;
import dev.slipway.deletion.DeletionMode;
import dev.slipway.phase.Outcome;
import dev.slipway.receipt.Fate;
import org.junit.jupiter.api.Test;

/** Deletions from the first phase to the last, in each mode, on real API servers. */
class WholeDeletionIT {

    @Test
    void aBuiltClusterIsDeletedWithItsRecordsAndNothingIsLeft() {
        try (DeletionLab lab = DeletionLab.declared()) {
            // given
            lab.imported();
            lab.descendant("DevCluster", "infra", "provider/infra");
            lab.descendant("Machine", "m-1", "machine.cluster.x-k8s.io");
            lab.descendant("DevMachine", "m-1", "provider/machine");
            String ca = lab.name() + "-ca";
            lab.secret(ca, "cluster.x-k8s.io/secret", lab.name());
            lab.secret("own-" + ca, "Opaque", lab.name());
            lab.secret("sibling-ca", "cluster.x-k8s.io/secret", "sibling");

            // when
            lab.until("ensureClusterApiClusterGone");
            Outcome waiting = lab.run("ensureClusterApiClusterGone");

            // then
            assertThat(waiting).isInstanceOfSatisfying(Outcome.Waiting.class, wait -> {
                assertThat(wait.reason()).isEqualTo("WaitingForMachinesGone");
                assertThat(wait.message()).contains("Machine " + lab.namespace() + "/m-1", "DevMachine", "DevCluster");
            });
            assertThat(lab.imports().record()).isEmpty();

            // when
            lab.clusterApiFinishes();
            lab.done(
                    "ensureClusterApiClusterGone",
                    "ensureImportFinalizerReleased",
                    "ensureCredentialsGone",
                    "ensureGone");

            // then
            assertThat(lab.cluster()).isEmpty();
            assertThat(lab.workloadCluster()).isEmpty();
            assertThat(lab.imports().credentials()).isEmpty();
            assertThat(lab.secret(ca)).isEmpty();
            assertThat(lab.secret("own-" + ca)).isPresent();
            assertThat(lab.secret("sibling-ca")).isPresent();
            assertThat(lab.fate("Cluster " + lab.ref().display())).contains(Fate.DELETED);
            assertThat(lab.fate("Machine " + lab.namespace() + "/m-1")).contains(Fate.DELETED);
            assertThat(lab.fate("platform Cluster " + lab.name())).contains(Fate.DELETED);
            assertThat(lab.fate("Secret " + lab.namespace() + "/own-" + ca)).contains(Fate.KEPT);
            assertThat(lab.announced()).hasSize(1);
        }
    }

    @Test
    void aClusterWhoseNamespaceIsBeingDeletedEndsAsWell() {
        try (DeletionLab lab = DeletionLab.declared()) {
            // given: whoever deletes the namespace has deleted what is in it, and nothing can be made there any more
            lab.imported();
            lab.management().delete("/api/v1/namespaces/" + lab.namespace());
            lab.management().delete(lab.workloadClusterPath());
            assertThatThrownBy(() -> lab.secret("new", "Opaque", lab.name())).hasMessageContaining("terminated");

            // when
            lab.until("ensureClusterApiClusterGone");
            lab.run("ensureClusterApiClusterGone");
            lab.clusterApiFinishes();
            lab.done(
                    "ensureClusterApiClusterGone",
                    "ensureImportFinalizerReleased",
                    "ensureCredentialsGone",
                    "ensureGone");

            // then
            assertThat(lab.cluster()).isEmpty();
            assertThat(lab.workloadCluster()).isEmpty();
            assertThat(lab.imports().record()).isEmpty();
            assertThat(lab.imports().credentials()).isEmpty();
        }
    }

    @Test
    void aDetachedClusterLivesOnWithNothingOfSlipwayInIt() {
        try (DeletionLab lab = DeletionLab.declared()) {
            // given
            lab.imported().mode(DeletionMode.DETACH);

            // when
            lab.until("ensureRemoteCleaned");
            Outcome first = lab.run("ensureRemoteCleaned");

            // then: what holds it is shown, until the workload cluster has removed the namespace
            assertThat(first).isInstanceOfSatisfying(Outcome.Waiting.class, wait -> assertThat(wait.message())
                    .contains("Namespace " + lab.imports().sentry().namespace(), "kubernetes"));

            // when
            lab.namespaceGoes();
            lab.done(
                    "ensureRemoteCleaned",
                    "ensurePlatformClusterGone",
                    "ensureClusterApiClusterGone",
                    "ensureImportFinalizerReleased",
                    "ensureCredentialsGone",
                    "ensureGone");

            // then: the Cluster lives on, nobody owns it, and it is not imported again
            ObjectNode cluster = lab.cluster().orElseThrow();
            assertThat(cluster.at("/metadata/deletionTimestamp").isMissingNode())
                    .isTrue();
            assertThat(cluster.at("/metadata/ownerReferences")).isEmpty();
            assertThat(cluster.at("/metadata/finalizers")).isEmpty();
            assertThat(cluster.at("/metadata/labels").has("capi.cpaas.io/imported"))
                    .isFalse();
            assertThat(cluster.at("/metadata/annotations")
                            .path("slipway.dev/import")
                            .asText())
                    .isEqualTo("false");
            assertThat(lab.workloadCluster()).isEmpty();
            assertThat(lab.imports().record()).isEmpty();
            assertThat(lab.imports().credentials()).isEmpty();
            assertThat(lab.secret(lab.name() + "-kubeconfig").orElseThrow().at("/metadata/finalizers"))
                    .isEmpty();
            assertThat(lab.workload()
                            .get("/api/v1/namespaces/" + lab.imports().sentry().namespace()))
                    .isEmpty();
            assertThat(lab.fate("Cluster " + lab.ref().display())).contains(Fate.KEPT);
            assertThat(lab.fate(
                            "ServiceAccount " + lab.imports().sentry().namespace() + "/sentry of the workload cluster"))
                    .contains(Fate.DELETED);
        }
    }

    @Test
    void ofAClusterThatOthersBuiltTheClusterGoesAndNothingOfSlipwayStaysInIt() {
        try (DeletionLab lab = DeletionLab.bare()) {
            // given
            lab.management()
                    .merge(
                            lab.imports().clusterPath(),
                            "{\"spec\": {\"controlPlaneRef\": null, \"infrastructureRef\": null}}");
            lab.imported().mode(DeletionMode.FULL);
            assertThat(lab.preview(DeletionMode.FULL).warnings())
                    .anyMatch(warning -> warning.contains("its machines stay"));

            // when
            lab.until("ensureRemoteCleaned");
            lab.run("ensureRemoteCleaned");
            lab.namespaceGoes();
            lab.done(DeletionLab.PHASES.subList(7, 13).toArray(String[]::new));

            // then
            assertThat(lab.cluster()).isEmpty();
            assertThat(lab.imports().credentials()).isEmpty();
            assertThat(lab.workload()
                            .get("/api/v1/namespaces/" + lab.imports().sentry().namespace()))
                    .isEmpty();
        }
    }
}
