package dev.slipway.kernel;

import dev.slipway.kernel.FlowStore.FlowRow;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes decisions: refuses what a phase does not allow, lets one of several operators win, and records. */
final class DecisionDesk implements Decisions {

    private static final Logger log = LoggerFactory.getLogger(DecisionDesk.class);
    private static final int LONGEST_REASON = 2000;
    private static final Duration LONGEST_WAIT = Duration.ofDays(30);

    private final Stores stores;
    private final PhaseCatalog catalog;
    private final DecisionApplier applier;
    private final TransactionTemplate transaction;
    private final Clock clock;

    DecisionDesk(
            Stores stores,
            PhaseCatalog catalog,
            DecisionApplier applier,
            TransactionTemplate transaction,
            Clock clock) {
        this.stores = stores;
        this.catalog = catalog;
        this.applier = applier;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** The tables that decisions are about. */
    record Stores(FlowStore flows, PhaseRunStore runs, DecisionStore decisions, KernelAudit audit) {}

    @Override
    public Decision decide(String runId, Decision.Wish wish, String by) {
        return applied(record(runId, wish, by));
    }

    @Override
    public Decision decideForFlow(String flowId, Decision.Wish wish, String by) {
        return applied(Objects.requireNonNull(transaction.execute(status -> recordForFlow(flowId, wish, by))));
    }

    private Decision applied(Decision recorded) {
        applier.applyNow(recorded);
        return stores.decisions().find(recorded.id()).orElse(recorded);
    }

    /**
     * Records a decision, in the caller's transaction if there is one; it is applied later.
     *
     * <p>The run's row is locked, so of two operators the second one sees the first one's decision.
     */
    Decision record(String runId, Decision.Wish wish, String by) {
        return record(UUID.randomUUID().toString(), runId, wish, by);
    }

    /** The same under an id that the caller knows. */
    Decision record(String id, String runId, Decision.Wish wish, String by) {
        return Objects.requireNonNull(transaction.execute(status -> {
            PhaseRun run = stores.runs().lock(runId).orElseThrow(() -> left(runId));
            stores.decisions()
                    .latestOfRun(runId)
                    .filter(other -> other.appliedAt() == null)
                    .ifPresent(other -> {
                        throw new Conflict(other.sentence() + " for " + run.phase() + " of "
                                + run.cluster().display() + "; it is being applied");
                    });
            Decision.Wish checked = check(run, wish);
            return insert(id, run.flowId(), run, checked, by);
        }));
    }

    private RuntimeException left(String runId) {
        Optional<PhaseRun> run = stores.runs().find(runId);
        if (run.isEmpty()) {
            return new Invalid("run", "There is no run " + runId, "Take the run of a current phase of the cluster");
        }
        String what = run.get().phase() + " of " + run.get().cluster().display() + " was left at "
                + run.get().leftAt();
        return new Conflict(stores.decisions()
                .latestOfRun(runId)
                .map(other -> what + ": " + other.sentence())
                .orElse(what + ": it went on by itself"));
    }

    private Decision.Wish check(PhaseRun run, Decision.Wish wish) {
        List<Choice> allowed = catalog.choices(run);
        if (!allowed.contains(wish.choice())) {
            throw new NotAllowed(
                    run.phase() + " of " + run.cluster().display() + " does not allow " + wish.choice()
                            + (run.progress().state() == PhaseState.PAUSED ? " while it is paused" : ""),
                    allowed);
        }
        Decision.Wish checked = checkParameters(wish, catalog.phases(run.definitionId()), run.elementId());
        String name = run.cluster().name();
        if (wish.choice().needsTheName() && !name.equals(checked.argument())) {
            throw new Invalid(
                    "argument",
                    wish.choice() + " is about " + run.cluster().display() + ", not about \"" + checked.argument()
                            + "\"",
                    "Type its name, " + name + ", if you mean it");
        }
        return checked;
    }

    private static Decision.Wish checkParameters(
            Decision.Wish wish, List<PhaseDefinition> phases, @Nullable String current) {
        String reason = wish.reason() == null || wish.reason().isBlank()
                ? null
                : wish.reason().strip();
        if (reason != null && reason.length() > LONGEST_REASON) {
            throw new Invalid("reason", "The reason is too long", "Use at most " + LONGEST_REASON + " characters");
        }
        boolean against = wish.choice().needsReason() || (wish.choice() == Choice.MARK_DONE && wish.override());
        if (against && reason == null) {
            throw new Invalid("reason", wish.choice() + " needs a reason", "Say why, for the record");
        }
        String from = wish.choice() == Choice.RETRY_FROM ? from(wish.from(), phases, current) : null;
        Duration duration = wish.choice() == Choice.WAIT_MORE ? duration(wish.duration()) : null;
        String argument = wish.choice().checked(wish.argument());
        return new Decision.Wish(
                wish.choice(), from, duration, reason, wish.choice() == Choice.MARK_DONE && wish.override(), argument);
    }

    /** The element of an earlier phase, or of this one. */
    private static String from(@Nullable String wanted, List<PhaseDefinition> phases, @Nullable String current) {
        List<PhaseDefinition> reachable = new ArrayList<>();
        for (PhaseDefinition phase : phases) {
            reachable.add(phase);
            if (phase.elementId().equals(current)) {
                break;
            }
        }
        return reachable.stream()
                .filter(phase ->
                        phase.name().equals(wanted) || phase.elementId().equals(wanted))
                .map(PhaseDefinition::elementId)
                .findFirst()
                .orElseThrow(() -> new Invalid(
                        "from",
                        wanted == null
                                ? "RETRY_FROM needs the phase to start from"
                                : "There is no phase " + wanted + " up to the current one",
                        "Use one of "
                                + String.join(
                                        ", ",
                                        reachable.stream()
                                                .map(PhaseDefinition::name)
                                                .toList())));
    }

    private static @Nullable Duration duration(@Nullable Duration wanted) {
        if (wanted != null && (wanted.isNegative() || wanted.isZero() || wanted.compareTo(LONGEST_WAIT) > 0)) {
            throw new Invalid("duration", "The duration " + wanted + " is out of range", "Use PT1S to " + LONGEST_WAIT);
        }
        return wanted;
    }

    private Decision insert(String id, String flowId, @Nullable PhaseRun run, Decision.Wish wish, String by) {
        FlowRow flow = stores.flows().find(flowId).orElseThrow();
        Decision decision = new Decision(
                id,
                flowId,
                flow.cluster(),
                run == null ? null : run.id(),
                run == null ? null : run.phase(),
                wish,
                by,
                clock.instant(),
                Decision.State.OPEN,
                null,
                null);
        stores.decisions().insert(decision);
        stores.audit().decided(decision, flow.kind());
        log.info(
                "{} decided {} for {} of {}",
                by,
                wish.choice(),
                run == null ? "the flow" : run.phase(),
                flow.cluster().display());
        return decision;
    }

    private Decision recordForFlow(String flowId, Decision.Wish wish, String by) {
        FlowRow flow = stores.flows()
                .lock(flowId)
                .orElseThrow(() -> new Invalid("flow", "There is no flow " + flowId, "Take a flow of the cluster"));
        if (flow.endedAt() != null) {
            throw new Conflict(
                    "The flow " + flow.kind() + " of " + flow.cluster().display() + " ended at " + flow.endedAt());
        }
        stores.flows()
                .lastCalled(flowId)
                .filter(called -> called.endedAt() == null)
                .ifPresent(called -> {
                    throw new Conflict("The flow waits for the flow " + called.kind()
                            + " that it called: decide about that one, " + called.id());
                });
        List<PhaseRun> waiting = stores.runs().openOfFlow(flowId);
        if (!waiting.isEmpty()) {
            throw new Conflict(waiting.get(0).phase() + " waits in this flow: decide about its run "
                    + waiting.get(0).id());
        }
        List<Choice> allowed = List.of(Choice.RETRY_FROM, Choice.ABORT);
        if (!allowed.contains(wish.choice())) {
            throw new NotAllowed(
                    "No phase of " + flow.cluster().display() + " waits, so " + wish.choice() + " has no object",
                    allowed);
        }
        List<PhaseDefinition> phases = applier.phasesOf(flowId)
                .orElseThrow(() -> new Conflict("The flow's process instance is gone: it is being closed"));
        return insert(UUID.randomUUID().toString(), flowId, null, checkParameters(wish, phases, null), by);
    }

    @Override
    public List<Decision> ofCluster(String clusterUid) {
        return stores.decisions().ofCluster(clusterUid);
    }

    @Override
    public List<StuckGroup> stuck() {
        Map<Key, List<PhaseRun>> groups = new LinkedHashMap<>();
        for (PhaseRun run : stores.runs().openStuck()) {
            Key key = new Key(run.kind(), run.phase(), run.progress().why().code());
            groups.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
        }
        return groups.entrySet().stream()
                .map(entry -> group(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingInt(
                                (StuckGroup group) -> group.stuck().size())
                        .reversed()
                        .thenComparing(StuckGroup::oldest))
                .toList();
    }

    /** What the members of a group have in common. */
    private record Key(String kind, String phase, String reason) {}

    private static StuckGroup group(Key key, List<PhaseRun> runs) {
        List<StuckGroup.Member> members = runs.stream()
                .map(run -> new StuckGroup.Member(
                        run.cluster(),
                        run.id(),
                        run.flowId(),
                        Objects.requireNonNullElse(run.escalatedAt(), run.enteredAt())))
                .toList();
        return new StuckGroup(
                key.kind(),
                key.phase(),
                key.reason(),
                runs.get(0).progress().why().message(),
                members.get(0).escalatedAt(),
                members);
    }

    @Override
    public List<Decision> retryAll(String phase, String reason, String by, @Nullable String why) {
        List<Decision> decisions = new ArrayList<>();
        for (StuckGroup group : stuck()) {
            if (group.phase().equals(phase) && group.reason().equals(reason)) {
                group.stuck().forEach(member -> retryOne(member, by, why).ifPresent(decisions::add));
            }
        }
        // All are recorded before the first is applied: a crash in between loses none of them.
        return decisions.stream().map(this::applied).toList();
    }

    private Optional<Decision> retryOne(StuckGroup.Member member, String by, @Nullable String why) {
        try {
            return Optional.of(record(member.runId(), Decision.Wish.of(Choice.RETRY, why), by));
        } catch (Conflict | NotAllowed e) {
            log.info("Leaving {} out of a bulk retry: {}", member.cluster().display(), e.getMessage());
            return Optional.empty();
        }
    }
}
