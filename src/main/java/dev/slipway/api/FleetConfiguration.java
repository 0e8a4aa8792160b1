package dev.slipway.api;

import dev.slipway.kubernetes.ClusterWatches;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.WatchHealth;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what shows the fleet. */
@Configuration(proxyBeanMethods = false)
class FleetConfiguration {

    private static final Set<String> SHOWN = Set.of("WorkloadCluster.slipway.dev", "Cluster.cluster.x-k8s.io");

    @Bean
    FleetIndex fleetIndex(
            ClusterResolver resolver,
            KubernetesProperties kubernetes,
            ObjectProvider<ClusterWatches> watches,
            Clock clock) {
        return new FleetIndex(
                resolver,
                kubernetes.searched(),
                () -> watches.stream()
                        .findFirst()
                        .map(all -> hear(all.health()))
                        .orElse(false),
                clock);
    }

    /** A kind that is not served has no objects to hear of. */
    private static boolean hear(List<WatchHealth> health) {
        List<WatchHealth> shown =
                health.stream().filter(watch -> SHOWN.contains(watch.kind())).toList();
        return !shown.isEmpty()
                && shown.stream()
                        .allMatch(watch -> watch.state() == WatchHealth.State.WATCHING
                                || watch.state() == WatchHealth.State.KIND_ABSENT);
    }
}
