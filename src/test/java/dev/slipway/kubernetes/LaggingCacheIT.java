package dev.slipway.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.controlplane.ControlPlane;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1SecretList;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Why phases read live: a cache does not know what was just written. */
class LaggingCacheIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();

    @Test
    void liveReadsSeeWhatWasJustWrittenWhileACacheLags() {
        try (TcpProxy proxy = TcpProxy.to(URI.create(CONTROL_PLANE.server()).getPort())) {
            // given
            String namespace = CONTROL_PLANE.newNamespace("lag");
            KubeClient client = KubeClient.of(CONTROL_PLANE.apiClient());
            ApiClient api = CONTROL_PLANE.apiClient().setBasePath("https://127.0.0.1:" + proxy.port());
            api.setReadTimeout(0);
            SharedInformerFactory informers = new SharedInformerFactory(api);
            SharedIndexInformer<V1Secret> cache = informers.sharedIndexInformerFor(
                    new GenericKubernetesApi<>(V1Secret.class, V1SecretList.class, "", "v1", "secrets", api),
                    V1Secret.class,
                    Duration.ofHours(1).toMillis(),
                    namespace);
            informers.startAllRegisteredInformers();
            client.create(ResourceType.SECRETS, KubeObject.named(ResourceType.SECRETS, namespace, "early"));
            await().until(() -> cache.getIndexer().getByKey(namespace + "/early") != null);

            // when
            proxy.swallowPresent();
            client.create(ResourceType.SECRETS, KubeObject.named(ResourceType.SECRETS, namespace, "a-ca"));

            // then
            assertThat(client.get(ResourceType.SECRETS, namespace, "a-ca")).isPresent();
            assertThat(client.list(ResourceType.SECRETS, namespace, Map.of())).hasSize(2);
            assertThat(cache.getIndexer().getByKey(namespace + "/a-ca")).isNull();
            informers.stopAllRegisteredInformers();
        }
    }
}
