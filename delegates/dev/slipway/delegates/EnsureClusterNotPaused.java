package dev.slipway.delegates;

import dev.slipway.imports.ImportMode;
import dev.slipway.imports.ImportTarget;
import dev.slipway.imports.ImportTargets;
import dev.slipway.imports.Pause;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Waits while the Cluster is paused; writes nothing.
 *
 * <ul>
 *   <li>neither {@code spec.paused} nor the annotation of Cluster API pauses it
 *   <li>what pauses it, who set that, and how to end it, is shown, never escalated
 *   <li>where nothing is to be done, no pause holds that up
 * </ul>
 */
@Component
public class EnsureClusterNotPaused implements Phase {

    private final ImportTargets targets;

    public EnsureClusterNotPaused(ImportTargets targets) {
        this.targets = targets;
    }

    @Override
    public Outcome run(PhaseContext context) {
        if (context.fact(ImportMode.FACT).filter(ImportMode.OFF.value()::equals).isPresent()) {
            return Outcome.done("nothing is to be done");
        }
        ImportTarget target = targets.require(context);
        List<Pause> pauses = Pause.of(target.cluster());
        if (pauses.isEmpty()) {
            return Outcome.done(target.display() + " is not paused");
        }
        List<String> sentences = pauses.stream().map(Pause::sentence).toList();
        return Outcome.waiting("Paused", target.display() + " is paused: " + String.join("; ", sentences));
    }
}
