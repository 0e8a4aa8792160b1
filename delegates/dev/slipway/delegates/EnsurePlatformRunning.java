package dev.slipway.delegates;

import dev.slipway.imports.ImportScenes;
import dev.slipway.imports.PlatformProgress;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Waits until the platform's controller has the cluster running.
 *
 * <ul>
 *   <li>the record's phase is Running
 *   <li>where no controller of the platform has written anything for a minute, there is none: nothing is waited for
 *   <li>a controller that is not let in sends the flow back to the token
 * </ul>
 */
@Component
public class EnsurePlatformRunning implements Phase {

    private final ImportScenes scenes;

    public EnsurePlatformRunning(ImportScenes scenes) {
        this.scenes = scenes;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return scenes.run(context, scene -> scene.platform()
                .cluster(scene.name())
                .map(record -> PlatformProgress.of(context, record))
                .orElseGet(() -> PlatformProgress.absent(scene.name())));
    }
}
