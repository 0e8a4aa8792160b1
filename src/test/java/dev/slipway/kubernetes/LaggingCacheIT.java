package dev.slipway.kubernetes;

import static dev.slipway.faults.Calls.resource;
import static dev.slipway.faults.Calls.verb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.controlplane.ControlPlane;
import dev.slipway.faults.FaultInjector;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1SecretList;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Why phases read live: a cache does not know what was just written. */
class LaggingCacheIT {

    private static final ControlPlane CONTROL_PLANE = ControlPlane.shared();

    @Test
    @Tag("S1")
    void liveReadsSeeWhatWasJustWrittenWhileACacheLags() {
        try (FaultInjector faults = FaultInjector.before(CONTROL_PLANE)) {
            // given
            String namespace = CONTROL_PLANE.newNamespace("lag");
            KubeClient client = KubeClient.of(CONTROL_PLANE.apiClient());
            client.create(ResourceType.SECRETS, KubeObject.named(ResourceType.SECRETS, namespace, "early"));
            faults.on(verb("watch"), resource("secrets")).silence(Duration.ZERO);
            ApiClient api = faults.apiClient();
            api.setReadTimeout(0);
            SharedInformerFactory informers = new SharedInformerFactory(api);
            SharedIndexInformer<V1Secret> cache = informers.sharedIndexInformerFor(
                    new GenericKubernetesApi<>(V1Secret.class, V1SecretList.class, "", "v1", "secrets", api),
                    V1Secret.class,
                    Duration.ofHours(1).toMillis(),
                    namespace);
            informers.startAllRegisteredInformers();
            await().until(() -> cache.getIndexer().getByKey(namespace + "/early") != null);

            // when
            client.create(ResourceType.SECRETS, KubeObject.named(ResourceType.SECRETS, namespace, "a-ca"));

            // then
            assertThat(client.get(ResourceType.SECRETS, namespace, "a-ca")).isPresent();
            assertThat(client.list(ResourceType.SECRETS, namespace, Map.of())).hasSize(2);
            assertThat(cache.getIndexer().getByKey(namespace + "/a-ca")).isNull();
            informers.stopAllRegisteredInformers();
        }
    }
}
