package dev.slipway.kernel;

import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Phases whose outcomes a test decides; without a script they are done at once. */
final class ScriptedPhases {

    private final Map<String, Phase> scripts = new ConcurrentHashMap<>();
    private final List<PhaseContext> runs = new CopyOnWriteArrayList<>();
    private final List<String> diagnosed = new CopyOnWriteArrayList<>();

    Phase phase(String bean) {
        return context -> {
            runs.add(context);
            return scripts.getOrDefault(bean, c -> fine(bean)).run(context);
        };
    }

    String diagnose(ClusterRef cluster) {
        diagnosed.add(cluster.display());
        return "Looked around " + cluster.display();
    }

    /** The clusters that were looked around, in order. */
    List<String> diagnosed() {
        return List.copyOf(diagnosed);
    }

    /** What the real phases give, where no platform is served: gateways ask for facts of theirs. */
    private static Outcome fine(String bean) {
        Outcome.Done done = Outcome.done("fine");
        return switch (bean) {
            case "ensureNotPaused", "ensureItemPlanned", "admitDeletion" -> done.with("dryRun", "false");
            case "admitImport" -> done.with("importMode", "off");
            default -> done;
        };
    }

    void script(String bean, Phase phase) {
        scripts.put(bean, phase);
    }

    void always(String bean, Outcome outcome) {
        scripts.put(bean, context -> outcome);
    }

    void done(String bean) {
        scripts.remove(bean);
    }

    void clear() {
        scripts.clear();
        runs.clear();
        diagnosed.clear();
    }

    List<PhaseContext> runs(String phase) {
        return runs.stream().filter(run -> run.phase().equals(phase)).toList();
    }

    List<String> order() {
        return runs.stream().map(PhaseContext::phase).distinct().toList();
    }
}
