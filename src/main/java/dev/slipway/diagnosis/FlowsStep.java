package dev.slipway.diagnosis;

import dev.slipway.kernel.Choice;
import dev.slipway.kernel.Decision;
import dev.slipway.kernel.Decisions;
import dev.slipway.kernel.FlowState;
import dev.slipway.kernel.FlowView;
import dev.slipway.kernel.Flows;
import dev.slipway.kernel.PhaseState;
import dev.slipway.kernel.PhaseView;
import dev.slipway.phase.ClusterRef;
import dev.slipway.status.FlowReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Looks at Slipway's own flows: where they stand, since when, and what they saw last. Asks the database alone. */
final class FlowsStep implements Step {

    private static final int MOST = 10;
    private static final int MOST_DECISIONS = 5;

    private final Supplier<Flows> flows;
    private final Supplier<Decisions> decisions;

    FlowsStep(Supplier<Flows> flows, Supplier<Decisions> decisions) {
        this.flows = flows;
        this.decisions = decisions;
    }

    @Override
    public int number() {
        return 6;
    }

    @Override
    public String title() {
        return "Slipway";
    }

    @Override
    public void look(ClusterRef cluster, Findings findings) {
        findings.look("flows", () -> {
            List<FlowView> known = known(cluster);
            known.stream().limit(MOST).forEach(flow -> findings.add(tell(flow).with(decided(flow))));
            if (known.isEmpty()) {
                findings.add(new Seen("flows", Verdict.OK, "NoFlow", "Slipway has no flow of this cluster", List.of()));
            }
        });
    }

    /** By the UID, or those of all that ever had this name. */
    private List<FlowView> known(ClusterRef cluster) {
        Flows store = flows.get();
        if (!cluster.uid().isEmpty()) {
            return store.latest(cluster.uid());
        }
        return store.latestOfAll().stream()
                .filter(flow -> flow.cluster().namespace().equals(cluster.namespace())
                        && flow.cluster().name().equals(cluster.name()))
                .map(flow -> flow.cluster().uid())
                .distinct()
                .flatMap(uid -> store.latest(uid).stream())
                .sorted(Comparator.comparing(FlowView::startedAt).reversed())
                .toList();
    }

    private static Seen tell(FlowView flow) {
        String object = "flow/" + flow.kind();
        String whose = "id " + flow.id() + ", started by " + flow.startedBy() + " at " + flow.startedAt() + " for UID "
                + flow.cluster().uid();
        if (flow.state() != FlowState.RUNNING) {
            boolean good = flow.state() == FlowState.COMPLETED;
            String sentence = flow.state() + " at " + flow.endedAt() + ", result " + flow.result();
            return good
                    ? Seen.ok(object, sentence, whose)
                    : Seen.warning(
                            object, flow.state() == FlowState.ABORTED ? "Aborted" : "Interrupted", sentence, whose);
        }
        List<PhaseView> current = FlowReading.currentPhases(flow);
        List<String> details = new ArrayList<>(List.of(whose));
        current.forEach(phase -> details.addAll(lines(phase)));
        if (flow.incident() != null) {
            return new Seen(object, Verdict.PROBLEM, "NothingDrivesIt", flow.incident(), details);
        }
        if (current.isEmpty()) {
            return new Seen(object, Verdict.WARNING, "NoPhase", "it runs and is in no phase", details);
        }
        PhaseView worst = current.get(0);
        Verdict verdict = verdict(worst);
        return new Seen(
                object, verdict, verdict == Verdict.OK ? null : FlowReading.reason(worst), sentence(worst), details);
    }

    /** What operators decided about it; what is recorded and does not hold yet is an open decision. */
    private List<String> decided(FlowView flow) {
        return decisions.get().ofCluster(flow.cluster().uid()).stream()
                .filter(decision -> decision.flowId().equals(flow.id()))
                .limit(MOST_DECISIONS)
                .map(decision -> decision.sentence()
                        + (decision.phase() == null ? "" : " about " + decision.phase()) + ": "
                        + (decision.state() == Decision.State.OPEN
                                ? "recorded, not applied yet"
                                : decision.state() + (decision.result() == null ? "" : ", " + decision.result())))
                .toList();
    }

    private static Verdict verdict(PhaseView phase) {
        if (phase.stuck() || phase.state() == PhaseState.BLOCKED) {
            return Verdict.PROBLEM;
        }
        return phase.state() == PhaseState.RETRYING || phase.state() == PhaseState.PAUSED
                ? Verdict.WARNING
                : Verdict.OK;
    }

    private static String sentence(PhaseView phase) {
        return phase.name() + " is " + phase.state() + (phase.stuck() ? " and stuck" : "") + ", "
                + FlowReading.reason(phase) + ": " + FlowReading.message(phase);
    }

    private static List<String> lines(PhaseView phase) {
        List<String> lines = new ArrayList<>();
        lines.add(phase.name() + ": since " + phase.since() + ", " + phase.attempt() + " attempts, last check "
                + (phase.lastCheck() == null ? "not yet" : phase.lastCheck()) + ", next check "
                + (phase.nextCheck() == null ? "only when an operator retries" : phase.nextCheck()));
        if (phase.cause() != null) {
            lines.add("cause: " + phase.cause().code() + ": " + phase.cause().message());
        }
        if (phase.message() != null) {
            lines.add("last observation: " + phase.reason() + ": " + phase.message());
        }
        if (phase.lastError() != null) {
            lines.add("last error: " + phase.lastErrorCode() + ": " + phase.lastError());
        }
        if (phase.stuck()) {
            lines.add("an operator's task is open; allowed: "
                    + phase.choices().stream().map(Choice::name).collect(Collectors.joining(", ")));
        } else if (phase.stuckAt() != null) {
            lines.add("counts as stuck at " + phase.stuckAt());
        }
        int number = 1;
        for (String action : phase.actions()) {
            lines.add("action " + number++ + ": " + action);
        }
        return lines;
    }
}
