package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.slipway.controlplane.ControlPlane;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import io.kubernetes.client.openapi.ApiClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Access to workload clusters through the kubeconfig in a secret. */
class WorkloadClustersIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();

    private final KubeClient client = KubeClient.of(CONTROL_PLANE.apiClient());
    private final String namespace = CONTROL_PLANE.newNamespace("workload");
    private final CachedWorkloadClusters clusters =
            new CachedWorkloadClusters(2, CallSettings.DEFAULTS, ErrorClassifier.standard());

    @AfterEach
    void close() {
        clusters.close();
    }

    @Test
    void readsAndWritesTheWorkloadCluster() {
        // given
        KubeObject secret = secret("a-kubeconfig", CONTROL_PLANE.adminKubeconfig());

        // when
        WorkloadClusters.Workload workload = clusters.open("uid-a", secret);
        workload.ready();
        workload.writer()
                .create(
                        ResourceType.CONFIG_MAPS,
                        KubeObject.named(ResourceType.CONFIG_MAPS, namespace, "made-through-kubeconfig"));

        // then
        assertThat(workload.server()).isEqualTo(CONTROL_PLANE.server());
        assertThat(workload.version()).startsWith("v1.");
        assertThat(workload.reader().list(ResourceType.CONFIG_MAPS, namespace, Map.of()))
                .extracting(KubeObject::name)
                .contains("made-through-kubeconfig");
        assertThat(client.get(ResourceType.CONFIG_MAPS, namespace, "made-through-kubeconfig"))
                .isPresent();
    }

    @Test
    void keepsTheClientUntilTheSecretIsReplaced() {
        // given
        KubeObject secret = secret("a-kubeconfig", CONTROL_PLANE.adminKubeconfig());
        WorkloadClusters.Workload first = clusters.open("uid-a", secret);

        // when
        WorkloadClusters.Workload again = clusters.open("uid-a", read("a-kubeconfig"));
        client.mergePatch(
                ResourceType.SECRETS,
                namespace,
                "a-kubeconfig",
                data(CONTROL_PLANE.kubeconfigFor("nobody", "nothing")).json());
        WorkloadClusters.Workload replaced = clusters.open("uid-a", read("a-kubeconfig"));

        // then
        assertThat(again).isSameAs(first);
        assertThat(replaced).isNotSameAs(first);
        assertThatThrownBy(() -> replaced.reader().list(ResourceType.NODES, "", Map.of()))
                .isInstanceOfSatisfying(
                        Failure.class, f -> assertThat(f.errorClass()).isEqualTo(ErrorClass.AUTH));
        // Whoever still holds the old client finishes with it.
        assertThat(first.reader().get(ResourceType.SECRETS, namespace, "a-kubeconfig"))
                .isPresent();
        assertThat(clusters.size()).isEqualTo(1);
    }

    @Test
    void saysWhomItTrustsWhatIsPresentedAndWhenTheCallersCertificateEnds() {
        // given
        KubeObject secret = secret("a-kubeconfig", CONTROL_PLANE.adminKubeconfig());

        // when
        WorkloadClusters.Workload workload = clusters.open("uid-a", secret);

        // then
        assertThat(workload.authority()).isEqualTo(CONTROL_PLANE.caPem());
        assertThat(workload.presented().get(0).getSubjectX500Principal().getName())
                .isEqualTo("CN=kube-apiserver");
        assertThat(workload.expires())
                .hasValueSatisfying(end -> assertThat(end).isAfter(Instant.now().plus(Duration.ofDays(300))));
    }

    @Test
    void trustsOtherAuthoritiesInPlaceOfTheKubeconfigs() throws Exception {
        // given
        KubeObject secret = secret("a-kubeconfig", CONTROL_PLANE.adminKubeconfig());
        WorkloadClusters.Workload own = clusters.open("uid-a", secret);
        String other = TestTls.authority("other").pem();

        // when
        WorkloadClusters.Workload workload = clusters.open("uid-a", secret, other);

        // then
        assertThat(workload).isNotSameAs(own);
        assertThat(workload.authority()).isEqualTo(other);
        assertThatThrownBy(workload::version)
                .isInstanceOfSatisfying(Failure.class, f -> assertThat(f.code()).isEqualTo("CaUnknown"));
        assertThat(own.version()).startsWith("v1.");
    }

    @Test
    void reviewsATokenWithTheAuthorityThatItsHolderTrusts() throws Exception {
        // given
        WorkloadClusters.Workload workload =
                clusters.open("uid-a", secret("a-kubeconfig", CONTROL_PLANE.adminKubeconfig()));
        WorkloadClusters.Token token = new WorkloadClusters.Token("made-up");
        String other = TestTls.pem(TestTls.authority("another").certificate());

        // then
        assertThat(workload.review(token, workload.authority(), List.of())).isEmpty();
        assertThatThrownBy(() -> workload.review(token, other, List.of()))
                .isInstanceOfSatisfying(
                        Failure.class, f -> assertThat(f.errorClass()).isEqualTo(ErrorClass.TRUST));
        assertThatThrownBy(() -> workload.review(token, "no certificate", List.of()))
                .isInstanceOfSatisfying(Failure.class, f -> {
                    assertThat(f.errorClass()).isEqualTo(ErrorClass.INVALID);
                    assertThat(f.message()).doesNotContain("no certificate", "made-up");
                });
    }

    @Test
    void keepsNoMoreClientsThanAllowed() {
        // given
        KubeObject secret = secret("a-kubeconfig", CONTROL_PLANE.adminKubeconfig());

        // when
        WorkloadClusters.Workload first = clusters.open("uid-1", secret);
        clusters.open("uid-2", secret);
        clusters.open("uid-3", secret);

        // then
        assertThat(clusters.size()).isEqualTo(2);
        assertThat(clusters.open("uid-1", secret)).isNotSameAs(first);
    }

    @Test
    void refusesASecretWithoutKubeconfig() {
        // given
        KubeObject empty = KubeObject.named(ResourceType.SECRETS, namespace, "a-kubeconfig");

        // then
        assertThatThrownBy(() -> clusters.open("uid-a", empty)).isInstanceOfSatisfying(Failure.class, f -> {
            assertThat(f.code()).isEqualTo("KubeconfigInvalid");
            assertThat(f.errorClass()).isEqualTo(ErrorClass.INVALID);
            assertThat(f.message()).contains(namespace + "/a-kubeconfig").contains("'value'");
        });
    }

    @Test
    void saysWhichChecksFailWhileTheApiServerIsNotReady() throws Exception {
        // given
        HttpServer server =
                TestTls.http(TestTls.answering(500, "[+]ping ok\n[-]etcd failed: reason withheld\nreadyz failed"));
        ApiClient api = new ApiClient()
                .setBasePath("http://127.0.0.1:" + server.getAddress().getPort());
        RestClient rest = new RestClient(api, CallSettings.DEFAULTS, ErrorClassifier.standard());
        WorkloadClient workload = new WorkloadClient(
                rest,
                CallSettings.DEFAULTS,
                new WorkloadAccess(api.getBasePath(), "", "", "", "", ""),
                (token, authority) -> rest);

        // when
        Failure failure = catchThrowableOfType(Failure.class, workload::ready);

        // then
        server.stop(0);
        assertThat(failure.code()).isEqualTo("ApiNotReady");
        assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRANSIENT);
        assertThat(failure.message()).contains("etcd failed").doesNotContain("ping");
    }

    private KubeObject secret(String name, String kubeconfig) {
        KubeObject secret = data(kubeconfig);
        secret.json().withObject("metadata").put("namespace", namespace).put("name", name);
        return client.create(ResourceType.SECRETS, secret).orElseThrow();
    }

    private KubeObject read(String name) {
        return client.get(ResourceType.SECRETS, namespace, name).orElseThrow();
    }

    private static KubeObject data(String kubeconfig) {
        KubeObject secret = new KubeObject(Json.object());
        String value = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
        secret.json().putObject("data").put("value", value);
        return secret;
    }
}
