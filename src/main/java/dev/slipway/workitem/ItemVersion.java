package dev.slipway.workitem;

import dev.slipway.cluster.WorkItemSpec.Chart;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.PhaseContext;
import java.util.Map;
import java.util.Optional;

/** The exact version that a flow installs, found once, and for which declaration it was found. */
public final class ItemVersion {

    private static final String VERSION = "item.chartVersion";
    private static final String DECLARED = "item.declaredVersion";

    private ItemVersion() {}

    /** What was found for just this declaration; empty if nothing was, or the declaration has changed since. */
    public static Optional<String> recorded(PhaseContext context, WorkItem item) {
        boolean same = context.fact(DECLARED).filter(declared(item)::equals).isPresent();
        return same ? context.fact(VERSION) : Optional.empty();
    }

    /** Records it. */
    public static Outcome.Done record(Outcome.Done done, WorkItem item, String version) {
        return done.with(VERSION, version).with(DECLARED, declared(item));
    }

    /** As facts with which a flow starts that shall keep the version. */
    public static Map<String, String> facts(WorkItem item, String version) {
        return Map.of(VERSION, version, DECLARED, declared(item));
    }

    private static String declared(WorkItem item) {
        Chart chart = item.spec().chart();
        if (chart == null) {
            return "manifests";
        }
        return chart.repository() + " " + chart.name() + " " + (chart.version() == null ? "*" : chart.version());
    }
}
