package dev.slipway.delegates;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.kubernetes.KubeClient;
import dev.slipway.kubernetes.ResourceType;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.pki.CertificatePurpose;
import dev.slipway.pki.CertificateSettings;
import dev.slipway.pki.ClusterCertificates;
import dev.slipway.pki.KeyAlgorithm;
import dev.slipway.pki.KeyMaker;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1SecretList;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.time.Duration;

/**
 * EnsureCertificates as it must not be, after a public report: the behaviour that the cases are about.
 *
 * <p>It reads from an informer's cache, takes "not in the cache" for "not there", answers AlreadyExists with delete and
 * create, and fails for good when the cache does not show what it has just written.
 */
final class CachingCertificates implements Phase, AutoCloseable {

    private final KubeClient client;
    private final SharedInformerFactory informers;
    private final SharedIndexInformer<V1Secret> cache;

    /** Starts its cache; both reads and writes go through that client. */
    CachingCertificates(ApiClient api, String namespace) {
        this.client = KubeClient.of(api);
        ApiClient watching = api.setReadTimeout(0);
        this.informers = new SharedInformerFactory(watching);
        this.cache = informers.sharedIndexInformerFor(
                new GenericKubernetesApi<>(V1Secret.class, V1SecretList.class, "", "v1", "secrets", watching),
                V1Secret.class,
                Duration.ofHours(1).toMillis(),
                namespace);
        informers.startAllRegisteredInformers();
    }

    boolean synced() {
        return cache.hasSynced();
    }

    boolean caches(String namespace, String name) {
        return cache.getIndexer().getByKey(namespace + "/" + name) != null;
    }

    @Override
    public Outcome run(PhaseContext context) {
        CapiCluster cluster = new ClusterApi(client)
                .cluster(context.cluster().namespace(), context.cluster().name())
                .orElseThrow();
        for (CertificatePurpose purpose : CertificatePurpose.REQUIRED) {
            if (needed(cluster, purpose)) {
                generate(cluster, purpose, context);
            }
        }
        for (CertificatePurpose purpose : CertificatePurpose.REQUIRED) {
            if (needed(cluster, purpose)) {
                throw new IllegalStateException("certs need generate again");
            }
        }
        return Outcome.done("certificates are there");
    }

    private boolean needed(CapiCluster cluster, CertificatePurpose purpose) {
        return !caches(cluster.namespace(), purpose.secretName(cluster.name()));
    }

    private void generate(CapiCluster cluster, CertificatePurpose purpose, PhaseContext context) {
        CertificateSettings settings =
                new CertificateSettings(KeyAlgorithm.ECDSA_P256, Duration.ofDays(365), Duration.ofDays(30));
        var secret =
                ClusterCertificates.secret(purpose, cluster, new KeyMaker().generate(purpose, settings, context.now()));
        if (client.create(ResourceType.SECRETS, secret).isEmpty()) {
            client.get(ResourceType.SECRETS, cluster.namespace(), secret.name())
                    .ifPresent(
                            old -> client.delete(ResourceType.SECRETS, cluster.namespace(), secret.name(), old.uid()));
            client.create(ResourceType.SECRETS, secret);
        }
    }

    @Override
    public void close() {
        informers.stopAllRegisteredInformers();
    }
}
