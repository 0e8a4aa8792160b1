package dev.slipway.kernel;

import dev.slipway.phase.Directive;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.camunda.bpm.engine.runtime.ProcessInstance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes recorded decisions hold, from outside of the flows, whoever recorded them and however often it takes. */
final class DecisionApplier {

    private static final Logger log = LoggerFactory.getLogger(DecisionApplier.class);

    private final DecisionDesk.Stores stores;
    private final PhaseTokens tokens;
    private final PhaseCatalog catalog;
    private final Escalations escalations;
    private final PhaseCall calls;
    private final EngineServices engine;
    private final KernelSettings settings;
    private final Executor looks;
    private final Map<String, Object> turns = new ConcurrentHashMap<>();

    /**
     * Makes an applier.
     *
     * @param looks runs the looks at phases that some choices need: they may take as long as a phase
     */
    DecisionApplier(
            DecisionDesk.Stores stores,
            PhaseTokens tokens,
            Parts parts,
            EngineServices engine,
            KernelSettings settings,
            Executor looks) {
        this.stores = stores;
        this.tokens = tokens;
        this.catalog = parts.catalog();
        this.escalations = parts.escalations();
        this.calls = parts.calls();
        this.engine = engine;
        this.settings = settings;
        this.looks = looks;
    }

    /** What it needs to know about phases. */
    record Parts(PhaseCatalog catalog, Escalations escalations, PhaseCall calls) {}

    /** Applies whatever is recorded and does not hold yet; returns before looks at phases are over. */
    void applyOpen() {
        for (Decision decision : stores.decisions().open()) {
            if (decision.wish().choice().needsLook()) {
                looks.execute(() -> applyNow(decision));
            } else {
                applyNow(decision);
            }
        }
    }

    /** Applies one decision, or waits until another thread has; what fails is tried again with the next heartbeat. */
    void applyNow(Decision decision) {
        Object turn = turns.computeIfAbsent(decision.id(), id -> new Object());
        synchronized (turn) {
            try {
                if (stores.decisions()
                        .find(decision.id())
                        .filter(known -> known.appliedAt() == null)
                        .isPresent()) {
                    apply(decision);
                }
            } catch (RuntimeException e) {
                log.warn("Applying the decision again later: {}", decision.sentence(), e);
            } finally {
                turns.remove(decision.id(), turn);
            }
        }
    }

    private void apply(Decision decision) {
        if (decision.runId() == null) {
            tokens.retrying(() -> applyToFlow(decision));
        } else {
            applyToPhase(decision, decision.runId());
        }
    }

    private void applyToPhase(Decision decision, String runId) {
        Outcome look = decision.wish().choice().needsLook() ? look(runId) : null;
        tokens.retrying(() -> {
            Optional<PhaseRun> run = stores.runs().lock(runId);
            if (run.isEmpty()) {
                return close(decision, Decision.State.OVERTAKEN, "The phase was left before it could be applied");
            }
            Answer answer = answer(decision, run.get(), look);
            boolean mine = close(decision, answer.state(), answer.text());
            if (mine) {
                answer.act().run();
            }
            return mine;
        });
    }

    private @Nullable Outcome look(String runId) {
        PhaseRun run = stores.runs()
                .find(runId)
                .filter(found -> found.leftAt() == null)
                .orElse(null);
        if (run == null) {
            return null;
        }
        Map<String, String> facts = FlowVariables.facts(engine.runtime().getVariables(run.flowId()));
        return calls.call(
                run, catalog.phase(run.definitionId(), run.elementId()), PhaseCall.facts(facts, run.progress()));
    }

    /** What a decision comes to. */
    private record Answer(Decision.State state, String text, Runnable act) {}

    private Answer answer(Decision decision, PhaseRun run, @Nullable Outcome look) {
        Decision.Wish wish = decision.wish();
        PhaseDefinition phase = catalog.phase(run.definitionId(), run.elementId());
        return switch (wish.choice()) {
            case RETRY, RESUME -> applied("Started anew", () -> restart(run, run.elementId(), wish));
            case RETRY_FROM -> {
                String from = Objects.requireNonNullElse(wish.from(), run.elementId());
                yield applied("Started anew from " + from, () -> restart(run, from, wish));
            }
            case WAIT_MORE -> {
                var drawn = Objects.requireNonNullElse(phase.stuckAfter(), settings.deadMan());
                var time = Objects.requireNonNullElse(wish.duration(), drawn);
                yield applied("Counts as stuck again after " + time, () -> tokens.waitMore(run, phase, time));
            }
            case PAUSE -> applied("Paused", () -> tokens.pause(run, phase, by(decision)));
            case ABORT -> applied("The flow ended", () -> tokens.abort(run));
            case MARK_DONE -> markDone(decision, run, Objects.requireNonNull(look));
            case SKIP -> skip(decision, run, Objects.requireNonNull(look));
            case SUPPLY_CREDENTIALS,
                    ACCEPT_CA,
                    REPLACE_IDENTITY,
                    TAKE_OVER_MARK,
                    RESET_IMPORT,
                    COLLECT_ORPHANS,
                    KEEP,
                    SKIP_REMOTE,
                    FORCE,
                    UNPAUSE -> direct(decision, run);
        };
    }

    /** The phase itself carries it out, in its next run. */
    private Answer direct(Decision decision, PhaseRun run) {
        Choice choice = decision.wish().choice();
        String at =
                choice.beginsAnew() ? catalog.phases(run.definitionId()).get(0).elementId() : run.elementId();
        // One that stands alone is told apart by its decision: it may be taken again.
        String argument = Objects.requireNonNullElse(decision.wish().argument(), decision.id());
        return applied("Handed to the phase, which was started anew", () -> {
            engine.runtime()
                    .setVariables(run.flowId(), evidence(choice.directive().orElseThrow(), argument, decision, run));
            restart(run, at, decision.wish());
        });
    }

    /** The directive, and what was known when it was decided: the phase starts anew and has forgotten it. */
    private static Map<String, String> evidence(Directive directive, String argument, Decision decision, PhaseRun run) {
        ErrorClass last = run.progress().counters().failureClass();
        return Map.of(
                directive.fact(), argument,
                directive.byFact(), decision.by(),
                directive.phaseFact(), run.phase(),
                directive.classFact(), last == null ? "" : last.name(),
                directive.reasonFact(), run.progress().why().code(),
                directive.sinceFact(), run.enteredAt().toString());
    }

    private static Answer applied(String text, Runnable act) {
        return new Answer(Decision.State.APPLIED, text, act);
    }

    private Answer refused(PhaseRun run, Decision decision, String why) {
        String text = "The decision " + decision.wish().choice() + " of " + decision.by() + " was refused: " + why;
        return new Answer(Decision.State.REFUSED, text, () -> escalations.showAgain(run, text));
    }

    private void restart(PhaseRun run, String from, Decision.Wish wish) {
        // A person looked: what the flow repairs by itself counts anew.
        List<String> returns = engine.runtime().getVariables(run.flowId()).keySet().stream()
                .filter(Returns::isFact)
                .toList();
        engine.runtime().removeVariables(run.flowId(), returns);
        tokens.restart(run, from, wish.choice().name());
    }

    private Answer markDone(Decision decision, PhaseRun run, Outcome look) {
        if (look instanceof Outcome.Done done) {
            return applied(
                    "The check passed: " + done.message(),
                    () -> tokens.leave(run, PhaseState.DONE, done.message(), done.facts(), Choice.MARK_DONE));
        }
        String seen = words(look);
        if (!decision.wish().override()) {
            return refused(run, decision, "the check does not pass: " + seen);
        }
        String text = "Against the check (" + seen + ") " + by(decision);
        return applied(text, () -> tokens.leave(run, PhaseState.DONE, text, Map.of(), Choice.MARK_DONE));
    }

    private Answer skip(Decision decision, PhaseRun run, Outcome look) {
        if (look instanceof Outcome.Done done) {
            return applied(
                    "Its goal is reached, nothing was skipped: " + done.message(),
                    () -> tokens.leave(run, PhaseState.DONE, done.message(), done.facts(), Choice.SKIP));
        }
        if (look instanceof Outcome.Retry) {
            return refused(run, decision, "skipping needs a look that succeeds: " + words(look));
        }
        if (look instanceof Outcome.Waiting waiting && waiting.unskippable() != null) {
            return refused(run, decision, waiting.unskippable());
        }
        if (look instanceof Outcome.Blocked blocked
                && (blocked.errorClass() == ErrorClass.UNSAFE || blocked.errorClass() == ErrorClass.IDENTITY)) {
            return refused(run, decision, words(look));
        }
        String text = "Skipped " + by(decision) + "; it was at " + words(look);
        return applied(text, () -> tokens.leave(run, PhaseState.SKIPPED, text, Map.of(), Choice.SKIP));
    }

    private static String by(Decision decision) {
        String reason = decision.wish().reason();
        return "by " + decision.by() + (reason == null ? "" : ": " + reason);
    }

    private static String words(Outcome look) {
        if (look instanceof Outcome.Waiting waiting) {
            return waiting.reason() + ": " + waiting.message();
        }
        if (look instanceof Outcome.Retry retry) {
            return retry.failure().code() + ": " + retry.failure().message();
        }
        if (look instanceof Outcome.Blocked blocked) {
            return blocked.code() + ": " + blocked.message();
        }
        if (look instanceof Outcome.Back back) {
            return back.reason() + ": " + back.message();
        }
        return ((Outcome.Done) look).message();
    }

    private boolean applyToFlow(Decision decision) {
        boolean alone = stores.flows()
                        .lock(decision.flowId())
                        .filter(flow -> flow.endedAt() == null)
                        .isPresent()
                && stores.runs().openOfFlow(decision.flowId()).isEmpty();
        if (!alone) {
            return close(decision, Decision.State.OVERTAKEN, "The flow went on before it could be applied");
        }
        boolean mine = close(decision, Decision.State.APPLIED, "Applied to the flow");
        if (mine && decision.wish().choice() == Choice.ABORT) {
            stores.flows().result(decision.flowId(), FlowState.ABORTED, "Aborted");
            engine.runtime().deleteProcessInstance(decision.flowId(), by(decision), false, true);
        } else if (mine) {
            engine.runtime()
                    .createProcessInstanceModification(decision.flowId())
                    .startBeforeActivity(Objects.requireNonNull(decision.wish().from()))
                    .execute();
        }
        return mine;
    }

    /** The phases of a running flow's diagram; empty if its instance is gone. */
    Optional<List<PhaseDefinition>> phasesOf(String flowId) {
        ProcessInstance instance = engine.runtime()
                .createProcessInstanceQuery()
                .processInstanceId(flowId)
                .singleResult();
        return Optional.ofNullable(instance).map(found -> catalog.phases(found.getProcessDefinitionId()));
    }

    private boolean close(Decision decision, Decision.State state, String text) {
        boolean mine = stores.decisions()
                .close(decision.id(), state, text, settings.clock().instant());
        if (mine) {
            stores.flows().find(decision.flowId()).ifPresent(flow -> stores.audit()
                    .settled(decision, flow.kind(), state, text));
        }
        return mine;
    }
}
