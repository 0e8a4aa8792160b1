package dev.slipway.trigger;

import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.queue.Workers;
import java.time.Clock;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Puts the triggers together. */
@Configuration(proxyBeanMethods = false)
class TriggerConfiguration {

    private static final int THREADS = 2;

    @Bean
    InitTrigger initTrigger(Flows flows, LiveReader reader, KubernetesProperties kubernetes, Clock clock) {
        return new InitTrigger(flows, reader, kubernetes.searched(), clock, Workers.threads("trigger", THREADS));
    }

    @Bean
    TriggerStart triggerStart(InitTrigger trigger) {
        return new TriggerStart(trigger);
    }

    /** Starts the triggers when everything that they use has started. */
    record TriggerStart(InitTrigger trigger) {

        @EventListener(ApplicationReadyEvent.class)
        void start() {
            trigger.start();
        }
    }
}
