package dev.slipway.kernel;

import dev.slipway.audit.AuditBook;
import dev.slipway.phase.Phase;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
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
    KernelAudit kernelAudit(AuditBook book) {
        return new KernelAudit(book);
    }

    @Bean
    FlowEnds flowEnds(FlowStore flows, Clock clock, KernelBus bus, KernelAudit audit) {
        return new FlowEnds(flows, clock, bus, audit);
    }

    @Bean
    EscalationStore escalationStore(JdbcClient jdbc) {
        return new EscalationStore(jdbc);
    }

    @Bean
    DecisionStore decisionStore(JdbcClient jdbc) {
        return new DecisionStore(jdbc);
    }

    @Bean
    Escalations escalations(
            PhaseRunStore runs,
            EscalationStore escalations,
            PhaseCatalog catalog,
            EngineServices engine,
            Clock clock,
            KernelBus bus,
            ObjectProvider<EscalationListener> listeners) {
        return new Escalations(runs, escalations, catalog, engine, clock, bus, () -> listeners
                .orderedStream()
                .toList());
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

    @Bean
    PhaseCall phaseCall(Map<String, Phase> phases, KernelSettings settings, KernelProperties properties) {
        return new PhaseCall(bean -> phaseOf(phases, bean), settings, properties.runDeadline());
    }

    @Bean(destroyMethod = "")
    PhaseRunner phaseRunner(
            PhaseCall calls,
            PhaseTokens tokens,
            KernelSettings settings,
            KernelProperties properties,
            MeterRegistry meters,
            RetryCounts retries) {
        RetryPolicy policy =
                new RetryPolicy(properties.maxRequeue(), properties.blockedRecheck(), () -> ThreadLocalRandom.current()
                        .nextDouble());
        return new PhaseRunner(calls, tokens, policy, settings, properties, meters, retries);
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
    DecisionDesk.Stores decisionStores(
            FlowStore flows, PhaseRunStore runs, DecisionStore decisions, KernelAudit audit) {
        return new DecisionDesk.Stores(flows, runs, decisions, audit);
    }

    @Bean
    DecisionApplier.Parts decisionParts(PhaseCatalog catalog, Escalations escalations, PhaseCall calls) {
        return new DecisionApplier.Parts(catalog, escalations, calls);
    }

    @Bean
    DecisionApplier decisionApplier(
            DecisionDesk.Stores stores,
            PhaseTokens tokens,
            DecisionApplier.Parts parts,
            EngineServices engine,
            KernelSettings settings,
            PhaseRunner runner) {
        return new DecisionApplier(stores, tokens, parts, engine, settings, runner.forSlowWork());
    }

    @Bean
    DecisionDesk decisionDesk(
            DecisionDesk.Stores stores,
            PhaseCatalog catalog,
            DecisionApplier applier,
            PlatformTransactionManager transactions,
            Clock clock) {
        return new DecisionDesk(stores, catalog, applier, new TransactionTemplate(transactions), clock);
    }

    @Bean
    OccasionDesk occasions(
            DecisionDesk desk,
            DecisionStore decisions,
            DecisionApplier applier,
            PlatformTransactionManager transactions) {
        return new OccasionDesk(desk, decisions, applier, new TransactionTemplate(transactions));
    }

    @Bean
    FlowService flows(
            EngineServices engine,
            FlowService.Stores stores,
            PhaseCatalog catalog,
            DecisionDesk decisions,
            PhaseRunner runner,
            PhaseTokens tokens,
            KernelBus bus) {
        return new FlowService(engine, stores, catalog, decisions, runner, tokens, bus);
    }

    @Bean
    RetryCounts retryCounts(JdbcClient jdbc, NodeProperties node, Clock clock) {
        return new RetryCounts(jdbc, node.name(), clock);
    }

    @Bean
    FlowHistory flowHistory(JdbcClient jdbc, Flows flows, FlowService.Stores stores, PhaseCatalog catalog) {
        return new StoredHistory(jdbc, flows, stores, catalog);
    }

    @Bean
    Diagrams diagrams(EngineServices engine, FlowService.Stores stores) {
        return new DeployedDiagrams(engine.repository(), stores.flows(), stores.runs());
    }

    @Bean
    FlowService.Stores stores(FlowStore flows, PhaseRunStore runs, KernelAudit audit, Clock clock) {
        return new FlowService.Stores(flows, runs, audit, clock);
    }

    @Bean
    NodeRegistry nodeRegistry(JdbcClient jdbc, PhaseRunStore runs, NodeProperties node) {
        return new NodeRegistry(jdbc, runs, node);
    }

    @Bean
    Watchdog watchdog(
            JdbcClient jdbc,
            FlowService.Stores stores,
            PhaseTokens tokens,
            EngineServices engine,
            FlowEnds ends,
            MeterRegistry meters) {
        return new Watchdog(new Watchdog.Tables(jdbc, stores.runs(), stores.flows()), tokens, engine, ends, meters);
    }

    @Bean
    Diagnosing diagnosing(
            ObjectProvider<DiagnosisSource> source, Escalations escalations, PhaseRunStore runs, PhaseTokens tokens) {
        return new Diagnosing(source::getIfAvailable, escalations, runs, tokens);
    }

    @Bean
    Kernel.Guards kernelGuards(Watchdog watchdog, Diagnosing diagnosing, JobAcquisition acquisition) {
        return new Kernel.Guards(watchdog, diagnosing, acquisition);
    }

    @Bean
    Kernel.Parts kernelParts(
            PhaseRunner runner,
            FlowService.Stores stores,
            PhaseCatalog catalog,
            NodeRegistry registry,
            DecisionApplier decisions,
            Kernel.Guards guards) {
        return new Kernel.Parts(runner, stores.runs(), catalog, registry, decisions, guards, stores.clock());
    }

    @Bean
    JobAcquisition jobAcquisition(EngineServices engine, Clock clock) {
        return new JobAcquisition(engine, clock, Duration.ofMinutes(1));
    }

    @Bean
    KernelHealth kernelHealthIndicator(Kernel kernel, JobAcquisition acquisition, NodeProperties node, Clock clock) {
        return new KernelHealth(kernel, acquisition, node, clock);
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
    OperatorPath operatorPath(Escalations escalations, DecisionDesk desk, ProcessEngine engine, KernelBus bus) {
        return new OperatorPath(escalations, desk, engine.getIdentityService(), bus);
    }
}
