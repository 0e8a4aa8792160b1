package dev.slipway.delegates;

import dev.slipway.cluster.Admission;
import dev.slipway.cluster.Findings;
import dev.slipway.cluster.LiveClusters;
import dev.slipway.cluster.WorkloadCluster;
import dev.slipway.phase.Outcome;
import dev.slipway.phase.Phase;
import dev.slipway.phase.PhaseContext;
import org.springframework.stereotype.Component;

/**
 * Lets a WorkloadCluster in whose input is good; writes nothing.
 *
 * <p>Checks, all of them before it answers:
 *
 * <ul>
 *   <li>the object is there, with the UID of the flow
 *   <li>name, version, endpoint, ranges of addresses, replicas and certificates keep the rules
 *   <li>a topology: its ClusterClass exists, has the named classes of workers, and gets its variables
 *   <li>a template: it is there, is YAML, has all variables, makes exactly one Cluster of this name in this namespace
 *   <li>every kind that is made or referred to is served
 *   <li>where a platform knows clusters by name only, no other namespace has the name
 * </ul>
 */
@Component
public class Admit implements Phase {

    private final LiveClusters clusters;
    private final Admission admission;

    public Admit(LiveClusters clusters, Admission admission) {
        this.clusters = clusters;
        this.admission = admission;
    }

    @Override
    public Outcome run(PhaseContext context) {
        WorkloadCluster cluster = clusters.declared(context);
        if (cluster.deleting()) {
            return LiveClusters.waitForDeletion(cluster);
        }
        Findings findings = admission.check(cluster);
        if (findings.refused()) {
            return findings.refusal(cluster);
        }
        String message = cluster.display() + " can be built";
        return findings.warnings().isEmpty()
                ? Outcome.done(message)
                : Outcome.done(message + ". Warnings: " + String.join("; ", findings.warnings()));
    }
}
