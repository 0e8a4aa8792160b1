package dev.slipway.kernel;

import dev.slipway.phase.Phase;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.camunda.bpm.engine.ProcessEngine;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Puts the phase kernel together. */
@Configuration(proxyBeanMethods = false)
class KernelConfiguration {

    @Bean
    Clock clock() {
        return new EngineClock();
    }

    @Bean
    KernelBus kernelBus() {
        return new KernelBus();
    }

    @Bean
    KernelSettings kernelSettings(NodeProperties node, Clock clock, KernelProperties properties) {
        return new KernelSettings(node.name(), clock, properties);
    }

    @Bean
    PhaseRunStore phaseRunStore(JdbcClient jdbc) {
        return new PhaseRunStore(jdbc);
    }

    @Bean
    FlowStore flowStore(JdbcClient jdbc) {
        return new FlowStore(jdbc);
    }

    @Bean
    PhaseEnginePlugin phaseEnginePlugin(
            ObjectProvider<PhaseTokens> tokens,
            ObjectProvider<Escalations> escalations,
            ObjectProvider<FlowEnds> ends,
            ObjectProvider<OperatorPath> operatorPath,
            NodeProperties node) {
        return new PhaseEnginePlugin(
                new PhaseParseListener(tokens::getObject, escalations::getObject, ends::getObject),
                OperatorPath.beans(operatorPath::getObject),
                node.name());
    }

    @Bean
    EngineServices engineServices(ProcessEngine engine) {
        return EngineServices.of(engine);
    }

    @Bean
    PhaseCatalog phaseCatalog(EngineServices engine) {
        return new PhaseCatalog(engine.repository());
    }

    @Bean
    FlowEnds flowEnds(FlowStore flows, Clock clock, KernelBus bus) {
        return new FlowEnds(flows, clock, bus);
    }

    @Bean
    Escalations escalations(PhaseRunStore runs, EngineServices engine, Clock clock, KernelBus bus) {
        return new Escalations(runs, engine, clock, bus);
    }

    @Bean
    PhaseTokens phaseTokens(
            PhaseRunStore runs,
            PhaseCatalog catalog,
            EngineServices engine,
            Escalations escalations,
            PlatformTransactionManager transactions,
            KernelSettings settings,
            KernelBus bus) {
        return new PhaseTokens(
                runs, catalog, engine, escalations, new TransactionTemplate(transactions), settings, bus);
    }

    @Bean(destroyMethod = "")
    PhaseRunner phaseRunner(
            Map<String, Phase> phases,
            PhaseTokens tokens,
            KernelSettings settings,
            KernelProperties properties,
            MeterRegistry meters) {
        RetryPolicy policy =
                new RetryPolicy(properties.maxRequeue(), properties.blockedRecheck(), () -> ThreadLocalRandom.current()
                        .nextDouble());
        return new PhaseRunner(bean -> phaseOf(phases, bean), tokens, policy, settings, properties, meters);
    }

    private static Phase phaseOf(Map<String, Phase> phases, String bean) {
        Phase phase = phases.get(bean);
        if (phase == null) {
            throw new IllegalStateException(
                    "No delegate named " + bean + ": a diagram uses a phase that is not in delegates/");
        }
        return phase;
    }

    @Bean
    Decisions decisions(JdbcClient jdbc, PhaseRunStore runs, PhaseTokens tokens, Clock clock) {
        return new Decisions(jdbc, runs, tokens, clock);
    }

    @Bean
    FlowService flows(
            EngineServices engine,
            FlowService.Stores stores,
            PhaseCatalog catalog,
            Decisions decisions,
            PhaseRunner runner,
            PlatformTransactionManager transactions,
            KernelBus bus) {
        return new FlowService(engine, stores, catalog, decisions, runner, new TransactionTemplate(transactions), bus);
    }

    @Bean
    FlowService.Stores stores(FlowStore flows, PhaseRunStore runs, Clock clock) {
        return new FlowService.Stores(flows, runs, clock);
    }

    @Bean
    NodeRegistry nodeRegistry(JdbcClient jdbc, PhaseRunStore runs, NodeProperties node) {
        return new NodeRegistry(jdbc, runs, node);
    }

    @Bean
    Kernel.Parts kernelParts(
            PhaseRunner runner, PhaseRunStore runs, PhaseCatalog catalog, NodeRegistry registry, Decisions decisions) {
        return new Kernel.Parts(runner, runs, catalog, registry, decisions);
    }

    @Bean
    Kernel kernel(
            KernelBus bus,
            Kernel.Parts parts,
            EngineServices engine,
            ObjectProvider<FlowChanges> listeners,
            NodeProperties node) {
        return new Kernel(bus, parts, engine, listeners, node);
    }

    @Bean
    OperatorPath operatorPath(
            PhaseRunStore runs, Escalations escalations, Decisions decisions, ProcessEngine engine, KernelBus bus) {
        return new OperatorPath(runs, escalations, decisions, engine.getIdentityService(), bus);
    }
}
