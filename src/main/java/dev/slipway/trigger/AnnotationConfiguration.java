package dev.slipway.trigger;

import dev.slipway.audit.AuditOrigins;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.Occasions;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.queue.Workers;
import dev.slipway.status.ClusterEvents;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Puts together what annotations bring about. */
@Configuration(proxyBeanMethods = false)
class AnnotationConfiguration {

    private static final int THREADS = 2;

    @Bean
    AnnotationAnswers.Access annotationAccess(LiveReader reader, KubeWriter writer, ClusterEvents events) {
        return new AnnotationAnswers.Access(reader, writer, events);
    }

    @Bean
    AnnotationAnswers annotationAnswers(
            AnnotationAnswers.Access access,
            Flows flows,
            Decisions decisions,
            Occasions occasions,
            AuditOrigins origins) {
        return new AnnotationAnswers(
                access, new AnnotatedRetry(flows, occasions), new AnnotatedPause(flows, decisions, occasions), origins);
    }

    @Bean
    AnnotationTrigger annotationTrigger(
            LiveReader reader,
            ObjectProvider<Flows> flows,
            ObjectProvider<AnnotationAnswers> answers,
            KubernetesProperties kubernetes) {
        return new AnnotationTrigger(
                reader,
                flows::getObject,
                answers::getObject,
                kubernetes.searched(),
                Workers.threads("annotations", THREADS));
    }

    @Bean
    AnnotationStart annotationStart(AnnotationTrigger trigger) {
        return new AnnotationStart(trigger);
    }

    /** Starts the trigger when everything that it uses has started. */
    record AnnotationStart(AnnotationTrigger trigger) {

        @EventListener(ApplicationReadyEvent.class)
        void start() {
            trigger.start();
        }
    }
}
