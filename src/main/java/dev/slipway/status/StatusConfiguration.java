package dev.slipway.status;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.queue.Workers;
import dev.slipway.receipt.ReceiptEvents;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the projection together. */
@Configuration(proxyBeanMethods = false)
class StatusConfiguration {

    private static final int THREADS = 2;

    @Bean
    StatusProjector statusProjector(ObjectProvider<Flows> flows, LiveReader reader, KubeWriter writer, Clock clock) {
        return new StatusProjector(flows::getObject, reader, writer, clock, Workers.threads("status", THREADS));
    }

    @Bean
    ItemStatus itemStatus(ObjectProvider<Flows> flows, LiveReader reader, KubeWriter writer, Clock clock) {
        return new ItemStatus(new StatusProjector(
                StatusProjector.Subject.WORK_ITEMS,
                flows::getObject,
                reader,
                writer,
                clock,
                Workers.threads("item-status", 1)));
    }

    @Bean
    ReceiptEvents receiptEvents(LiveReader reader, KubeWriter writer, ClusterApi api, Clock clock) {
        return new ReceiptTelling(reader, api, new ClusterEvents(reader, writer, clock));
    }
}
