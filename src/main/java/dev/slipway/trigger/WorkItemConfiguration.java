package dev.slipway.trigger;

import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.ClusterWakeup;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.queue.Workers;
import dev.slipway.status.ClusterEvents;
import dev.slipway.workitem.DeclaredItems;
import dev.slipway.workitem.ItemClusters;
import dev.slipway.workitem.ItemProgress;
import dev.slipway.workitem.ItemReleases;
import dev.slipway.workitem.ItemSettings;
import dev.slipway.workitem.LiveItems;
import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Puts together what starts the flows of work items. */
@Configuration(proxyBeanMethods = false)
class WorkItemConfiguration {

    private static final int THREADS = 2;

    @Bean
    ItemProgress itemProgress(ObjectProvider<Flows> flows) {
        return new FlowItemProgress(flows::getObject);
    }

    @Bean
    WorkItemDrift.Looking workItemLooking(
            LiveItems items, ItemProgress progress, ItemClusters clusters, ItemReleases releases) {
        return new WorkItemDrift.Looking(items, progress, clusters, releases);
    }

    @Bean
    ClusterEvents clusterEvents(LiveReader reader, KubeWriter writer, Clock clock) {
        return new ClusterEvents(reader, writer, clock);
    }

    @Bean
    WorkItemDrift workItemDrift(
            ObjectProvider<Flows> flows, WorkItemDrift.Looking looking, ClusterEvents events, ItemSettings settings) {
        WorkItemDrift.Pace pace = new WorkItemDrift.Pace(
                settings.drift(), () -> ThreadLocalRandom.current().nextDouble());
        return new WorkItemDrift(flows::getObject, looking, events, pace, Workers.threads("item-drift", THREADS));
    }

    @Bean
    WorkItemTrigger workItemTrigger(
            ObjectProvider<Flows> flows,
            LiveReader reader,
            KubernetesProperties kubernetes,
            WorkItemDrift drift,
            ObjectProvider<ClusterWakeup> wakeups,
            Clock clock) {
        ClusterWakeup wakeup = (namespace, name) -> wakeups.orderedStream().forEach(each -> each.wake(namespace, name));
        return new WorkItemTrigger(
                flows::getObject,
                reader,
                new WorkItemTrigger.Scope(kubernetes.searched(), drift::installed, wakeup),
                clock,
                Workers.threads("item-trigger", THREADS));
    }

    @Bean
    DeclaredItemsSync declaredItemsSync(ObjectProvider<Flows> flows, LiveReader reader, DeclaredItems declared) {
        return new DeclaredItemsSync(flows::getObject, reader, declared, Workers.threads("declared-items", 1));
    }

    @Bean
    WorkItemStart workItemStart(WorkItemTrigger trigger) {
        return new WorkItemStart(trigger);
    }

    /** Starts the trigger when everything that it uses has started. */
    record WorkItemStart(WorkItemTrigger trigger) {

        @EventListener(ApplicationReadyEvent.class)
        void start() {
            trigger.start();
        }
    }
}
