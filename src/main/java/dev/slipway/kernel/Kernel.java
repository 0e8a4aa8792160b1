package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the phase kernel of this node, and passes on what the engine's side reports.
 *
 * <p>At start, and with every heartbeat, it takes the waits that are this node's but not in memory yet: its own from
 * before a crash, and those of dead nodes.
 */
final class Kernel implements KernelEvents, SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Kernel.class);

    private final KernelBus bus;
    private final PhaseRunner runner;
    private final PhaseRunStore runs;
    private final PhaseCatalog catalog;
    private final EngineServices engine;
    private final NodeRegistry registry;
    private final DecisionApplier decisions;
    private final Guards guards;
    private final Clock clock;
    private final ObjectProvider<FlowChanges> listeners;
    private final NodeProperties node;
    private volatile @Nullable ScheduledExecutorService executor;
    private volatile @Nullable Instant lastBeat;
    private volatile boolean nameLost;

    Kernel(
            KernelBus bus,
            Parts parts,
            EngineServices engine,
            ObjectProvider<FlowChanges> listeners,
            NodeProperties node) {
        this.bus = bus;
        this.runner = parts.runner();
        this.runs = parts.runs();
        this.catalog = parts.catalog();
        this.registry = parts.registry();
        this.decisions = parts.decisions();
        this.guards = parts.guards();
        this.clock = parts.clock();
        this.engine = engine;
        this.listeners = listeners;
        this.node = node;
    }

    /** What the kernel is made of. */
    record Parts(
            PhaseRunner runner,
            PhaseRunStore runs,
            PhaseCatalog catalog,
            NodeRegistry registry,
            DecisionApplier decisions,
            Guards guards,
            Clock clock) {}

    /** What looks after the rest. */
    record Guards(Watchdog watchdog, Diagnosing diagnosing, JobAcquisition acquisition) {}

    @Override
    public void start() {
        ScheduledExecutorService started = Executors.newScheduledThreadPool(2, runnable -> {
            Thread thread = new Thread(runnable, "slipway-kernel");
            thread.setDaemon(true);
            return thread;
        });
        executor = started;
        bus.connect(this);
        registry.indexJobs();
        registry.register();
        registry.releaseJobs();
        runner.start();
        beat();
        started.scheduleWithFixedDelay(
                this::beat, node.heartbeat().toMillis(), node.heartbeat().toMillis(), TimeUnit.MILLISECONDS);
        long watch = node.watchdog().toMillis();
        started.scheduleWithFixedDelay(this::watch, watch, watch, TimeUnit.MILLISECONDS);
    }

    /** When this node last said that it lives; null before the first time. */
    @Nullable
    Instant lastBeat() {
        return lastBeat;
    }

    /** Whether another start took this node's name, so that this one has stopped working. */
    boolean lostItsName() {
        return nameLost;
    }

    private void watch() {
        try {
            guards.acquisition().look();
            guards.watchdog().look();
        } catch (RuntimeException e) {
            log.warn("Looking for flows without a driver again later: the database does not answer", e);
        }
    }

    private void beat() {
        try {
            if (!registry.beat()) {
                log.error(
                        "Stopping work: another Slipway runs under the node name {}; give each its own slipway.node.id",
                        node.name());
                nameLost = true;
                crash();
                return;
            }
            lastBeat = clock.instant();
            registry.adopt();
            // What an operator decided before a crash comes before what a phase may find now.
            decisions.applyOpen();
            takeOwn();
        } catch (RuntimeException e) {
            log.warn("Missing a heartbeat: the database does not answer", e);
        }
    }

    private void takeOwn() {
        runs.openOfOwner(node.name()).stream()
                .filter(run -> !runner.knows(run.id()))
                .forEach(run -> take(run, factsOf(run)));
    }

    private Map<String, String> factsOf(PhaseRun run) {
        return FlowVariables.facts(engine.runtime().getVariables(run.flowId()));
    }

    private void take(PhaseRun run, Map<String, String> facts) {
        try {
            PhaseDefinition phase = catalog.phase(run.definitionId(), run.elementId());
            runner.take(new Wait(run, phase, facts));
        } catch (RuntimeException e) {
            log.error("Cannot run {} of {}", run.phase(), run.cluster().display(), e);
        }
    }

    private void execute(Runnable action) {
        ScheduledExecutorService current = executor;
        if (current != null && !current.isShutdown()) {
            current.execute(action);
        }
    }

    @Override
    public void entered(String runId, @Nullable PhaseRun fresh, Map<String, String> facts) {
        if (fresh != null) {
            take(fresh, facts);
        } else if (runner.knows(runId)) {
            runner.runNow(runId);
        } else {
            // Another node had it until now. Not on this thread: its transaction is only just committed.
            execute(() -> runs.find(runId).filter(run -> run.leftAt() == null).ifPresent(run -> take(run, facts)));
        }
    }

    @Override
    public void left(String runId) {
        runner.forget(runId);
    }

    @Override
    public void escalated(String runId) {
        runner.markStuck(runId);
        guards.diagnosing().about(runId);
    }

    @Override
    public void paused(String runId, String why) {
        runner.pause(runId, why);
    }

    @Override
    public void decided() {
        execute(decisions::applyOpen);
    }

    @Override
    public void changed(ClusterRef cluster) {
        listeners.orderedStream().forEach(listener -> tell(listener, cluster));
    }

    private static void tell(FlowChanges listener, ClusterRef cluster) {
        try {
            listener.changed(cluster);
        } catch (RuntimeException e) {
            log.warn("Going on without a listener of flow changes", e);
        }
    }

    @Override
    public void stop() {
        halt();
        runner.close();
        try {
            registry.leave();
        } catch (RuntimeException e) {
            log.debug("Not signing off: the database is gone", e);
        }
    }

    /** Stops working without storing anything or signing off: for drills. */
    void crash() {
        halt();
        runner.halt();
    }

    private void halt() {
        ScheduledExecutorService current = executor;
        if (current != null) {
            current.shutdownNow();
            executor = null;
        }
    }

    @Override
    public boolean isRunning() {
        return executor != null;
    }

    @Override
    public int getPhase() {
        // After the engine and the informers, before the web server.
        return 0;
    }
}
