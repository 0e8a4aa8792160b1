package dev.slipway.delegates;

import dev.slipway.imports.ImportScene;
import dev.slipway.imports.ImportScenes;
import dev.slipway.imports.ImportSettings;
import dev.slipway.imports.InvariantCheck;
import dev.slipway.imports.ReadyNodes;
import dev.slipway.imports.SentryComplaints;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import dev.slipway.platform.ImportInvariants.Broken;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Proves that the import holds; changes nothing.
 *
 * <ul>
 *   <li>the four invariants; a broken one sends the flow back to the phase that repairs it
 *   <li>no provider says any more that it misses the ServiceAccount
 *   <li>at least one node is ready, where {@code slipway.import.network} says that import makes the nodes ready
 * </ul>
 */
@Component
public class VerifyInvariants implements Phase {

    private final ImportScenes scenes;
    private final InvariantCheck check;
    private final SentryComplaints complaints;
    private final ImportSettings settings;

    public VerifyInvariants(
            ImportScenes scenes, InvariantCheck check, SentryComplaints complaints, ImportSettings settings) {
        this.scenes = scenes;
        this.check = check;
        this.complaints = complaints;
        this.settings = settings;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return scenes.run(context, this::verify);
    }

    private Outcome verify(ImportScene scene) {
        List<Broken> broken = check.broken(scene);
        if (!broken.isEmpty()) {
            return InvariantCheck.back(broken.get(0));
        }
        Optional<String> complaint = complaints.of(scene.target());
        if (complaint.isPresent()) {
            return Outcome.waiting("WaitingForProvider", complaint.get());
        }
        ReadyNodes nodes = ReadyNodes.of(scene.workload().reader());
        if (settings.network() && !nodes.any()) {
            return Outcome.waiting("WaitingForNodes", nodes.sentence());
        }
        return Outcome.done("all four invariants of " + scene.name() + " hold; " + nodes.sentence());
    }
}
