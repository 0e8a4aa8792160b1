package dev.slipway.imports;

import dev.slipway.cluster.CapiCluster;
import dev.slipway.cluster.ClusterApi;
import dev.slipway.phase.ClusterRef;
import dev.slipway.phase.ErrorClass;
import dev.slipway.phase.Failure;
import dev.slipway.phase.PhaseContext;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds the Cluster that a flow imports, live, and makes sure that it is still the same one. */
@Component
public class ImportTargets {

    private final ClusterApi api;

    public ImportTargets(ClusterApi api) {
        this.api = api;
    }

    /**
     * Reads the Cluster of the flow.
     *
     * @throws Failure IDENTITY {@code ClusterGone} or {@code ClusterReplaced}
     */
    public ImportTarget require(PhaseContext context) {
        ClusterRef ref = context.cluster();
        CapiCluster cluster = api.cluster(ref.namespace(), ref.name())
                .orElseThrow(() -> identity(
                        "ClusterGone",
                        "Cluster " + ref.display() + " of Cluster API does not exist any more",
                        "Abort the import: nothing is left to work on"));
        ClusterRef now = ImportTarget.refOf(cluster.object());
        if (!now.uid().equals(ref.uid())) {
            throw identity(
                    "ClusterReplaced",
                    cluster.display() + " was deleted and made anew: it is " + now.uid() + ", the flow is about "
                            + ref.uid(),
                    "Abort this import; the new Cluster has its own");
        }
        return new ImportTarget(ref, cluster);
    }

    /** Reads the Cluster; empty if it is absent or another one. */
    public Optional<ImportTarget> find(ClusterRef ref) {
        return api.cluster(ref.namespace(), ref.name())
                .filter(cluster -> ImportTarget.refOf(cluster.object()).uid().equals(ref.uid()))
                .map(cluster -> new ImportTarget(ref, cluster));
    }

    private static Failure identity(String code, String message, String action) {
        return new Failure(ErrorClass.IDENTITY, code, message, List.of(action), null, null);
    }
}
