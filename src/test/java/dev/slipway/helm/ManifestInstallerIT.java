package dev.slipway.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.helm.Progress.Done;
import dev.slipway.helm.Progress.Underway;
import dev.slipway.kubernetes.KubeObject;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.kubernetes.WorkloadClusters.Workload;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Plain manifests on a real API server. */
class ManifestInstallerIT {

    private static final ResourceType DEPLOYMENTS = new ResourceType("apps", "v1", "deployments", "Deployment", true);

    private final Workload workload = HelmLab.workload();
    private final String namespace = ControlPlane.shared().newNamespace("manifests");
    private final ReleaseName name = new ReleaseName(namespace, "addon");
    private final ManifestInstaller installer = new ManifestInstaller(workload);

    @Test
    void objectsThatVanishFromTheManifestsAreDeleted() {
        // given
        apply(configMap("a") + configMap("b"));

        // when
        Progress progress = apply(configMap("b"));

        // then
        assertThat(progress).isEqualTo(new Done());
        assertThat(find("a")).isEmpty();
        assertThat(find("b")).isPresent();
        assertThat(installer.installed(name)).extracting(ObjectId::name).containsExactly("b");
    }

    @Test
    void applyingTwiceChangesNothing() {
        // given
        apply(configMap("a"));
        String version = find("a").orElseThrow().resourceVersion();
        String inventory = find("slipway-inventory-addon").orElseThrow().resourceVersion();

        // when
        apply(configMap("a"));

        // then
        assertThat(find("a")).map(KubeObject::resourceVersion).contains(version);
        assertThat(find("slipway-inventory-addon"))
                .map(KubeObject::resourceVersion)
                .contains(inventory);
    }

    @Test
    void whatWasThereBeforeIsChangedButNeverDeleted() {
        // given
        workload.writer()
                .create(ResourceType.CONFIG_MAPS, KubeObject.named(ResourceType.CONFIG_MAPS, namespace, "theirs"));
        apply(configMap("theirs") + configMap("ours"));
        assertThat(find("theirs").flatMap(map -> map.text("data", "key"))).contains("value");

        // when
        Progress progress = installer.delete(name);

        // then
        assertThat(progress).isEqualTo(new Done());
        assertThat(find("theirs")).isPresent();
        assertThat(find("ours")).isEmpty();
        assertThat(installer.installed(name)).isEmpty();
    }

    @Test
    void anObjectOfAnotherInstallationIsNotTaken() {
        // given
        new ManifestInstaller(workload).apply(new ReleaseName(namespace, "other"), "the other test", configMap("a"));

        // then
        assertThatThrownBy(() -> apply(configMap("new") + configMap("a")))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.errorClass()).isEqualTo(ErrorClass.IDENTITY);
                    assertThat(failure.message()).contains("ConfigMap " + namespace + "/a", namespace + "/other");
                });
        assertThat(find("new")).isEmpty();
    }

    @Test
    void customResourcesFollowTheirDefinitionWhichIsKept() {
        // given
        String group = namespace + ".example.com";
        String manifests = thing(group) + definition(group);

        // when
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> apply(manifests)
                .equals(new Done()));
        ResourceType things = workload.reader().find(group, "Thing").orElseThrow();

        // then
        assertThat(workload.reader().get(things, namespace, "one")).isPresent();
        assertThat(new ReadinessProbe(workload.reader()).notReady(installer.installed(name)))
                .isEmpty();
        assertThat(installer.delete(name)).isEqualTo(new Done());
        assertThat(workload.reader().get(things, namespace, "one")).isEmpty();
        assertThat(workload.reader().get(ResourceType.CUSTOM_RESOURCE_DEFINITIONS, "", "things." + group))
                .isPresent();
    }

    @Test
    void aKindThatNobodyDefinesIsInvalidAndNothingIsWritten() {
        assertThatThrownBy(() -> apply(configMap("a") + thing("nobody.example.com")))
                .isInstanceOfSatisfying(Failure.class, failure -> {
                    assertThat(failure.code()).isEqualTo("KindAbsent");
                    assertThat(failure.message()).contains("Thing of nobody.example.com/v1");
                });
        assertThat(find("a")).isEmpty();
    }

    @Test
    void deletionIsUnderwayWhileAFinalizerHolds() {
        // given
        apply(configMap("held"));
        workload.writer().addFinalizer(ResourceType.CONFIG_MAPS, find("held").orElseThrow(), "example.com/held");

        // when
        Progress first = installer.delete(name);
        workload.writer().removeFinalizer(ResourceType.CONFIG_MAPS, namespace, "held", "example.com/held");
        Progress second = installer.delete(name);

        // then
        assertThat(first).isInstanceOfSatisfying(Underway.class, underway -> assertThat(underway.message())
                .contains("ConfigMap " + namespace + "/held"));
        assertThat(second).isEqualTo(new Done());
    }

    @Test
    void aDeploymentIsReadyWhenItsControllerSaysSo() {
        // given
        apply(DEPLOYMENT);
        ReadinessProbe probe = new ReadinessProbe(workload.reader());
        ObjectId id = new ObjectId("apps", "Deployment", namespace, "web");
        assertThat(probe.notReady(installer.installed(name))).containsOnlyKeys(id);

        // when
        ObjectNode status = workload.reader()
                .get(DEPLOYMENTS, namespace, "web")
                .orElseThrow()
                .json()
                .objectNode();
        status.putObject("status")
                .put("observedGeneration", 1)
                .put("replicas", 1)
                .put("updatedReplicas", 1)
                .put("readyReplicas", 1)
                .put("availableReplicas", 1);
        workload.writer().mergePatchStatus(DEPLOYMENTS, namespace, "web", status);

        // then
        assertThat(probe.notReady(installer.installed(name))).isEmpty();
    }

    @Test
    void brokenYamlIsInvalidWithTheDocumentAndWithoutTheText() {
        assertThatThrownBy(() -> apply(configMap("a") + "---\nkind: [geheim\n"))
                .isInstanceOfSatisfying(Failure.class, failure -> assertThat(failure.message())
                        .contains("Document 2 of the test")
                        .doesNotContain("geheim"));
    }

    private Progress apply(String yaml) {
        return installer.apply(name, "the test", yaml);
    }

    private Optional<KubeObject> find(String map) {
        return workload.reader().get(ResourceType.CONFIG_MAPS, namespace, map);
    }

    private static String configMap(String map) {
        return "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + map + "\ndata:\n  key: value\n";
    }

    private static String thing(String group) {
        return "---\napiVersion: " + group + "/v1\nkind: Thing\nmetadata:\n  name: one\n";
    }

    private static String definition(String group) {
        return """
                ---
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: things.%1$s
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {kind: Thing, plural: things}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """
                .formatted(group);
    }

    private static final String DEPLOYMENT =
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: web
            spec:
              selector:
                matchLabels: {app: web}
              template:
                metadata:
                  labels: {app: web}
                spec:
                  containers: [{name: web, image: web}]
            """;
}
