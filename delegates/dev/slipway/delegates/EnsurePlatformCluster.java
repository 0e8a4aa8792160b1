package dev.slipway.delegates;

import dev.slipway.imports.ImportScenes;
import dev.slipway.imports.PlatformRecord;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Makes sure that the platform has a record of the cluster that leads to it.
 *
 * <ul>
 *   <li>its type is Imported, its identity is the workload cluster's, its name the Cluster's; another one is refused
 *   <li>it refers to the cluster's one credential from its creation on; a reference to another credential is changed only
 *       when the one is accepted by the workload cluster
 *   <li>its status has the control plane endpoint as an address
 *   <li>it owns the credential
 * </ul>
 */
@Component
public class EnsurePlatformCluster implements Phase {

    private final ImportScenes scenes;
    private final PlatformRecord record;

    public EnsurePlatformCluster(ImportScenes scenes, PlatformRecord record) {
        this.scenes = scenes;
        this.record = record;
    }

    @Override
    public Outcome run(PhaseContext context) {
        return scenes.run(context, record::ensure);
    }
}
