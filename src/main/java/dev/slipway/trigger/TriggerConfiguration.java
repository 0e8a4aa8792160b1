package dev.slipway.trigger;

import dev.slipway.cluster.ClusterApi;
import dev.slipway.imports.ImportAccess;
import dev.slipway.imports.ImportSettings;
import dev.slipway.imports.ImportTargets;
import dev.slipway.kernel.Flows;
import dev.slipway.kubernetes.KubeWriter;
import dev.slipway.kubernetes.KubernetesProperties;
import dev.slipway.kubernetes.LiveReader;
import dev.slipway.platform.PlatformApi;
import dev.slipway.queue.Workers;
import dev.slipway.sentry.SentryInspection;
import dev.slipway.status.ClusterEvents;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Puts the triggers together. */
@Configuration(proxyBeanMethods = false)
class TriggerConfiguration {

    private static final int THREADS = 2;
    /** Of the drift watch: most of a look is waiting for an answer. */
    private static final int LOOKS_AT_ONCE = 4;

    @Bean
    InitTrigger initTrigger(
            Flows flows, LiveReader reader, DeletionStarts deletions, KubernetesProperties kubernetes, Clock clock) {
        return new InitTrigger(
                flows, reader, deletions, kubernetes.searched(), clock, Workers.threads("trigger", THREADS));
    }

    @Bean
    PlatformPresence platformHealthIndicator(PlatformApi platform) {
        return new PlatformPresence(platform);
    }

    @Bean
    ImportStarts importStarts(Flows flows, Clock clock) {
        return new ImportStarts(flows, clock);
    }

    @Bean
    DeletionStarts deletionStarts(Flows flows, LiveReader reader, KubeWriter writer, Clock clock) {
        return new DeletionStarts(flows, reader, new ClusterEvents(reader, writer, clock), clock);
    }

    @Bean
    ImportTrigger.Starts triggerStarts(ImportStarts imports, DeletionStarts deletions) {
        return new ImportTrigger.Starts(imports, deletions);
    }

    @Bean
    ImportTrigger.Policy importPolicy(ImportSettings settings, PlatformPresence platform) {
        return new ImportTrigger.Policy(settings.watch(), settings.selected(), platform);
    }

    @Bean
    ImportCandidates importCandidates(ImportTrigger.Policy policy) {
        return cluster -> policy.wants(cluster) && policy.platform().isServed();
    }

    @Bean
    DriftCheck driftCheck(ImportAccess access, SentryInspection sentry, Clock clock) {
        return new DriftCheck(access, sentry, clock);
    }

    @Bean
    DriftWatch.Scope driftScope(
            ImportTargets targets, PlatformApi platform, ImportTrigger.Policy policy, ImportSettings settings) {
        return new DriftWatch.Scope(targets, platform, policy, settings.drift());
    }

    @Bean
    DriftWatch.Telling driftTelling(LiveReader reader, KubeWriter writer, Clock clock, MeterRegistry meters) {
        return new DriftWatch.Telling(new ClusterEvents(reader, writer, clock), meters);
    }

    @Bean
    DriftWatch driftWatch(
            DriftWatch.Scope scope, Flows flows, ImportStarts starts, DriftCheck check, DriftWatch.Telling telling) {
        return new DriftWatch(
                scope,
                flows,
                starts,
                check,
                telling,
                () -> ThreadLocalRandom.current().nextDouble(),
                Workers.threads("drift", LOOKS_AT_ONCE));
    }

    @Bean
    ImportTrigger importTrigger(
            Flows flows,
            ClusterApi api,
            KubernetesProperties kubernetes,
            ImportTrigger.Policy policy,
            ImportTrigger.Starts starts,
            DriftWatch drift,
            Clock clock) {
        return new ImportTrigger(
                flows,
                api,
                kubernetes.searched(),
                policy,
                starts,
                drift::imported,
                clock,
                Workers.threads("import-trigger", THREADS));
    }

    @Bean
    TriggerStart triggerStart(InitTrigger init, ImportTrigger imports) {
        return new TriggerStart(init, imports);
    }

    /** Starts the triggers when everything that they use has started. */
    record TriggerStart(InitTrigger init, ImportTrigger imports) {

        @EventListener(ApplicationReadyEvent.class)
        void start() {
            init.start();
            imports.start();
        }
    }
}
