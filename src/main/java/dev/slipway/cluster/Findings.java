package dev.slipway.cluster;

import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Collects everything that is wrong or doubtful, so that a person sees all of it at once. */
public final class Findings {

    private static final int SHOWN = 20;

    private final List<Problem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** Adds a problem; the same one is kept once. */
    void problem(String code, String field, String message, String remedy) {
        Problem problem = new Problem(code, field, message, remedy);
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    void warning(String text) {
        if (!warnings.contains(text)) {
            warnings.add(text);
        }
    }

    public List<Problem> problems() {
        return List.copyOf(problems);
    }

    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    public boolean refused() {
        return !problems.isEmpty();
    }

    /**
     * The refusal: all problems in one message, their remedies as actions.
     *
     * <p>The code is the problems' own if they share one, else {@code SpecInvalid}.
     */
    public Outcome refusal(WorkloadCluster cluster) {
        return Outcome.blocked(
                ErrorClass.INVALID, code(), message(cluster), remedies().toArray(String[]::new));
    }

    /** Throws the refusal, for callers that need the input to be good. */
    void throwIfRefused(WorkloadCluster cluster) {
        if (refused()) {
            throw new Failure(ErrorClass.INVALID, code(), message(cluster), remedies(), null, null);
        }
    }

    private String code() {
        List<String> codes = problems.stream().map(Problem::code).distinct().toList();
        return codes.size() == 1 ? codes.get(0) : "SpecInvalid";
    }

    private String message(WorkloadCluster cluster) {
        if (problems.size() == 1) {
            return cluster.display() + ": " + problems.get(0).sentence();
        }
        StringBuilder text =
                new StringBuilder(cluster.display()).append(" has ").append(problems.size());
        text.append(" problems.");
        for (int i = 0; i < Math.min(problems.size(), SHOWN); i++) {
            text.append(" (").append(i + 1).append(") ").append(problems.get(i).sentence());
        }
        if (problems.size() > SHOWN) {
            text.append(" … and ").append(problems.size() - SHOWN).append(" more");
        }
        return text.toString();
    }

    private List<String> remedies() {
        return problems.stream().map(Problem::remedy).distinct().limit(SHOWN).toList();
    }
}
