package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.camunda.bpm.engine.ManagementService;
import org.camunda.bpm.engine.OptimisticLockingException;
import org.camunda.bpm.engine.RuntimeService;
import org.camunda.bpm.engine.impl.persistence.entity.ExecutionEntity;
import org.camunda.bpm.engine.impl.persistence.entity.JobEntity;
import org.camunda.bpm.engine.impl.pvm.process.ActivityImpl;
import org.camunda.bpm.engine.runtime.Job;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Where tokens and waits meet: the only code that moves a phase's token.
 *
 * <p>Every method is one short transaction, or part of the engine's. The wait's row is locked before the engine is
 * asked, so that a timer that fires meanwhile comes strictly before or strictly after.
 */
final class PhaseTokens {

    private static final Logger log = LoggerFactory.getLogger(PhaseTokens.class);
    private static final int TRIES = 5;
    private static final Duration NEVER = Duration.ofDays(3650);

    private final PhaseRunStore store;
    private final PhaseCatalog catalog;
    private final RuntimeService runtime;
    private final ManagementService management;
    private final Escalations escalations;
    private final TransactionTemplate transaction;
    private final KernelSettings settings;
    private final KernelEvents events;

    PhaseTokens(
            PhaseRunStore store,
            PhaseCatalog catalog,
            EngineServices engine,
            Escalations escalations,
            TransactionTemplate transaction,
            KernelSettings settings,
            KernelEvents events) {
        this.store = store;
        this.catalog = catalog;
        this.runtime = engine.runtime();
        this.management = engine.management();
        this.escalations = escalations;
        this.transaction = transaction;
        this.settings = settings;
        this.events = events;
    }

    private Clock clock() {
        return settings.clock();
    }

    /** The token reached a phase's task, for the first time or through its requeue timer: it waits from here on. */
    void enter(ExecutionEntity token) {
        String runId = token.getParentActivityInstanceId();
        Instant now = clock().instant();
        JobEntity timer = requeueTimer(token);
        // Until the run has an outcome the timer is only a guard against a runner that dies meanwhile.
        Optional<PhaseRun> known = store.find(runId);
        timer.setDuedate(
                Date.from(now.plus(known.filter(PhaseTokens::isPaused).isPresent() ? NEVER : settings.guard())));
        Map<String, String> facts = factsOf(token);
        if (store.reenter(runId, token.getId(), timer.getId(), settings.node())) {
            AfterCommit.run(() -> events.entered(runId, null, facts));
            return;
        }
        if (known.isPresent()) {
            throw new OptimisticLockingException("Phase " + runId + " was left while its timer fired");
        }
        PhaseRun run = newRun(token, runId, timer.getId(), now);
        store.insert(run);
        AfterCommit.run(() -> {
            events.entered(runId, run, facts);
            events.changed(run.cluster());
        });
    }

    private static boolean isPaused(PhaseRun run) {
        return run.progress().state() == PhaseState.PAUSED;
    }

    private PhaseRun newRun(ExecutionEntity token, String runId, String timerId, Instant now) {
        ExecutionEntity scope = token.getParent();
        ActivityImpl activity = (ActivityImpl) token.getActivity();
        PhaseDefinition phase = catalog.phase(
                token.getProcessDefinitionId(), activity.getFlowScope().getId());
        return new PhaseRun(
                runId,
                token.getProcessInstanceId(),
                token.getProcessDefinition().getKey(),
                token.getProcessDefinitionId(),
                clusterOf(token),
                phase.elementId(),
                phase.name(),
                token.getId(),
                scope.getId(),
                timerId,
                settings.node(),
                stuckAt(scope, now),
                now,
                null,
                null,
                Progress.entered());
    }

    private @Nullable Instant stuckAt(ExecutionEntity scope, Instant now) {
        Optional<JobEntity> stuck = scope.getJobs().stream()
                .filter(job -> job.getActivityId().startsWith(PhaseCatalog.STUCK_PREFIX))
                .findFirst();
        stuck.ifPresent(job -> {
            Duration drawn = Duration.between(now, job.getDuedate().toInstant());
            job.setDuedate(Date.from(now.plus(settings.scaleStuck(drawn))));
        });
        return stuck.map(job -> job.getDuedate().toInstant()).orElse(null);
    }

    private static JobEntity requeueTimer(ExecutionEntity token) {
        return token.getJobs().stream()
                .filter(job -> job.getActivityId().startsWith(PhaseCatalog.REQUEUE_PREFIX))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Phase task " + token.getActivityId()
                        + " has no requeue timer: the diagram's lint must refuse it"));
    }

    static ClusterRef clusterOf(ExecutionEntity token) {
        return new ClusterRef(
                (String) token.getVariable(FlowVariables.NAMESPACE),
                (String) token.getVariable(FlowVariables.NAME),
                (String) token.getVariable(FlowVariables.UID));
    }

    private static Map<String, String> factsOf(ExecutionEntity token) {
        return FlowVariables.facts(token.getVariables());
    }

    /** The phase's sub-process ended, however that came about. */
    void left(ExecutionEntity scope) {
        String runId = scope.getActivityInstanceId();
        store.leave(runId, PhaseState.CANCELED, clock().instant());
        escalations.close(runId, Escalations.LEFT);
        ClusterRef cluster = clusterOf(scope);
        AfterCommit.run(() -> {
            events.left(runId);
            events.changed(cluster);
        });
    }

    /** What became of a verdict. */
    enum Applied {
        /** It holds. */
        YES,
        /** The wait is no longer this node's: it was left, or another node has it. */
        LOST,
        /** An operator holds the phase: nothing was changed. */
        PAUSED
    }

    /** The outcome as it came; going back to a phase that the diagram does not have before this one is a bug. */
    Outcome possible(Wait wait, Outcome outcome) {
        if (outcome instanceof Outcome.Back back
                && earlier(wait.run(), back.phase()).isEmpty()) {
            return Outcome.retry(new Failure(
                    ErrorClass.BUG,
                    "NoSuchPhase",
                    back.reason() + ": " + back.message() + "; " + back.phase()
                            + " would repair it, but the diagram has" + " no such phase before "
                            + wait.run().phase(),
                    List.of("Draw the phase " + back.phase() + " again", "Or skip this phase"),
                    null,
                    null));
        }
        return outcome;
    }

    private Optional<String> earlier(PhaseRun run, String phase) {
        return catalog.phases(run.definitionId()).stream()
                .takeWhile(drawn -> !drawn.elementId().equals(run.elementId()))
                .filter(drawn -> drawn.name().equals(phase))
                .map(PhaseDefinition::elementId)
                .findFirst();
    }

    /** Makes a verdict hold. */
    Applied apply(Wait wait, Verdict verdict) {
        return retrying(() -> applyOnce(wait, verdict));
    }

    private Applied applyOnce(Wait wait, Verdict verdict) {
        Optional<PhaseRun> locked = store.lock(wait.id());
        if (locked.isEmpty() || !locked.get().owner().equals(settings.node())) {
            return Applied.LOST;
        }
        PhaseRun run = locked.get();
        if (isPaused(run)) {
            return Applied.PAUSED;
        }
        if (verdict instanceof Verdict.Leave leave) {
            store.save(run.id(), leave.progress());
            leave(run, PhaseState.DONE, leave.facts(), Escalations.RECOVERED);
        } else if (verdict instanceof Verdict.Back back) {
            store.save(run.id(), back.progress());
            runtime.setVariables(run.flowId(), back.facts());
            restart(run, earlier(run, back.phase()).orElseThrow(), Escalations.RECOVERED);
        } else if (verdict instanceof Verdict.Stay stay) {
            stay(run, wait.phase(), stay);
        }
        AfterCommit.run(() -> events.changed(run.cluster()));
        return Applied.YES;
    }

    /** Goes on after a phase because an operator said so. */
    void leave(PhaseRun run, PhaseState state, String message, Map<String, String> facts, Choice choice) {
        Progress before = run.progress();
        store.save(
                run.id(),
                new Progress(
                        before.state(),
                        before.stuck(),
                        before.counters(),
                        state == PhaseState.SKIPPED ? "Skipped" : "MarkedDone",
                        message,
                        before.error(),
                        before.cause(),
                        List.of(),
                        before.lastCheck(),
                        null));
        leave(run, state, facts, choice.name());
    }

    private void leave(PhaseRun run, PhaseState state, Map<String, String> facts, String outcome) {
        store.leave(run.id(), state, clock().instant());
        if (!facts.isEmpty()) {
            runtime.setVariables(run.flowId(), facts);
        }
        escalations.recover(run, outcome);
        runtime.signal(run.executionId());
    }

    private void stay(PhaseRun run, PhaseDefinition phase, Verdict.Stay verdict) {
        boolean stuck = run.progress().stuck();
        store.save(run.id(), verdict.progress().escalated(stuck));
        if (stuck && merelyWaits(run, verdict)) {
            restart(run, run.elementId(), Escalations.RECOVERED);
            return;
        }
        if (stuck && verdict.changed()) {
            escalations.describeAnew(run.with(verdict.progress()));
        }
        rearm(run, verdict.delay());
        if (verdict.escalate() && !stuck) {
            escalations.escalate(run, phase);
        }
    }
    /** Whether a phase that was escalated because it was blocked is waiting again, and not too long yet. */
    private boolean merelyWaits(PhaseRun run, Verdict.Stay verdict) {
        Instant stuckAt = run.stuckAt();
        return verdict.progress().state() == PhaseState.WAITING
                && (stuckAt == null || clock().instant().isBefore(stuckAt));
    }

    private void rearm(PhaseRun run, @Nullable Duration delay) {
        Duration ahead = delay == null ? NEVER : settings.runnerDrives() ? delay.plus(settings.deadMan()) : delay;
        Job timer = run.timerId() == null
                ? null
                : management.createJobQuery().jobId(run.timerId()).singleResult();
        // A timer that is missing or locked is firing: the token comes back by itself.
        if (timer != null && !isLocked(timer)) {
            management.setJobDuedate(timer.getId(), Date.from(clock().instant().plus(ahead)), false);
        }
    }

    private static boolean isLocked(Job timer) {
        return timer instanceof JobEntity job && job.getLockOwner() != null;
    }

    /**
     * Stores counters and pushes boundary timers ahead, for waits that only the runner's clock drives.
     *
     * @return the waits that are no longer this node's
     */
    List<Wait> flush(List<Wait> waits) {
        List<Wait> lost = new ArrayList<>();
        retrying(() -> {
            lost.clear();
            waits.stream().filter(wait -> !flush(wait)).forEach(lost::add);
            return true;
        });
        return lost;
    }

    private boolean flush(Wait wait) {
        Progress progress = wait.run().progress();
        Optional<PhaseRun> mine =
                store.lock(wait.id()).filter(run -> run.owner().equals(settings.node()));
        mine.filter(run -> !isPaused(run)).ifPresent(run -> {
            store.save(run.id(), progress.escalated(run.progress().stuck()));
            Instant next = progress.nextCheck();
            rearm(run, next == null ? null : Duration.between(clock().instant(), next));
        });
        return mine.isPresent();
    }

    /**
     * Starts a phase anew, with fresh timers and counters; only from outside of the instance's own delegates.
     *
     * @param elementId this phase, or another one to go on from
     * @param outcome how its escalation ends, if it has one
     */
    void restart(PhaseRun run, String elementId, String outcome) {
        escalations.recover(run, outcome);
        runtime.createProcessInstanceModification(run.flowId())
                .startBeforeActivity(elementId)
                .cancelActivityInstance(run.id())
                .execute();
        log.info("Started {} anew for {} after {}", elementId, run.cluster().display(), run.phase());
    }

    /** Starts a phase anew that counts as stuck only after that time. */
    void waitMore(PhaseRun run, PhaseDefinition phase, Duration time) {
        restart(run, run.elementId(), Choice.WAIT_MORE.name());
        Instant at = clock().instant().plus(time);
        store.openOfFlow(run.flowId()).stream()
                .filter(fresh -> fresh.elementId().equals(run.elementId()))
                .forEach(fresh -> {
                    store.stuckAt(fresh.id(), at);
                    moveStuckTimer(fresh, phase, at);
                });
    }

    /** Holds a phase until somebody starts it anew. */
    void pause(PhaseRun run, PhaseDefinition phase, String why) {
        escalations.recover(run, Choice.PAUSE.name());
        store.pause(run.id(), why);
        rearm(run, null);
        moveStuckTimer(run, phase, clock().instant().plus(NEVER));
        AfterCommit.run(() -> {
            events.paused(run.id(), why);
            events.changed(run.cluster());
        });
    }

    private void moveStuckTimer(PhaseRun run, PhaseDefinition phase, Instant at) {
        escalations
                .stuckTimer(run, phase)
                .ifPresent(timer -> management.setJobDuedate(timer.getId(), Date.from(at), false));
    }

    /** Ends a wait that has lost its token. */
    void drop(PhaseRun run) {
        store.leave(run.id(), PhaseState.CANCELED, clock().instant());
        escalations.close(run.id(), Escalations.LEFT);
        AfterCommit.run(() -> {
            events.left(run.id());
            events.changed(run.cluster());
        });
    }

    /** Shows a failure that came from outside of the phase, and asks an operator. */
    void fail(PhaseRun run, Progress.Note cause) {
        if (isPaused(run)) {
            return;
        }
        store.save(run.id(), run.progress().failed(cause));
        if (!run.progress().stuck()) {
            escalations.escalate(run, catalog.phase(run.definitionId(), run.elementId()));
        }
        AfterCommit.run(() -> events.changed(run.cluster()));
    }

    /** Ends the flow from a waiting phase, along the diagram's path for aborted flows. */
    void abort(PhaseRun run) {
        escalations.recover(run, Choice.ABORT.name());
        runtime.signal(run.executionId(), PhaseBehavior.ABORT, null, null);
    }

    <T> T retrying(Supplier<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return Objects.requireNonNull(transaction.execute(status -> work.get()));
            } catch (OptimisticLockingException | ConcurrencyFailureException e) {
                if (attempt == TRIES) {
                    throw e;
                }
                log.debug("Repeating a transaction that met another one", e);
            }
        }
    }
}
