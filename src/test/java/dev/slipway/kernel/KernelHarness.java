package dev.slipway.kernel;

import static org.awaitility.Awaitility.await;

import dev.slipway.audit.AuditConfiguration;
import dev.slipway.audit.AuditSettings;
import dev.slipway.kubernetes.ClusterWakeup;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Phase;
import dev.slipway.storage.Databases;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.camunda.bpm.engine.OptimisticLockingException;
import org.camunda.bpm.engine.ProcessEngine;
import org.camunda.bpm.engine.ProcessEngineException;
import org.camunda.bpm.engine.impl.cfg.ProcessEnginePlugin;
import org.camunda.bpm.engine.impl.jobexecutor.DefaultJobExecutor;
import org.camunda.bpm.engine.impl.jobexecutor.JobExecutor;
import org.camunda.bpm.engine.impl.util.ClockUtil;
import org.camunda.bpm.engine.runtime.ProcessInstance;
import org.camunda.bpm.engine.spring.ProcessEngineFactoryBean;
import org.camunda.bpm.engine.spring.SpringProcessEngineConfiguration;
import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** The phase kernel on a real engine and the real diagrams, with phases that a test scripts; no Kubernetes. */
final class KernelHarness implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** The phases of init in their order, by the names of their beans. */
    static final List<String> BEANS = List.of(
            "admit",
            "ensureFinalizer",
            "ensureNotPaused",
            "ensureClusterApiObjects",
            "ensureCertificates",
            "ensureKubeconfig",
            "ensureEndpoint",
            "ensureControlPlaneInitialized",
            "ensureControlPlaneReady",
            "ensureWorkersJoined",
            "ensureWorkItems",
            "ensureHealthy");

    /** The phases of import in their order. */
    static final List<String> IMPORT_BEANS = List.of(
            "admitImport",
            "ensureClusterNotPaused",
            "resetImport",
            "ensureControlPlaneReachable",
            "ensureIdentity",
            "ensureImportFinalizer",
            "ensureWorkloadNamespace",
            "ensureSentry",
            "ensureSentryToken",
            "ensureSingleCredential",
            "ensurePlatformCluster",
            "ensurePlatformRunning",
            "commitImported",
            "verifyInvariants");

    /** The phases of a work item's installation in their order. */
    static final List<String> ITEM_INSTALL_BEANS = List.of(
            "ensureItemNotPaused",
            "admitWorkItem",
            "ensureItemPlanned",
            "ensureReleaseInstalled",
            "ensureReleaseReady");

    /** The phases of a work item's removal in their order. */
    static final List<String> ITEM_DELETE_BEANS = List.of(
            "admitItemDeletion",
            "markItemDeleting",
            "ensureItemDryRunOff",
            "ensureReleaseUninstalled",
            "ensureReleaseGone",
            "ensureItemFinalizerReleased");

    /** The phases of a cluster's deletion in their order. */
    static final List<String> DELETE_BEANS = List.of(
            "admitDeletion",
            "markDeleting",
            "ensureOtherFlowsEnded",
            "ensureUnpaused",
            "ensureAccessCaptured",
            "ensureReachabilityKnown",
            "ensureWorkItemsUninstalled",
            "ensureRemoteCleaned",
            "ensurePlatformClusterGone",
            "ensureClusterApiClusterGone",
            "ensureImportFinalizerReleased",
            "ensureCredentialsGone",
            "ensureGone");

    private final AnnotationConfigApplicationContext context;
    final ScriptedPhases phases;

    private KernelHarness(AnnotationConfigApplicationContext context, ScriptedPhases phases) {
        this.context = context;
        this.phases = phases;
    }

    static DataSource memory() {
        return JdbcConnectionPool.create(
                "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000", "sa", "");
    }

    static KernelHarness start(DataSource database, String node, KernelProperties.ClockMode clock) {
        return start(database, node, clock, new ScriptedPhases());
    }

    static KernelHarness start(
            DataSource database, String node, KernelProperties.ClockMode clock, ScriptedPhases phases) {
        Databases.migrate(database);
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(DataSource.class, () -> database);
        context.registerBean(PlatformTransactionManager.class, () -> new DataSourceTransactionManager(database));
        context.registerBean(JdbcClient.class, () -> JdbcClient.create(database));
        context.registerBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new);
        context.registerBean(
                NodeProperties.class,
                () -> new NodeProperties(node, Duration.ofMillis(100), Duration.ofMillis(700), Duration.ofHours(1)));
        context.registerBean(KernelProperties.class, () -> properties(clock));
        context.registerBean(DiagnosisSource.class, () -> phases::diagnose);
        Stream.of(BEANS, IMPORT_BEANS, DELETE_BEANS, ITEM_INSTALL_BEANS, ITEM_DELETE_BEANS)
                .flatMap(List::stream)
                .forEach(bean -> context.registerBean(bean, Phase.class, () -> phases.phase(bean)));
        context.registerBean(ProcessEngineFactoryBean.class, () -> {
            ProcessEngineFactoryBean factory = new ProcessEngineFactoryBean();
            factory.setProcessEngineConfiguration(
                    engine(database, context.getBean(PlatformTransactionManager.class), context));
            return factory;
        });
        context.registerBean(AuditSettings.class, () -> new AuditSettings(Duration.ofDays(400)));
        context.register(AuditConfiguration.class, KernelConfiguration.class);
        context.refresh();
        // As Spring Boot does: jobs run once everything is started.
        context.getBean(EngineServices.class).configuration().getJobExecutor().start();
        return new KernelHarness(context, phases);
    }

    private static KernelProperties properties(KernelProperties.ClockMode clock) {
        return new KernelProperties(
                clock,
                300,
                4,
                Duration.ofMillis(300),
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofMinutes(5),
                1);
    }

    private static SpringProcessEngineConfiguration engine(
            DataSource database, PlatformTransactionManager transactions, AnnotationConfigApplicationContext context) {
        SpringProcessEngineConfiguration engine = new SpringProcessEngineConfiguration();
        engine.setProcessEngineName("engine-" + UUID.randomUUID());
        engine.setDataSource(database);
        engine.setTransactionManager(transactions);
        engine.setDatabaseSchemaUpdate("true");
        engine.setDeploymentResources(new Resource[] {
            new ClassPathResource("bpmn/cluster-init.bpmn"),
            new ClassPathResource("bpmn/cluster-import.bpmn"),
            new ClassPathResource("bpmn/cluster-delete.bpmn"),
            new ClassPathResource("bpmn/work-item-install.bpmn"),
            new ClassPathResource("bpmn/work-item-delete.bpmn")
        });
        engine.setDeployChangedOnly(true);
        engine.setJobExecutorActivate(false);
        engine.setEnableExceptionsAfterUnhandledBpmnError(true);
        engine.setJobExecutorDeploymentAware(false);
        DefaultJobExecutor executor = new KillableExecutor();
        executor.setWaitTimeInMillis(50);
        executor.setMaxWait(50);
        executor.setMaxJobsPerAcquisition(50);
        engine.setJobExecutor(executor);
        engine.setProcessEnginePlugins(List.of((ProcessEnginePlugin) context.getBean(PhaseEnginePlugin.class)));
        return engine;
    }

    <T> T context(Class<T> type) {
        return context.getBean(type);
    }

    Flows flows() {
        return context.getBean(Flows.class);
    }

    JobExecutor jobExecutor() {
        return context.getBean(EngineServices.class).configuration().getJobExecutor();
    }

    JobAcquisition acquisition() {
        return context.getBean(JobAcquisition.class);
    }

    KernelHealth health() {
        return context.getBean(KernelHealth.class);
    }

    /** Ends the thread that looks for due jobs, as an error in it does: the executor does not notice. */
    void killAcquisition() {
        ((KillableExecutor) jobExecutor()).killAcquisition();
    }

    /** Lets a test reach the thread that looks for due jobs. */
    private static final class KillableExecutor extends DefaultJobExecutor {

        void killAcquisition() {
            acquireJobsRunnable.stop();
        }
    }

    Watchdog watchdog() {
        return context.getBean(Watchdog.class);
    }

    DecisionDesk desk() {
        return context.getBean(DecisionDesk.class);
    }

    Occasions occasions() {
        return context.getBean(Occasions.class);
    }

    ProcessEngine engine() {
        return context.getBean(ProcessEngine.class);
    }

    JdbcClient jdbc() {
        return context.getBean(JdbcClient.class);
    }

    PlatformTransactionManager transactions() {
        return context.getBean(PlatformTransactionManager.class);
    }

    RunnerClock runnerClock() {
        return context.getBean(PhaseRunner.class).clock();
    }

    PhaseRunner runner() {
        return context.getBean(PhaseRunner.class);
    }

    void wake(ClusterRef cluster) {
        context.getBean(ClusterWakeup.class).wake(cluster.namespace(), cluster.name());
    }

    FlowView init(ClusterRef cluster) {
        return flows().start("init", cluster, "test", null);
    }

    PhaseView phase(FlowView flow, String name) {
        return flows().find(flow.id()).orElseThrow().phases().stream()
                .filter(phase -> phase.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    FlowView awaitEnd(FlowView flow) {
        until("flow ends", () -> flows().find(flow.id()).orElseThrow().endedAt() != null);
        return flows().find(flow.id()).orElseThrow();
    }

    /** Waits until the phase has run and its outcome is stored. */
    void awaitPhase(FlowView flow, String name, PhaseState state, String reason) {
        until(name + " is " + state + " " + reason, () -> {
            PhaseView phase = phase(flow, name);
            return phase.state() == state && reason.equals(phase.reason());
        });
    }

    long tasks(FlowView flow) {
        return engine().getTaskService()
                .createTaskQuery()
                .processInstanceId(flow.id())
                .count();
    }

    /** As a person does: once more, if the phase looked again, or its diagnosis came, at the same moment. */
    void complete(String task, Map<String, Object> form) {
        until("task completes", () -> {
            try {
                engine().getTaskService().complete(task, form);
                return true;
            } catch (OptimisticLockingException e) {
                return false;
            }
        });
    }

    long incidents(FlowView flow) {
        return engine().getRuntimeService()
                .createIncidentQuery()
                .processInstanceId(flow.id())
                .incidentType(Escalations.INCIDENT_TYPE)
                .count();
    }

    /** Moves the engine's and the kernel's clock and lets the job executor look. */
    void move(Duration ahead) {
        long offset = ClockUtil.getCurrentTime().getTime() - System.currentTimeMillis();
        ClockUtil.offset(offset + ahead.toMillis());
        context.getBean(EngineServices.class).configuration().getJobExecutor().jobWasAdded();
    }

    static void until(String what, BooleanSupplier condition) {
        await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition::getAsBoolean);
    }

    static ClusterRef cluster(String name) {
        return new ClusterRef("default", name, UUID.randomUUID().toString());
    }

    /** Ends the node as a crash does: nothing is flushed, nobody signs off. */
    void crash() {
        context.getBean(EngineServices.class).configuration().getJobExecutor().shutdown();
        context.getBean(Kernel.class).crash();
    }

    /** Ends all flows and forgets scripts and times, for the next test on the same engine. */
    void clear() {
        runnerClock().freeze(false);
        until("flows are gone", this::deleteAll);
        phases.clear();
        jdbc().sql("delete from slipway_decision").update();
        jdbc().sql("delete from slipway_escalation").update();
        ClockUtil.reset();
    }

    /** A timer or a runner that works on an instance at this moment wins; then it is asked again. */
    private boolean deleteAll() {
        try {
            for (ProcessInstance instance :
                    engine().getRuntimeService().createProcessInstanceQuery().list()) {
                engine().getRuntimeService().deleteProcessInstance(instance.getId(), "test is over", false, true);
            }
            return true;
        } catch (ProcessEngineException e) {
            return false;
        }
    }

    @Override
    public void close() {
        context.getBean(EngineServices.class).configuration().getJobExecutor().shutdown();
        context.close();
        ClockUtil.reset();
    }
}
