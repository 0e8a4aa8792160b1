package dev.slipway.kubernetes;

import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the access to the management cluster and to workload clusters. */
@Configuration(proxyBeanMethods = false)
class KubernetesConfiguration {

    private static final int WORKLOAD_CONNECTIONS = 2;
    private static final Duration WORKLOAD_CONNECTIONS_KEPT = Duration.ofMinutes(1);

    @Bean
    ErrorClassifier errorClassifier() {
        return ErrorClassifier.standard();
    }

    @Bean(destroyMethod = "close")
    RestClient managementApi(KubernetesProperties properties, ErrorClassifier errors) {
        return new RestClient(
                ManagementAccess.ofThisProcess().client(properties.kubeconfig()), settings(properties), errors);
    }

    @Bean
    KubeClient kubeClient(RestClient managementApi, KubernetesProperties properties) {
        return KubeClient.of(managementApi, settings(properties));
    }

    @Bean
    ObjectCheck objectCheck(RestClient managementApi) {
        return new DryRunCreate(managementApi);
    }

    @Bean
    AccessReviews accessReviews(RestClient managementApi) {
        return new AccessReviews(managementApi);
    }

    @Bean
    CachedWorkloadClusters workloadClusters(KubernetesProperties properties, ErrorClassifier errors) {
        CallSettings settings = settings(properties).withIdle(WORKLOAD_CONNECTIONS, WORKLOAD_CONNECTIONS_KEPT);
        return new CachedWorkloadClusters(properties.workloadClients(), settings, errors);
    }

    @Bean
    ClusterWatches clusterWatches(
            RestClient managementApi,
            KubernetesProperties properties,
            ObjectProvider<ClusterWakeup> wakeups,
            ObjectProvider<WorkloadClusterEvents> listeners,
            ObjectProvider<ClusterApiEvents> clusterApiListeners,
            ObjectProvider<WorkItemEvents> workItemListeners) {
        Clock clock = Clock.systemUTC();
        WatchSource source = WatchSource.of(managementApi, new Discovery(managementApi, clock), properties.watch());
        return new ClusterWatches(
                properties.namespaces(),
                source,
                () -> wakeups.orderedStream().toList(),
                () -> listeners.orderedStream().toList(),
                () -> clusterApiListeners.orderedStream().toList(),
                () -> workItemListeners.orderedStream().toList(),
                clock);
    }

    @Bean
    WatchesHealthIndicator watchesHealthIndicator(ClusterWatches watches) {
        return new WatchesHealthIndicator(watches);
    }

    private static CallSettings settings(KubernetesProperties properties) {
        return CallSettings.DEFAULTS.withCall(properties.callTimeout()).withConnect(properties.connectTimeout());
    }
}
